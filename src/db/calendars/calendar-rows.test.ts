import { describe, expect, it } from 'vitest'
import { completed } from '../../domain/steps.ts'
import { type CalendarRow, calendarIn } from './calendar-rows.ts'

const LESSONS = 1_000

const lessons = Array.from({ length: LESSONS }, (_, number) => ({
  id: `00000000-0000-0000-0000-${String(number).padStart(12, '0')}`,
  start_at: `2026-05-04 ${String(8 + (number % 10)).padStart(2, '0')}:00`,
  end_at: `2026-05-04 ${String(8 + (number % 10)).padStart(2, '0')}:45`,
  counts_toward_limits: number % 3 === 0,
  status: (['planned', 'completed', 'no_show', 'cancelled'] as const)[number % 4],
}))

const row: CalendarRow = {
  id: 'the instructor',
  version: 1,
  kind: 'instructor',
  deleted: false,
  active: true,
  enrolments: null,
  availability_windows: null,
  vacations: [],
  max_daily_units: null,
  max_daily_override: null,
  max_weekly_units: null,
  max_weekly_override: null,
  required_break_minutes: 0,
  max_continuous_minutes: null,
  open_appointments: null,
  archived_at: null,
  appointments: lessons
    .map(({ id, start_at, end_at, counts_toward_limits, status }) =>
      [id, `${start_at}:00`, `${end_at}:00`, counts_toward_limits ? 't' : 'f', status].join(','),
    )
    .join(';'),
}

describe('the calendar parsed from a row', () => {
  it('contains all lessons that are not cancelled', () => {
    const counted = lessons.filter(({ status }) => status !== 'cancelled').map(({ status, ...one }) => one)
    expect(completed(calendarIn(row)).appointments).toEqual(counted)
  })

  it('takes one step for every 200 of 1,000 lessons', () => {
    expect([...calendarIn(row)]).toHaveLength(LESSONS / 200)
  })

  it('is empty if the row has no appointments', () => {
    expect(completed(calendarIn({ ...row, appointments: null })).appointments).toEqual([])
  })
})
