import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dateOf, timeOf } from '../../domain/local-time.ts'

import type { DayOfMinutes, InstructorMinutes } from '../data/minutes.ts'
import { type School, useSchool } from '../ui/school.tsx'
import css from './minutes-page.module.css'

type InstructorMonthProps = {
  readonly minutes: InstructorMinutes
  /** Whether the days lead to the instructor's own day instead of the calendar. */
  readonly isOwn: boolean
  readonly isOpen: boolean
}

/** The sums of an instructor's month; the days are shown on demand. */
export function InstructorMonth({ minutes, isOwn, isOpen: isOpenAtFirst }: InstructorMonthProps) {
  const { format } = useSchool()
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const { name, number, days, sums } = minutes
  const exceeded = days.filter((day) => day.exceeded.length > 0).length
  const open = days.reduce((sum, day) => sum + day.open, 0)
  return (
    <details
      className={css.month}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <strong>{number === null ? name : `${name} (${number})`}</strong>
        <span className={css.sums}>
          {t('minutes.sums', {
            planned: format.duration(sums.planned_minutes),
            worked: format.duration(sums.worked_minutes),
            days: t('minutes.days', { count: sums.days }),
          })}
        </span>
        {exceeded > 0 && (
          <span className={css.exceeded}>{t('minutes.exceededDays', { count: exceeded })}</span>
        )}
        {open > 0 && <span className={css.open}>{t('minutes.open', { count: open })}</span>}
      </summary>
      {isOpen && <Days days={days} instructorId={minutes.instructor_id} isOwn={isOwn} />}
    </details>
  )
}

type DaysProps = {
  readonly days: readonly DayOfMinutes[]
  readonly instructorId: string
  readonly isOwn: boolean
}

const COLUMNS = ['planned', 'worked', 'practical', 'total', 'breaks'] as const

function Days({ days, instructorId, isOwn }: DaysProps) {
  const school = useSchool()
  const { format } = school
  const { t } = useTranslation()
  return (
    <table className={css.days}>
      <thead>
        <tr>
          <th>{t('minutes.day')}</th>
          <th>{t('minutes.times')}</th>
          {COLUMNS.map((column) => (
            <th key={column} className={css.number}>
              {t(`minutes.${column}`)}
            </th>
          ))}
          <th>{t('minutes.remarks')}</th>
        </tr>
      </thead>
      <tbody>
        {days.map((day) => (
          <tr key={day.date} data-exceeded={day.exceeded.length > 0}>
            <th scope="row">
              {isOwn ? (
                <Link to="/today" search={{ date: day.date }}>
                  {format.day(day.date)}
                </Link>
              ) : (
                <Link to="/" search={{ date: day.date, show: instructorId }}>
                  {format.day(day.date)}
                </Link>
              )}
            </th>
            <td>{timesOf(day)}</td>
            {COLUMNS.map((column) => (
              <td key={column} className={css.number} data-label={t(`minutes.${column}`)}>
                {format.duration(minutesIn(day)[column])}
              </td>
            ))}
            <td className={css.remarks}>
              {remarksOn(day, school, t).map(({ text, isExceeded }) => (
                <span key={text} className={isExceeded ? css.exceeded : undefined}>
                  {text}
                </span>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function minutesIn(day: DayOfMinutes): Readonly<Record<(typeof COLUMNS)[number], number>> {
  return {
    planned: day.planned_minutes,
    worked: day.worked_minutes,
    practical: day.practical_minutes,
    total: day.total_minutes,
    breaks: day.break_minutes,
  }
}

function timesOf({ date, first_start_at, last_end_at }: DayOfMinutes): string {
  if (first_start_at === null || last_end_at === null) return '–'
  return `${timeOf(first_start_at)}–${timeOf(last_end_at)}${dateOf(last_end_at) === date ? '' : ' +1'}`
}

type Remark = { readonly text: string; readonly isExceeded: boolean }

function remarksOn(
  { exceeded, overrides, open, limits }: DayOfMinutes,
  { format }: School,
  t: TFunction,
): readonly Remark[] {
  const { practical, total } = limits
  const units = Math.max(limits.daily_units ?? 0, limits.daily_override_units ?? 0)
  const numbers = {
    practical: format.duration(practical ?? 0),
    total: format.duration(total ?? 0),
    units: format.units(units),
  }
  return [
    ...exceeded.map((code) => ({ text: t(`minutes.exceeded.${code}`, numbers), isExceeded: true })),
    ...overrides.map(({ rule, actor }) => ({
      text: t(`minutes.override.${rule}`, { name: actor?.name ?? '?' }),
      isExceeded: false,
    })),
    ...(open > 0 ? [{ text: t('minutes.open', { count: open }), isExceeded: false }] : []),
  ]
}
