import { describe, expect, it } from 'vitest'
import type { Agenda, Proposal } from './agenda.ts'
import { agendaWith, daysOff, lesson, officeTime, openOn } from './agenda-builder.test-support.ts'
import { refusalFor, verdictOn } from './booking.ts'
import type { RefusalCode } from './refusal.ts'

const ORDER: readonly RefusalCode[] = [
  'instructor_inactive',
  'instructor_busy',
  'full',
  'student_busy',
  'public_holiday',
  'school_closed',
  'instructor_on_vacation',
  'instructor_busy_elsewhere',
  'outside_availability',
  'daily_limit_exceeded',
  'weekly_limit_exceeded',
  'break_too_short',
  'continuous_minutes_exceeded',
  'too_many_appointments',
  'student_archived',
]

const MONDAY = 1
const proposal = lesson('2026-03-02 10:00', '11:30')
const clashing = lesson('2026-03-02 11:00', '12:00')
const tenMinutesBefore = lesson('2026-03-02 09:00', '09:50')

/** Returns an agenda in which the proposal breaks the named rules and no other. */
function agendaBreaking(codes: ReadonlySet<RefusalCode>): Agenda {
  const agenda = agendaWith({
    rules: {
      active: !codes.has('instructor_inactive'),
      vacations: codes.has('instructor_on_vacation') ? [daysOff('2026-03-02', '2026-03-02')] : [],
      busy_times: codes.has('instructor_busy_elsewhere')
        ? [{ start_at: '2026-03-02 11:00', end_at: '2026-03-02 11:10' }]
        : [],
      availability_windows: codes.has('outside_availability') ? [openOn(MONDAY, '10:00', '11:29')] : [],
      max_daily_units: codes.has('daily_limit_exceeded') ? 1 : null,
      max_weekly_units: codes.has('weekly_limit_exceeded') ? 1 : null,
      required_break_minutes: codes.has('break_too_short') ? 11 : 0,
      max_continuous_minutes: codes.has('continuous_minutes_exceeded') ? 89 : null,
    },
    booked: [tenMinutesBefore, ...(codes.has('instructor_busy') ? [clashing] : [])],
    student: codes.has('student_busy') ? [clashing] : [],
  })
  const holiday = { date: '2026-03-02', name: 'Schulgründung' }
  const closed = {
    holidayOn: () => (codes.has('public_holiday') ? holiday : undefined),
    closures: codes.has('school_closed') ? [daysOff('2026-03-02', '2026-03-02')] : [],
  }
  const group = { seats: 2, attendees: codes.has('full') ? 3 : 2 }
  // At the minute of being put away a lesson may still begin.
  const archived_at = codes.has('student_archived') ? '2026-03-02 09:59' : proposal.start_at
  const former = [{ student_id: 'student', archived_at }]
  const student_open = codes.has('too_many_appointments') ? 5_000 : 4_999
  const busy_calendars = 'refuse'
  return { ...agenda, closed, busy_calendars, group, student_open, former }
}

describe('a proposal that breaks several rules', () => {
  it('is rejected for the next rule in order as each one is fixed', () => {
    const seen = Array.from({ length: ORDER.length + 1 }, (_, mended) =>
      refusalFor(proposal, agendaBreaking(new Set(ORDER.slice(mended)))),
    )
    expect(seen.map((refusal) => refusal?.code)).toEqual([...ORDER, undefined])
  })

  it('is rejected for the first broken rule in order, in every combination', () => {
    const combinations = Array.from({ length: 2 ** ORDER.length }, (_, bits) =>
      ORDER.filter((_code, index) => bits & (1 << index)),
    )
    const wrong = combinations.filter(
      (codes) => refusalFor(proposal, agendaBreaking(new Set(codes)))?.code !== codes[0],
    )
    expect(wrong).toEqual([])
  })
})

describe('a verdict', () => {
  const combinations = Array.from({ length: 2 ** ORDER.length }, (_, bits) =>
    ORDER.filter((_code, index) => bits & (1 << index)),
  )
  const broken = (codes: readonly RefusalCode[]) =>
    verdictOn(proposal, agendaBreaking(new Set(codes))).refusals.map(({ code }) => code)

  it('has a check for every rule in order, whichever are broken', () => {
    for (const codes of combinations) {
      const { checks } = verdictOn(proposal, agendaBreaking(new Set(codes)))
      expect(checks.map(({ code }) => code)).toEqual(ORDER)
    }
  })

  it('contains every refusal in order, not only the first', () => {
    expect(combinations.filter((codes) => broken(codes).join() !== codes.join())).toEqual([])
  })

  it('has the refusal of each rule in its check', () => {
    const { checks, refusals } = verdictOn(proposal, agendaBreaking(new Set(ORDER)))
    expect(checks.map(({ refusal }) => refusal)).toEqual(refusals)
    expect(refusals.map(({ code }) => code)).toEqual(ORDER)
  })

  it('includes the load of the day and week, even for a rejected proposal', () => {
    const { refusals, load } = verdictOn(
      proposal,
      agendaWith({ rules: { active: false, max_daily_units: 4 }, booked: [tenMinutesBefore] }),
    )
    expect(refusals).toHaveLength(1)
    const units = { booked_units: 1.11, requested_units: 2, override_units: null }
    expect(load).toEqual({
      day: { date: '2026-03-02', limit_units: 4, ...units },
      week: { week_start: '2026-03-02', limit_units: null, ...units },
    })
  })
})

describe('a refusal', () => {
  it('for an inactive instructor contains the instructor_id', () => {
    expect(refusalFor(proposal, agendaBreaking(new Set(['instructor_inactive'])))).toEqual({
      code: 'instructor_inactive',
      params: { instructor_id: 'instructor' },
    })
  })

  it('does not depend on the order of the appointments', () => {
    const booked = [tenMinutesBefore, clashing, lesson('2026-03-02 10:00', '10:30')]
    const student = [clashing, lesson('2026-03-02 10:00', '10:15', { id: 'of the student' })]
    const first = { appointment_id: '2026-03-02 10:00' }
    expect(refusalFor(proposal, agendaWith({ booked }))?.params).toMatchObject(first)
    expect(refusalFor(proposal, agendaWith({ booked: booked.toReversed() }))?.params).toMatchObject(first)
    const firstOfStudent = { appointment_id: 'of the student' }
    expect(refusalFor(proposal, agendaWith({ student }))?.params).toMatchObject(firstOfStudent)
    expect(refusalFor(proposal, agendaWith({ student: student.toReversed() }))?.params).toMatchObject(
      firstOfStudent,
    )
  })
})

describe("a student's other lessons", () => {
  it("do not count toward the instructor's limits and breaks", () => {
    const rules = {
      max_daily_units: 2,
      max_weekly_units: 2,
      required_break_minutes: 30,
      max_continuous_minutes: 90,
    }
    const student = [lesson('2026-03-02 06:00', '10:00'), lesson('2026-03-02 11:30', '15:00')]
    expect(refusalFor(proposal, agendaWith({ rules, student }))).toBeUndefined()
  })
})

describe('moving a lesson within its day', () => {
  it('is accepted if the agenda excludes the lesson, and instructor_busy if it includes it', () => {
    const others = [lesson('2026-03-02 06:00', '09:00'), lesson('2026-03-02 13:00', '14:30')]
    const rules = { max_daily_units: 8, max_weekly_units: 8 }
    const moved = lesson('2026-03-02 11:00', '12:30')
    expect(refusalFor(proposal, agendaWith({ rules, booked: others }))).toBeUndefined()
    expect(refusalFor(moved, agendaWith({ rules, booked: others }))).toBeUndefined()
    expect(refusalFor(moved, agendaWith({ rules, booked: [...others, proposal] }))?.code).toBe(
      'instructor_busy',
    )
  })
})

describe('the German defaults', () => {
  const rules = {
    max_daily_units: 11,
    max_weekly_units: 55,
    required_break_minutes: 0,
    max_continuous_minutes: 360,
  }
  const morning = lesson('2026-03-02 06:00', '12:00')

  it.each([
    ['12:00', '12:45', 'continuous_minutes_exceeded', 'more than six hours without a break'],
    ['12:14', '12:45', 'continuous_minutes_exceeded', '14 minutes are not a sufficient break'],
    ['12:15', '14:31', 'daily_limit_exceeded', 'one minute above 495'],
  ])('reject %s to %s after six hours with %s: %s', (start, end, code) => {
    const refusal = refusalFor(lesson(`2026-03-02 ${start}`, end), agendaWith({ rules, booked: [morning] }))
    expect(refusal?.code).toBe(code)
  })

  it('accept exactly 495 minutes with a break of 15', () => {
    const rest = lesson('2026-03-02 12:15', '14:30')
    expect(refusalFor(rest, agendaWith({ rules, booked: [morning] }))).toBeUndefined()
  })

  it('apply the longest stretch to office time, although it takes no units', () => {
    const agenda = agendaWith({ rules, booked: [morning] })
    expect(refusalFor(officeTime('2026-03-02 12:14', '12:30'), agenda)?.code).toBe(
      'continuous_minutes_exceeded',
    )
    expect(refusalFor(officeTime('2026-03-02 12:15', '18:15'), agenda)).toBeUndefined()
  })
})

describe('the overrides used', () => {
  const rules = { max_daily_units: 2, max_daily_override: 4, max_weekly_units: 5, max_weekly_override: 6 }
  const booked = [lesson('2026-03-03 08:00', '10:15'), lesson('2026-03-02 08:00', '08:45')]

  const agenda = agendaWith({ rules, booked })
  const usedBy = (proposed: Proposal) => verdictOn(proposed, agenda).overrides_used

  it('are those without which an accepted proposal would be rejected', () => {
    expect(usedBy(lesson('2026-03-02 12:00', '12:45'))).toEqual([])
    expect(usedBy(lesson('2026-03-02 12:00', '12:46'))).toEqual(['daily', 'weekly'])
    expect(usedBy(lesson('2026-03-04 12:00', '13:30'))).toEqual(['weekly'])
    expect(refusalFor(lesson('2026-03-02 12:00', '12:46'), agenda)).toBeUndefined()
  })

  it('are empty for office time, which does not count toward limits', () => {
    expect(usedBy(officeTime('2026-03-02 12:00', '18:00'))).toEqual([])
  })

  it('are empty for a rejected proposal, even above a limit', () => {
    expect(usedBy(lesson('2026-03-02 12:00', '13:30'))).toEqual(['daily', 'weekly'])
    expect(usedBy(lesson('2026-03-02 12:00', '13:31'))).toEqual([])
    expect(usedBy(lesson('2026-03-02 08:30', '10:00'))).toEqual([])
  })
})
