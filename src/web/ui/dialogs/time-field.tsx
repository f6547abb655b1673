import { TextInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  localDateTimeFor,
  MINUTES_PER_DAY,
  minuteOfDay,
  type TimeOfDay,
  timeOf,
} from '../../../domain/local-time.ts'
import { completeTime, typedTime } from './typed-time.ts'
import { selectOnPress, selectWhole } from './whole-text.ts'

type TimeFieldProps = {
  readonly label: string
  /** Whether only screen readers get the label. */
  readonly isLabelHidden?: boolean
  readonly description?: string | false
  /** The step of the arrow keys. */
  readonly step: number
  /** As `HH:MM`; empty while invalid. */
  readonly value: TimeOfDay | ''
  readonly onChange: (time: TimeOfDay | '') => void
  readonly onFocus?: () => void
}

/** A typed time of day: parsed once it is unambiguous, or on blur. */
export function TimeField({
  label,
  isLabelHidden = false,
  step,
  value,
  onChange,
  onFocus,
  ...more
}: TimeFieldProps) {
  const { t } = useTranslation()
  const { text, isRefused, type, leave } = useTyped(value, onChange)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') leave()
    const ahead = { ArrowUp: step, ArrowDown: -step }[event.key]
    if (ahead === undefined) return
    event.preventDefault()
    const from = typedTime(text)
    if (from) type(minutesOn(from, ahead))
  }
  return (
    <TextInput
      {...more}
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      inputMode="numeric"
      autoComplete="off"
      // A field in a row has no room for a message.
      error={isRefused && (isLabelHidden || t('date.no_such_time'))}
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onKeyDown={onKeyDown}
      // Selects the value, so that typing replaces it.
      onFocus={({ currentTarget }) => {
        selectWhole(currentTarget)
        onFocus?.()
      }}
      onMouseDown={selectOnPress}
      onBlur={leave}
    />
  )
}

/** Returns the text of the field, which changes with the value unless it already means the same time. */
function useTyped(value: TimeOfDay | '', onChange: TimeFieldProps['onChange']) {
  const [text, setText] = useState<string>(value)
  const [seen, setSeen] = useState(value)
  const [isRefused, setRefused] = useState(false)
  if (seen !== value) {
    setSeen(value)
    if ((typedTime(text) ?? '') !== value) setText(value)
  }
  return {
    text,
    /** Whether an invalid text was left or sent. */
    isRefused,
    type: (typed: string) => {
      setText(typed)
      setRefused(false)
      const time = completeTime(typed)
      if (time) onChange(time)
    },
    leave: () => {
      const time = typedTime(text)
      setText(time ?? text)
      setRefused(time === null && text !== '')
      if ((time ?? '') !== value) onChange(time ?? '')
    },
  }
}

function minutesOn(time: TimeOfDay, minutes: number): TimeOfDay {
  return timeOf(localDateTimeFor((minuteOfDay(time) + minutes + MINUTES_PER_DAY) % MINUTES_PER_DAY))
}
