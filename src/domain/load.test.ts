import { describe, expect, it } from 'vitest'
import { type CountedAppointment, timed, timedByStart } from './agenda.ts'
import { instructorWith, lesson, officeTime } from './agenda-builder.test-support.ts'
import { DAILY, dayLoadFor, loadOn, tallyFor, WEEKLY, weekLoadFor } from './load.ts'

const limits = { max_daily_units: 1, max_daily_override: 4, max_weekly_units: null, max_weekly_override: 9 }
const workload = {
  instructor: instructorWith(limits),
  unit_minutes: 45,
  appointments: timedByStart([
    lesson('2026-03-02 08:00', '09:30'),
    officeTime('2026-03-02 14:00', '18:00'),
    lesson('2026-03-03 08:00', '08:45'),
    lesson('2026-03-08 23:30', '2026-03-09 00:15'),
    lesson('2026-03-01 23:30', '2026-03-02 00:15'),
  ]),
}
const loadsOf = (proposal: CountedAppointment) => [
  dayLoadFor(tallyFor(DAILY, timed(proposal), workload)),
  weekLoadFor(tallyFor(WEEKLY, timed(proposal), workload)),
]
const ofDay = { date: '2026-03-02', booked_units: 2, limit_units: 1, override_units: 4 }
const ofWeek = { week_start: '2026-03-02', booked_units: 4, limit_units: null, override_units: 9 }

describe('the load', () => {
  it('contains the booked units, the requested units and the limits of the day and week', () => {
    expect(loadsOf(lesson('2026-03-02 12:00', '12:50'))).toEqual([
      { ...ofDay, requested_units: 1.11 },
      { ...ofWeek, requested_units: 1.11 },
    ])
  })

  it('has 0 requested units for office time, which does not count toward limits', () => {
    expect(loadsOf(officeTime('2026-03-02 12:00', '13:00'))).toEqual([
      { ...ofDay, requested_units: 0 },
      { ...ofWeek, requested_units: 0 },
    ])
  })

  it('has 0 requested units for a date without a proposal', () => {
    const day = { ...ofDay, requested_units: 0 }
    const week = { ...ofWeek, requested_units: 0 }
    expect(loadOn('2026-03-02', workload)).toEqual({ day, week })
    expect(loadOn('2026-03-08', workload)).toEqual({
      day: { ...day, date: '2026-03-08', booked_units: 1 },
      week,
    })
  })
})
