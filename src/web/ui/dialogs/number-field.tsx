import { NumberInput } from '@mantine/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Range } from '../../../domain/ranges.ts'
import { focusWhole } from './whole-text.ts'

type NumberFieldProps = Range & {
  readonly label: string
  /** Whether only screen readers get the label. */
  readonly isLabelHidden?: boolean
  readonly isMinutes?: boolean
  /** The text after the number. */
  readonly suffix?: string
  readonly placeholder?: string
  readonly description?: string | false
  /** The step of the arrow keys. */
  readonly step?: number
  readonly value: number | ''
  /** Called with an empty text while the field has no valid number. */
  readonly onChange: (value: number | '') => void
}

/** An integer. An invalid text stays, is marked, and keeps the form from being sent. */
export function NumberField({
  label,
  isLabelHidden = false,
  isMinutes = false,
  suffix = isMinutes ? ' min' : '',
  value,
  onChange,
  min,
  max,
  ...more
}: NumberFieldProps) {
  const { t, i18n } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const [refused, setRefused] = useState<number | string>()
  const [isLeft, setLeft] = useState(false)
  const [seen, setSeen] = useState(value)
  if (seen !== value) {
    setSeen(value)
    if (value !== '') setRefused(undefined)
  }
  const fault = refused === undefined ? undefined : faultOf(refused, { min, max })
  const message = fault && t(`number.${fault}`, { min, max })
  useEffect(() => input.current?.setCustomValidity(message ?? ''), [message])
  const take = (typed: number | string) => {
    const isFaulty = faultOf(typed, { min, max }) !== undefined
    setRefused(isFaulty ? typed : undefined)
    setLeft(false)
    const next = isFaulty || typed === '' ? '' : Number(typed)
    if (next !== value) onChange(next)
  }
  useWholeFractions(input, take)
  return (
    <NumberInput
      {...more}
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      ref={input}
      value={refused ?? value}
      onChange={take}
      error={isLeft && message}
      // Mantine calls onFocus too late: the first digit may already have been typed.
      onMouseDown={focusWhole}
      onBlur={() => setLeft(true)}
      onInvalid={() => setLeft(true)}
      min={min}
      max={max}
      clampBehavior="none"
      decimalSeparator={i18n.language === 'de' ? ',' : '.'}
      allowedDecimalSeparators={[',', '.']}
      suffix={suffix}
    />
  )
}

const FRACTION = /^-?\d+[.,]\d+$/

/** Handles pasted fractions. The field accepts only typed separators and would drop a pasted one: 7,5 would become 75. */
function useWholeFractions(input: RefObject<HTMLInputElement | null>, take: (typed: string) => void): void {
  useEffect(() => {
    const look = (event: InputEvent) => {
      const text = event.data?.trim() ?? ''
      if (!FRACTION.test(text)) return
      event.preventDefault()
      take(text.replace(',', '.'))
    }
    const field = input.current
    field?.addEventListener('beforeinput', look)
    return () => field?.removeEventListener('beforeinput', look)
  })
}

type Fault = 'not_whole' | 'too_small' | 'too_large'

function faultOf(typed: number | string, { min, max }: Range): Fault | undefined {
  if (typed === '') return undefined
  const number = Number(typed)
  if (!Number.isInteger(number)) return 'not_whole'
  if (number < min) return 'too_small'
  return number > max ? 'too_large' : undefined
}
