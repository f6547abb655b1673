import { TextInput } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
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
  /** The reason why the form cannot be saved with this value. */
  readonly error?: string | false
  /** The step of the arrow keys. */
  readonly step: number
  /** As `HH:MM`; empty while invalid. */
  readonly value: TimeOfDay | ''
  readonly onChange: (time: TimeOfDay | '') => void
  readonly onFocus?: () => void
  /** A text to begin with that is no time. */
  readonly unreadable?: string | undefined
  /** Called with the text that the field was left with if it is no time, and with undefined once it is one. */
  readonly onFault?: (unreadable: string | undefined) => void
}

/** A typed time of day: parsed once it is unambiguous, or on blur. A text that is no time stays, and keeps the form from being sent. */
export function TimeField({
  label,
  isLabelHidden = false,
  step,
  value,
  error,
  onChange,
  onFocus,
  unreadable,
  onFault,
  ...more
}: TimeFieldProps) {
  const { t } = useTranslation()
  const { text, isUnreadable, isRefused, type, leave } = useTyped(value, {
    unreadable,
    onChange,
    onFault,
  })
  const input = useRef<HTMLInputElement>(null)
  useEffect(
    () => input.current?.setCustomValidity(isUnreadable ? t('date.no_such_time') : ''),
    [isUnreadable, t],
  )
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
      ref={input}
      {...more}
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      inputMode="numeric"
      autoComplete="off"
      // A field in a row has no room for a message.
      error={isRefused ? isLabelHidden || t('date.no_such_time') : error}
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
function useTyped(
  value: TimeOfDay | '',
  { unreadable, onChange, onFault }: Pick<TimeFieldProps, 'unreadable' | 'onChange' | 'onFault'>,
) {
  const [text, setText] = useState<string>(unreadable ?? value)
  const [seen, setSeen] = useState(value)
  const [isRefused, setRefused] = useState(unreadable !== undefined)
  if (seen !== value) {
    setSeen(value)
    if ((typedTime(text) ?? '') !== value) setText(value)
  }
  const isUnreadable = text !== '' && typedTime(text) === null
  return {
    text,
    isUnreadable,
    /** Whether an invalid text was left or sent. */
    isRefused,
    type: (typed: string) => {
      setText(typed)
      setRefused(false)
      const time = completeTime(typed)
      if (time) onChange(time)
      if (time || typed === '') onFault?.(undefined)
    },
    leave: () => {
      const time = typedTime(text)
      setText(time ?? text)
      setRefused(isUnreadable)
      onFault?.(isUnreadable ? text : undefined)
      if ((time ?? '') !== value) onChange(time ?? '')
    },
  }
}

function minutesOn(time: TimeOfDay, minutes: number): TimeOfDay {
  return timeOf(localDateTimeFor((minuteOfDay(time) + minutes + MINUTES_PER_DAY) % MINUTES_PER_DAY))
}
