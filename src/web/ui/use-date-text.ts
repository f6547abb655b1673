import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type LocalDate, YEARS } from '../../domain/local-time.ts'
import { localToday } from '../../domain/time-zone.ts'
import {
  birthFaultFor,
  type DateFault,
  type DateKind,
  STUDENT_AGE,
  typedDate,
} from '../../domain/typed-date.ts'
import { type DateHint, dateHintFor } from './date-hint.ts'
import { useSchool } from './school.tsx'

export type DateFieldValue = {
  /** The date; empty if there is none. */
  readonly value: LocalDate
  /** Called with an empty text while the field has no valid date. */
  readonly onChange: (date: LocalDate) => void
  /** `coming` by default. */
  readonly kind?: DateKind
  /** The first and last accepted day. */
  readonly min?: LocalDate | undefined
  readonly max?: LocalDate | undefined
  /** Whether it may be left empty. */
  readonly isOptional?: boolean
  /** Whether `onChange` waits for blur or Enter. */
  readonly isLazy?: boolean
}

type Fault =
  | DateFault['fault']
  | NonNullable<ReturnType<typeof birthFaultFor>>
  | 'missing'
  | 'which_day'
  | 'too_early'
  | 'too_late'

type Reading = { readonly date: LocalDate } | { readonly fault: Fault; readonly year?: number }

/** Returns the state of a date field. An invalid text stays and keeps its form from being sent. */
export function useDateText(field: DateFieldValue) {
  const { value, onChange, kind = 'coming', isLazy = false } = field
  const { tenant, format } = useSchool()
  const { t, i18n } = useTranslation()
  const today = localToday(new Date(), tenant.timezone)
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<string>()
  const [isLeft, setLeft] = useState(false)
  const reading = typed === undefined ? undefined : read(typed, field, today)
  const date = reading === undefined ? value : 'date' in reading ? reading.date : ''
  const [seen, setSeen] = useState(value)
  if (seen !== value) {
    setSeen(value)
    if (value !== '' && value !== date) setTyped(undefined)
  }
  const fault = reading && 'fault' in reading ? reading : undefined
  const message =
    fault && t(`date.${fault.fault}`, { ...rangeOf(field, fault, format.day), year: fault.year })
  useValidity(input, message)
  const commit = (next: LocalDate) => {
    if (next !== value) onChange(next)
  }
  return {
    input,
    today,
    date,
    /** The year, if the text has nothing else. */
    year: fault?.year,
    text: typed ?? writtenDate(value, i18n.language),
    /** The message to show on blur, not while typing. */
    fault: isLeft ? message : undefined,
    hint: date === '' ? undefined : (dateHintFor(date, kind, { today, format, t }) satisfies DateHint),
    type: (text: string) => {
      setTyped(text)
      setLeft(false)
      const next = read(text, field, today)
      if (!isLazy) commit('date' in next ? next.date : '')
    },
    take: (next: LocalDate) => {
      setTyped(undefined)
      commit(next)
    },
    leave: () => {
      if (reading === undefined) return
      setLeft(true)
      if (!('date' in reading)) return
      setTyped(undefined)
      commit(reading.date)
    },
    complain: () => setLeft(true),
  }
}

export type DateText = ReturnType<typeof useDateText>

/** Returns a date in digits, in the order of the reader's language. */
export function writtenDate(date: LocalDate, language: string): string {
  if (date === '') return ''
  const parts = date.split('-').toReversed()
  return parts.join(language === 'de' ? '.' : '/')
}

function read(text: string, field: DateFieldValue, today: LocalDate): Reading {
  const { kind = 'coming', min, max, isOptional = false } = field
  if (text.trim() === '') return isOptional ? { date: '' } : { fault: 'missing' }
  const typed = typedDate(text, { kind, today, notBefore: min })
  if (!('date' in typed)) return typed.year === undefined ? typed : { fault: 'which_day', year: typed.year }
  const { date } = typed
  if (min && date < min) return { fault: 'too_early' }
  if (max && date > max) return { fault: 'too_late' }
  const fault = kind === 'birth' ? birthFaultFor(date, today) : undefined
  return fault === undefined ? { date } : { fault }
}

function rangeOf(
  { kind, min = '', max = '' }: DateFieldValue,
  { fault }: { readonly fault: Fault },
  day: (date: LocalDate) => string,
) {
  if (fault === 'unlikely_year') return YEARS
  if (kind === 'birth') return STUDENT_AGE
  return { min: min && day(min), max: max && day(max) }
}

function useValidity(input: RefObject<HTMLInputElement | null>, fault: string | undefined): void {
  useEffect(() => input.current?.setCustomValidity(fault ?? ''), [input, fault])
}
