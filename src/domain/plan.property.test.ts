import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CountedAppointment } from './agenda.ts'
import { verdictOn } from './booking.ts'
import { inventedWeek } from './invented-week.test-support.ts'
import { agendaIn, type OwnCalendar } from './lesson-agenda.ts'
import { dayOfMinute, localDateTimeFor, minuteOf } from './local-time.ts'
import type { Occupant } from './occupants.ts'
import { type FoundPlan, planWeek } from './plan.ts'
import type {
  Choice,
  LockedLesson,
  PlanAsk,
  PlanInstructor,
  PlanProblem,
  PlanWindow,
} from './plan-problem.ts'
import { randomFrom } from './random.ts'
import { completed } from './steps.ts'
import { missingTravelTimeFor, type TravelTimes } from './travel.ts'

const RUNS = { numRuns: 40 }
const LITTLE = { seed: 1, effort: 0.02 }

/** A lesson as an office would book it. */
type Lesson = {
  readonly ask: PlanAsk
  readonly window: PlanWindow
  readonly instructor: PlanInstructor
  readonly time: CountedAppointment
}

const TRAVEL_TIMES: readonly TravelTimes[] = [
  { id: 'north', travel_minutes: { south: 40 } },
  { id: 'south', travel_minutes: { north: 40 } },
]

/** A small school that has too few hours, with shared vehicles, two branches, and students who have lessons already. */
const problems: fc.Arbitrary<PlanProblem> = fc
  .record({
    seed: fc.nat(100_000),
    instructors: fc.integer({ min: 1, max: 3 }),
    students: fc.integer({ min: 2, max: 14 }),
    days: fc.constantFrom(1, 2, 5),
    hasVehicles: fc.boolean(),
    hasBranches: fc.boolean(),
    with_overrides: fc.boolean(),
    weights: fc.record({
      waiting: fc.nat(3),
      full_days: fc.nat(3),
      own_instructor: fc.nat(3),
    }),
  })
  .map(({ seed, hasVehicles, hasBranches, ...more }) => {
    const problem = inventedWeek(more, seed)
    const random = randomFrom(seed)
    const vehicles = new Map(['car', 'van'].map((id) => [id, { id, active: true, absences: [] }]))
    const busy = new Map(problem.asks.map((ask) => [ask.student_id, busyTimeOf(ask)]))
    const find = (occupant: Occupant): OwnCalendar | undefined => {
      const { kind, id } = occupant
      if (kind === 'vehicle') return { thing: vehicles.get(id), appointments: [] }
      const own = problem.calendars.find(occupant)
      const time = kind === 'student' ? busy.get(id) : undefined
      return own && time ? { ...own, appointments: [...own.appointments, time] } : own
    }
    const placed = (instructor: PlanInstructor): PlanInstructor => ({
      ...instructor,
      vehicle_ids: hasVehicles ? [random.pick([...vehicles.keys()])] : [],
      location_id: hasBranches ? random.pick(['north', 'south', null]) : null,
    })
    const asks = problem.asks.map((ask) => ({
      ...ask,
      lessons: random.pick([1, 1, 2, 3]),
      booked: random.pick([0, 0, 1]),
      windows: ask.windows.map((window) => ({
        ...window,
        minutes: Math.min(random.pick([45, 60, 90, 180]), window.end - window.start),
        types: window.types.map((type) => ({ ...type, instructors: type.instructors.map(placed) })),
      })),
    }))
    return { ...problem, ...more, asks, calendars: { ...problem.calendars, find }, travelTimes: TRAVEL_TIMES }
  })

/** Returns a lesson of the student elsewhere; some have none. */
function busyTimeOf({ windows: [window], waited_weeks }: PlanAsk): CountedAppointment | undefined {
  if (!window || waited_weeks < 2.5) return undefined
  const times = { start_at: localDateTimeFor(window.start), end_at: localDateTimeFor(window.start + 60) }
  return { id: 'elsewhere', ...times, counts_toward_limits: false }
}

function lessonOf({ ask, window, instructor, source }: Choice): Lesson {
  return { ask, window, instructor, time: source }
}

function lessonsIn({ proposed }: FoundPlan): readonly Lesson[] {
  return proposed.map(({ choice }) => lessonOf(choice))
}

/** Returns the first reason against booking a lesson beside others, as the rules say without the planner. */
function reasonAgainst(lesson: Lesson, others: readonly Lesson[], problem: PlanProblem): string | undefined {
  const { calendars, with_overrides, travelTimes, locations } = problem
  const idsIn = ({ ask, instructor }: Lesson) => [
    ask.student_id,
    instructor.instructor_id,
    ...instructor.vehicle_ids,
  ]
  const find = (occupant: Occupant) => {
    const own = calendars.find(occupant)
    const added = others.filter((one) => idsIn(one).includes(occupant.id)).map(({ time }) => time)
    return own && { ...own, appointments: [...own.appointments, ...added] }
  }
  const { ask, instructor, time } = lesson
  const agenda = agendaIn({ ...instructor, student_id: ask.student_id }, { ...calendars, find })
  const { refusals, overrides_used } = verdictOn(time, agenda)
  if (refusals[0]) return refusals[0].code
  if (overrides_used[0] && !with_overrides) return `${overrides_used[0]}_limit_exceeded`
  if (others.some(({ window }) => window === lesson.window)) return 'same_hours'
  // Lessons of several instructors at one time have the same time, and so the same id.
  const beside = others.filter((one) => one.instructor.instructor_id === instructor.instructor_id)
  const placeOf = (id: string) =>
    beside.find((one) => one.time.id === id)?.instructor.location_id ?? locations.get(id) ?? null
  const stops = agenda.occupied[0]?.appointments.map((one) => ({ ...one, location_id: placeOf(one.id) }))
  const before = stops
    ?.filter(({ end_at }) => end_at <= time.start_at)
    .toSorted(byStart)
    .at(-1)
  const after = stops?.filter(({ start_at }) => start_at >= time.end_at).toSorted(byStart)[0]
  const neighbours = [before, after].filter((one) => one !== undefined)
  const leg = { ...time, location_id: instructor.location_id, neighbours, travelTimes }
  return missingTravelTimeFor(leg) ? 'too_far' : undefined
}

function byStart(a: { readonly start_at: string }, b: { readonly start_at: string }): number {
  return a.start_at < b.start_at ? -1 : 1
}

/** Returns all starts for a student's n-th lesson of the week on a grid of 15 minutes. */
function startsFor(ask: PlanAsk, nth: number): readonly Lesson[] {
  return ask.windows.flatMap((window) => {
    const type = window.types[Math.min(nth, window.types.length - 1)]
    const starts: number[] = []
    for (let start = window.start; start + window.minutes <= window.end; start += 15) starts.push(start)
    return (type?.instructors ?? []).flatMap((instructor) =>
      starts.map((start) => {
        const times = {
          start_at: localDateTimeFor(start),
          end_at: localDateTimeFor(start + window.minutes),
        }
        const { counts_toward_limits = true } = type ?? {}
        return { ask, window, instructor, time: { id: 'asked', ...times, counts_toward_limits } }
      }),
    )
  })
}

/** Returns the score of the lessons by the documented formula. */
function scoreOf(lessons: readonly Lesson[], { weights, shortest_minutes, calendars }: PlanProblem): number {
  let score = 0
  for (const lesson of lessons) {
    const { ask, instructor, time } = lesson
    const [start, end] = [minuteOf(time.start_at), minuteOf(time.end_at)]
    const earlier = lessons.filter((one) => one.ask === ask && one.time.start_at < time.start_at).length
    const share = [1, 0.6][ask.booked + earlier] ?? 0.3
    const urgency = 1 + (weights.waiting * Math.min(ask.waited_weeks, 4)) / 4 + (ask.has_exam ? 1 : 0)
    score += (end - start) * urgency * share + (instructor.is_own ? 15 * weights.own_instructor : 0)
    const { instructor_id: id } = instructor
    const day = [
      ...(calendars.find({ kind: 'instructor', id })?.appointments ?? []),
      ...lessons.filter((one) => one.instructor.instructor_id === id).map((one) => one.time),
    ]
      .map(({ start_at, end_at }) => ({ start: minuteOf(start_at), end: minuteOf(end_at) }))
      .filter((one) => dayOfMinute(one.start) === dayOfMinute(start))
    const before = Math.min(...day.filter((one) => one.end <= start).map((one) => start - one.end))
    const after = Math.min(...day.filter((one) => one.start >= end).map((one) => one.start - end))
    for (const gap of [before, after]) if (gap < shortest_minutes) score -= weights.full_days * gap
  }
  return score
}

describe('a plan', () => {
  it('can be booked whole, in any order', () => {
    fc.assert(
      fc.property(problems, fc.nat(), (problem, seed) => {
        const random = randomFrom(seed)
        const lessons = lessonsIn(completed(planWeek(problem, LITTLE)))
        const order = lessons.map((lesson) => ({ lesson, at: random.next() })).sort((a, b) => a.at - b.at)
        const booked: Lesson[] = []
        for (const { lesson } of order) {
          expect(reasonAgainst(lesson, booked, { ...problem, travelTimes: [] })).toBeUndefined()
          booked.push(lesson)
        }
        for (const lesson of lessons) {
          const others = lessons.filter((one) => one !== lesson)
          expect(reasonAgainst(lesson, others, problem)).toBeUndefined()
        }
      }),
      RUNS,
    )
  })

  it('has the score of the formula', () => {
    fc.assert(
      fc.property(problems, (problem) => {
        const plan = completed(planWeek(problem, LITTLE))
        expect(plan.score).toBeCloseTo(scoreOf(lessonsIn(plan), problem), 6)
      }),
      RUNS,
    )
  })

  it('leaves out nobody who has a free start, and gives true reasons', () => {
    const met = new Set<string>()
    fc.assert(
      fc.property(problems, (problem) => {
        const plan = completed(planWeek(problem, LITTLE))
        const lessons = lessonsIn(plan)
        const asked = problem.asks.reduce((sum, ask) => sum + ask.lessons, 0)
        expect(plan.proposed.length + plan.left_out.length).toBe(asked)
        for (const { ask, nth, reason } of plan.left_out) {
          met.add(reason.code)
          for (const start of startsFor(ask, nth))
            expect(reasonAgainst(start, lessons, problem)).toBeDefined()
          const counts = new Map<string, number>()
          for (const start of startsFor(ask, nth)) {
            const code = reasonAgainst(start, [], problem) ?? 'free'
            counts.set(code, (counts.get(code) ?? 0) + 1)
          }
          if (reason.code === 'no_instructor') {
            const away = ['outside_availability', 'instructor_on_vacation', 'instructor_inactive']
            expect([...counts.keys()].filter((code) => !away.includes(code))).toEqual([])
          } else if (reason.code === 'no_start')
            expect(new Map(reason.refusals.map(({ code, count }) => [code, count]))).toEqual(counts)
          else if (reason.code === 'free_now') expect.unreachable('a start is free')
          else {
            const { instead_of, choice } = reason
            const gone = instead_of.map(({ source, ask: whose }) => [source, whose])
            const isGone = (one: Lesson) =>
              gone.some(([time, whose]) => one.time === time && one.ask === whose)
            const rest = lessons.filter((one) => !isGone(one))
            expect(lessons.length - rest.length).toBe(instead_of.length)
            expect(reasonAgainst(lessonOf(choice), rest, problem)).toBeUndefined()
            expect(instead_of.length === 1).toBe(reason.code === 'taken')
            if (reason.code === 'several_in_the_way')
              for (const one of lessons)
                expect(
                  reasonAgainst(
                    lessonOf(choice),
                    lessons.filter((other) => other !== one),
                    problem,
                  ),
                ).toBeDefined()
            for (const one of instead_of) {
              const withOne = [...rest, lessonOf(one)]
              expect(reasonAgainst(lessonOf(choice), withOne, problem)).toBeDefined()
            }
          }
        }
      }),
      { ...RUNS, seed: 1, numRuns: 100 },
    )
    expect([...met].sort()).toEqual(['no_instructor', 'no_start', 'several_in_the_way', 'taken'])
  })

  it('is the same for the same seed and effort', () => {
    fc.assert(
      fc.property(problems, (problem) => {
        const [one, other] = [completed(planWeek(problem, LITTLE)), completed(planWeek(problem, LITTLE))]
        expect(lessonsIn(one)).toEqual(lessonsIn(other))
      }),
      { numRuns: 10 },
    )
  })

  it('keeps locked lessons where they are', () => {
    fc.assert(
      fc.property(problems, fc.nat(), (problem, seed) => {
        const random = randomFrom(seed)
        const locked = completed(planWeek(problem, LITTLE))
          .proposed.filter(() => random.chance(0.5))
          .map(
            ({ choice: { type, ...choice } }): LockedLesson => ({ ...lessonOf({ type, ...choice }), type }),
          )
        const again = lessonsIn(completed(planWeek({ ...problem, locked }, { ...LITTLE, seed })))
        for (const { ask, time } of locked)
          expect(again.filter((one) => one.ask === ask && one.time.start_at === time.start_at)).toHaveLength(
            1,
          )
      }),
      RUNS,
    )
  })

  it('scores at least as high as booking in order, and more with more effort', () => {
    const problem = inventedWeek({ instructors: 3, students: 40 }, 1)
    const scoreWith = (effort: number) => completed(planWeek(problem, { seed: 1, effort })).score
    expect(scoreWith(0.3)).toBeGreaterThan(scoreWith(0) * 1.01)
  })
})
