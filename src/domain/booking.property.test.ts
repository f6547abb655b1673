import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Agenda, CountedAppointment, InstructorRules } from './agenda.ts'
import { instructorWith } from './agenda-builder.test-support.ts'
import { overridesUsedBy, refusalFor } from './booking.ts'
import { brokenRules, type Calendar, calendarFrom } from './brute-force.test-support.ts'

const RUNS = { numRuns: 300 }
const DAY = 24 * 60

/** The school asks for these one after the other; what the rules allow is booked and in the way of the next. */
type Script = {
  readonly calendar: Calendar
  readonly unit_minutes: number
  readonly instructor: InstructorRules
  /** Lessons from before the rules were what they are: they may break any but the conflicts. */
  readonly inherited: readonly CountedAppointment[]
  /** Lessons of each student with other instructors. */
  readonly elsewhere: readonly (readonly CountedAppointment[])[]
  readonly requests: readonly Request[]
}
type Request = { readonly proposal: CountedAppointment; readonly student: number | null }
type Turn = { readonly request: Request; readonly agenda: Agenda }

/** Two weeks and some days around them: across months, years, week 53, a leap day and both clock changes. */
const CALENDARS = ['2026-03-02', '2026-03-23', '2026-10-19', '2026-12-21', '2026-12-28', '2028-02-21'].map(
  (monday) => calendarFrom(monday, 18),
)

const scripts: fc.Arbitrary<Script> = fc
  .record({ calendar: fc.constantFrom(...CALENDARS), grain: fc.constantFrom(5, 15) })
  .chain(({ calendar, grain }) => {
    const lessons = (maxLength: number) =>
      fc.array(lessonOn(calendar, grain), { maxLength, size: 'max' }).map(withoutOverlaps)
    const request = fc.record({
      proposal: lessonOn(calendar, grain),
      student: fc.option(fc.nat({ max: 1 }), { freq: 4 }),
    })
    return fc.record({
      calendar: fc.constant(calendar),
      unit_minutes: fc.constantFrom(45, 50, 60),
      instructor: instructorOn(calendar, grain),
      inherited: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, lessons(4)),
      elsewhere: fc.tuple(lessons(5), lessons(5)),
      requests: fc
        .array(request, { minLength: 1, maxLength: 14, size: 'max' })
        .map((all) => all.map((one, index) => ({ ...one, proposal: { ...one.proposal, id: `${index}` } }))),
    })
  })

/** Mostly by day and near a weekend, so that lessons meet; some at night, up to twelve hours long. */
function lessonOn(calendar: Calendar, grain: number): fc.Arbitrary<CountedAppointment> {
  const hour = (from: number, to: number) =>
    fc.integer({ min: (from * 60) / grain, max: (to * 60) / grain - 1 })
  return fc
    .record({
      day: fc.constantFrom(0, 4, 5, 6, 6, 7, 7, 8, 13),
      start: fc.oneof({ weight: 3, arbitrary: hour(8, 14) }, hour(0, 24), hour(22, 24)),
      length: fc.oneof(
        { weight: 5, arbitrary: hour(1, 2) },
        { weight: 2, arbitrary: hour(2, 5) },
        hour(5, 12),
      ),
      counts_toward_limits: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)),
    })
    .map(({ day, start, length, counts_toward_limits }) => {
      const first = day * DAY + start * grain
      const start_at = textAt(calendar, first)
      return {
        id: start_at,
        start_at,
        end_at: textAt(calendar, first + length * grain),
        counts_toward_limits,
      }
    })
}

function instructorOn(calendar: Calendar, grain: number): fc.Arbitrary<InstructorRules> {
  const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 2 })
  const time = fc
    .integer({ min: 0, max: DAY / grain })
    .map((step) => (step * grain === DAY ? '24:00' : textAt(calendar, step * grain).slice(11)))
  const window = fc
    .tuple(fc.integer({ min: 1, max: 7 }), time, time)
    .filter(([, one, other]) => one !== other)
    .map(([weekday, one, other]) => ({
      weekday,
      start: one < other ? one : other,
      end: one < other ? other : one,
    }))
  const wide = fc.constantFrom('00:00', '06:00', '08:00').map((start) => ({ start, end: '24:00' }))
  const everyDay = wide.map((hours) => [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, ...hours })))
  const windows = fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: everyDay },
    fc
      .tuple(everyDay, fc.array(window, { maxLength: 14 }))
      .map(([days, some]) => [...days.slice(2), ...some]),
    fc.array(window, { maxLength: 20, size: 'max' }),
  )
  const vacation = fc.tuple(fc.nat({ max: 14 }), fc.nat({ max: 2 })).map(([first, more]) => ({
    start_date: textAt(calendar, first * DAY).slice(0, 10),
    end_date: textAt(calendar, (first + more) * DAY).slice(0, 10),
    note: null,
  }))
  return fc
    .record({
      active: fc.oneof({ weight: 30, arbitrary: fc.constant(true) }, fc.constant(false)),
      availability_windows: windows,
      vacations: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(vacation, { maxLength: 2 })),
      max_daily_units: orNull(fc.integer({ min: 0, max: 8 })),
      max_daily_override: orNull(fc.integer({ min: 0, max: 10 })),
      max_weekly_units: orNull(fc.integer({ min: 0, max: 14 })),
      max_weekly_override: orNull(fc.integer({ min: 0, max: 16 })),
      required_break_minutes: fc.constantFrom(0, 0, 0, 5, 10, 15, 20, 30, 45, 90, 600),
      max_continuous_minutes: orNull(fc.constantFrom(90, 120, 180, 240, 360, 480)),
    })
    .map(instructorWith)
}

function textAt({ minutes }: Calendar, index: number): string {
  return `${minutes[index]?.date} ${minutes[index]?.time}`
}

function withoutOverlaps(lessons: readonly CountedAppointment[]): readonly CountedAppointment[] {
  return lessons.filter((one, index) =>
    lessons.slice(0, index).every((other) => one.end_at <= other.start_at || other.end_at <= one.start_at),
  )
}

/** What stands for the instructor and the student of the request beside it. */
function agendaFor({ student, proposal }: Request, booked: readonly Request[], script: Script): Agenda {
  const others = booked.filter((other) => other.proposal !== proposal)
  const ofStudent = others.filter((other) => student !== null && other.student === student)
  const elsewhere = (student !== null && script.elsewhere[student]) || []
  return {
    unit_minutes: script.unit_minutes,
    instructor: script.instructor,
    instructor_appointments: [...script.inherited, ...others.map((other) => other.proposal)],
    student_appointments: [...elsewhere, ...ofStudent.map((other) => other.proposal)],
  }
}

function play(script: Script): { readonly turns: readonly Turn[]; readonly booked: readonly Request[] } {
  const booked: Request[] = []
  const turns = script.requests.map((request) => {
    const agenda = agendaFor(request, booked, script)
    if (refusalFor(request.proposal, agenda) === undefined) booked.push(request)
    return { request, agenda }
  })
  return { turns, booked }
}

describe('whatever is asked for, one after the other', () => {
  it('each answer is the first rule that a count of minutes finds broken, or none', () => {
    fc.assert(
      fc.property(scripts, (script) => {
        for (const { request, agenda } of play(script).turns) {
          const code = refusalFor(request.proposal, agenda)?.code
          expect(code).toBe(brokenRules(request.proposal, agenda, script.calendar)[0])
        }
      }),
      RUNS,
    )
  })

  it('no lesson that was booked breaks a rule beside all that were booked before and after it', () => {
    fc.assert(
      fc.property(scripts, (script) => {
        const { booked } = play(script)
        for (const request of booked) {
          const agenda = agendaFor(request, booked, script)
          expect(brokenRules(request.proposal, agenda, script.calendar)).toEqual([])
        }
      }),
      RUNS,
    )
  })

  it('every lesson that was booked can be moved onto itself', () => {
    fc.assert(
      fc.property(scripts, (script) => {
        const { booked } = play(script)
        for (const request of booked) {
          expect(refusalFor(request.proposal, agendaFor(request, booked, script))).toBeUndefined()
        }
      }),
      RUNS,
    )
  })

  it('the answer does not depend on the order of any list', () => {
    fc.assert(
      fc.property(scripts, fc.gen(), (script, pick) => {
        const shuffled = <T>(list: readonly T[]) =>
          pick(() => fc.shuffledSubarray([...list], { minLength: list.length }))
        for (const { request, agenda } of play(script).turns) {
          const mixed: Agenda = {
            ...agenda,
            instructor: {
              ...agenda.instructor,
              availability_windows: shuffled(agenda.instructor.availability_windows),
              vacations: shuffled(agenda.instructor.vacations),
            },
            instructor_appointments: shuffled(agenda.instructor_appointments),
            student_appointments: shuffled(agenda.student_appointments),
          }
          expect(refusalFor(request.proposal, mixed)).toEqual(refusalFor(request.proposal, agenda))
          expect(overridesUsedBy(request.proposal, mixed)).toEqual(overridesUsedBy(request.proposal, agenda))
        }
      }),
      RUNS,
    )
  })

  it('a lesson draws on an override exactly if it would be refused without it', () => {
    fc.assert(
      fc.property(scripts, (script) => {
        for (const { request, agenda } of play(script).turns) {
          const instructor = { ...agenda.instructor, max_daily_override: null, max_weekly_override: null }
          const broken = brokenRules(request.proposal, { ...agenda, instructor }, script.calendar)
          const used = overridesUsedBy(request.proposal, agenda)
          expect(used.includes('daily')).toBe(broken.includes('daily_limit_exceeded'))
          expect(used.includes('weekly')).toBe(broken.includes('weekly_limit_exceeded'))
        }
      }),
      RUNS,
    )
  })
})

it('the scripts meet every rule often, and often none', () => {
  const answers = fc
    .sample(scripts, { ...RUNS, seed: 1 })
    .flatMap((script) =>
      play(script).turns.map(({ request, agenda }) => refusalFor(request.proposal, agenda)?.code),
    )
  const times = Map.groupBy(answers, (code) => code ?? 'accepted')
  expect(times.size).toBe(10)
  for (const [code, { length }] of times) expect(length, code).toBeGreaterThan(25)
})
