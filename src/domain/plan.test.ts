import { describe, expect, it } from 'vitest'
import type { InstructorRules } from './agenda.ts'
import { instructorWith } from './agenda-builder.test-support.ts'
import { minuteOf } from './local-time.ts'
import { planWeek } from './plan.ts'
import type { PlanAsk, PlanProblem } from './plan-problem.ts'
import { completed } from './steps.ts'

/** Returns an ask for one lesson on a Monday within the hours. */
function ask(student_id: string, [from, to]: readonly [string, string], minutes: number, weeks = 0): PlanAsk {
  const kaya = { instructor_id: 'kaya', is_own: false, vehicle_ids: [], location_id: null }
  const type = {
    lesson_type_id: 'PRACTICE',
    counts_toward_limits: true,
    only_in_the_dark: false,
    instructors: [kaya],
  }
  const [start, end] = [minuteOf(`2026-05-04 ${from}`), minuteOf(`2026-05-04 ${to}`)]
  const windows = [{ wish_id: student_id, start, end, minutes, types: [type] }]
  return { student_id, lessons: 1, booked: 0, waited_weeks: weeks, has_exam: false, windows }
}

function problemOf(asks: readonly PlanAsk[], rules: Partial<InstructorRules>): PlanProblem {
  const own = { rules: instructorWith({ id: 'kaya', ...rules }), appointments: [] }
  return {
    asks,
    locked: [],
    calendars: {
      unit_minutes: 45,
      find: ({ kind }) => (kind === 'instructor' ? own : { appointments: [] }),
    },
    timezone: 'Europe/Berlin',
    darkness: undefined,
    shortest_minutes: 45,
    travelTimes: [],
    locations: new Map(),
    weights: { waiting: 1, full_days: 1, own_instructor: 1 },
    with_overrides: false,
  }
}

const MORNING = ask('ben', ['08:00', '09:30'], 90, 4)
const NOON = ask('mia', ['10:00', '10:45'], 45, 4)
const LATE = ask('tim', ['12:00', '12:45'], 45, 4)
const AFTERNOON = ask('zoe', ['14:00', '15:30'], 90)

describe('a plan', () => {
  it('names the one lesson that is enough, rather than two that would do as well', () => {
    const problem = problemOf([MORNING, NOON, LATE, AFTERNOON], { max_daily_units: 4 })
    const { left_out } = completed(planWeek(problem, { seed: 1, effort: 0.01 }))
    expect(left_out.map((one) => one.ask.student_id)).toEqual(['zoe'])
    expect(left_out[0]?.reason).toMatchObject({ code: 'taken', instead_of: [{ ask: MORNING }] })
  })

  it('changes with a rule', () => {
    const plannedUnder = (rules: Partial<InstructorRules>) =>
      completed(planWeek(problemOf([MORNING, NOON, LATE, AFTERNOON], rules), { seed: 1, effort: 0.01 }))
        .proposed.map(({ choice }) => choice.ask.student_id)
        .sort()
    expect(plannedUnder({})).toEqual(['ben', 'mia', 'tim', 'zoe'])
    expect(plannedUnder({ required_break_minutes: 60 })).toEqual(['ben', 'tim', 'zoe'])
    expect(plannedUnder({ max_daily_units: 2 })).toEqual(['ben'])
  })

  it('has no start in the hour that the clocks skip', () => {
    const night = ask('ben', ['00:00', '00:45'], 45)
    const at = (time: string) => minuteOf(`2026-03-29 ${time}`)
    const windows = night.windows.map((one) => ({ ...one, start: at('02:00'), end: at('03:45') }))
    const { proposed } = completed(planWeek(problemOf([{ ...night, windows }], {}), { seed: 1, effort: 1 }))
    expect(proposed.map(({ choice }) => choice.source.start_at)).toEqual(['2026-03-29 03:00'])
  })
})
