import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CountedAppointment } from './agenda.ts'
import { instructorWith } from './agenda-builder.test-support.ts'
import { verdictOn } from './booking.ts'
import { overlaps } from './interval.ts'
import { ladderOf } from './ladder.ts'
import type { LadderLesson, LadderPlace, LadderProblem, LadderStep, MovedLesson } from './ladder-problem.ts'
import { agendaIn, type OwnCalendar } from './lesson-agenda.ts'
import { dayOf, localDateTimeFor, type Minute, midnightOf } from './local-time.ts'
import { type Occupant, occupantsOf } from './occupants.ts'
import { type Random, randomFrom } from './random.ts'
import { completed } from './steps.ts'

const MONDAY = midnightOf(dayOf('2026-05-04'))
const MAY_MOVE = 2

/** Invents a day on which one of a few instructors is away, with tight limits, short breaks, and shared cars. */
function inventedDay(seed: number): LadderProblem {
  const random = randomFrom(seed)
  const ids = ['away', 'a', 'b', 'c'].slice(0, random.pick([2, 3, 3, 4]))
  const hasCars = random.chance(0.3)
  const rules = new Map(
    ids.map((id) => [
      id,
      instructorWith({
        id,
        availability_windows: random.chance(0.3) ? [{ weekday: 1, start: '08:00', end: '12:00' }] : [],
        vacations: id === 'away' ? [{ start_date: '2026-05-04', end_date: '2026-05-04', note: null }] : [],
        max_daily_units: random.pick([null, 3, 4]),
        max_weekly_units: random.pick([null, null, 4]),
        required_break_minutes: random.pick([0, 0, 5, 15]),
        max_continuous_minutes: random.pick([null, null, 135, 180]),
      }),
    ]),
  )
  const booked: CountedAppointment[] = []
  const lessons: LadderLesson[] = []
  const students = ['s1', 's2', 's3', 's4', 's5', 's6', 's7']
  for (const instructor_id of ids)
    for (let start = 8 * 60; start < 12 * 60; ) {
      start += random.pick([0, 0, 15, 45])
      const minutes = random.pick([45, 45, 90])
      const times = {
        start_at: localDateTimeFor(MONDAY + start),
        end_at: localDateTimeFor(MONDAY + start + minutes),
      }
      const isFull = lessons.filter((one) => one.instructor_id === instructor_id).length >= 3
      const counts_toward_limits = random.chance(0.9)
      const free = students.filter(
        (id) =>
          !lessons.some(
            (one) => one.student_id === id && one.start_at < times.end_at && times.start_at < one.end_at,
          ),
      )
      const student_id = random.pick(free)
      start += minutes + (rules.get(instructor_id)?.required_break_minutes ?? 0)
      if (isFull || random.chance(0.3)) continue
      const id = `${instructor_id} ${times.start_at}`
      const vehicle_ids = hasCars && random.chance(0.5) ? ['car'] : []
      const lesson = { id, instructor_id, student_id, ...times, counts_toward_limits, vehicle_ids }
      booked.push(lesson)
      lessons.push({ ...lesson, only_in_the_dark: false, places: [] })
    }
  const placed = lessons.map((lesson) => ({ ...lesson, places: placesFor(lesson, ids, random) }))
  const find = ({ kind, id }: Occupant): OwnCalendar => {
    const own = placed.filter((one) => occupantsOf(one).some((other) => other.id === id))
    const thing = kind === 'vehicle' ? { id, active: true, absences: [] } : undefined
    return { rules: kind === 'instructor' ? rules.get(id) : undefined, thing, appointments: own }
  }
  return {
    affected: placed.filter(({ instructor_id }) => instructor_id === 'away'),
    others: placed.filter(({ instructor_id }) => instructor_id !== 'away' && random.chance(0.8)),
    calendars: { unit_minutes: 45, find },
    timezone: 'Europe/Berlin',
    darkness: undefined,
    now: MONDAY,
  }
}

/** Invents a few places for a lesson: with others at its own time, and at other times with some. */
function placesFor(lesson: LadderLesson, ids: readonly string[], random: Random): readonly LadderPlace[] {
  const [start, end] = [lesson.start_at, lesson.end_at].map(minuteIn) as [Minute, Minute]
  const vehicle_ids = lesson.vehicle_ids ?? []
  return ids.flatMap((instructor_id): readonly LadderPlace[] => {
    if (instructor_id === 'away') return []
    const from = start + random.pick([-90, -45, -15, 15, 45, 90])
    const later = { start: from, end: from + (end - start) + random.pick([0, 15]) }
    return [
      ...(random.chance(0.6) ? [{ instructor_id, vehicle_ids, hours: [{ start, end }] }] : []),
      ...(random.chance(0.6) ? [{ instructor_id, vehicle_ids: [], hours: [later] }] : []),
    ]
  })
}

function minuteIn(time: string): Minute {
  return MONDAY + Number(time.slice(11, 13)) * 60 + Number(time.slice(14))
}

type Placed = { readonly lesson: LadderLesson; readonly move: MovedLesson }

function timesOf({ lesson, move }: Placed): CountedAppointment {
  const minutes = minuteIn(lesson.end_at) - minuteIn(lesson.start_at)
  const times = { start_at: localDateTimeFor(move.start), end_at: localDateTimeFor(move.start + minutes) }
  return { id: lesson.id, ...times, counts_toward_limits: lesson.counts_toward_limits }
}

/** Returns the first reason against a placed lesson beside others, as the rules say without the ladder. */
function reasonAgainst(
  one: Placed,
  others: readonly Placed[],
  gone: ReadonlySet<string>,
  problem: LadderProblem,
) {
  const find = (occupant: Occupant): OwnCalendar | undefined => {
    const own = problem.calendars.find(occupant)
    if (!own) return undefined
    const stored = own.appointments.filter(({ id }) => !gone.has(id) && id !== one.lesson.id)
    const added = others.filter(({ lesson, move }) =>
      occupantsOf({ ...lesson, ...move.place }).some(({ id }) => id === occupant.id),
    )
    return { ...own, appointments: [...stored, ...added.map(timesOf)] }
  }
  const agenda = agendaIn({ ...one.lesson, ...one.move.place }, { ...problem.calendars, find })
  const { refusals, overrides_used } = verdictOn(timesOf(one), agenda)
  return refusals[0]?.code ?? overrides_used[0]
}

function goneIn({ affected }: LadderProblem, others: readonly LadderLesson[]): ReadonlySet<string> {
  return new Set([...affected, ...others].map(({ id }) => id))
}

function placesOf(lesson: LadderLesson): readonly Placed[] {
  const minutes = minuteIn(lesson.end_at) - minuteIn(lesson.start_at)
  return lesson.places.flatMap((place) =>
    place.hours.flatMap(({ start: from, end }) => {
      const starts: Minute[] = []
      if (end - from === minutes) starts.push(from)
      else for (let start = Math.ceil(from / 15) * 15; start + minutes <= end; start += 15) starts.push(start)
      return starts
        .filter(
          (start) => start !== minuteIn(lesson.start_at) || place.instructor_id !== lesson.instructor_id,
        )
        .map((start) => ({ lesson, move: { id: lesson.id, start, place } }))
    }),
  )
}

/** Returns the most affected lessons that can be saved with at most so many moves, by trying every way. */
function mostSaved(problem: LadderProblem, may_move: number): number {
  let best = 0
  const visit = (
    index: number,
    placed: readonly Placed[],
    others: readonly LadderLesson[],
    saved: number,
  ) => {
    const gone = goneIn(problem, others)
    const isFine = (one: Placed) =>
      reasonAgainst(
        one,
        placed.filter((other) => other !== one),
        gone,
        problem,
      ) === undefined
    if (index === others.length + problem.affected.length) {
      if (saved > best && placed.every(isFine)) best = saved
      return
    }
    if (saved + others.length + problem.affected.length - Math.max(index, others.length) <= best) return
    const isOther = index < others.length
    const lesson = isOther ? others[index] : problem.affected[index - others.length]
    if (!lesson) return
    for (const one of placesOf(lesson)) {
      if (placed.some((other) => isInTheWay(one, other))) continue
      visit(index + 1, [...placed, one], others, saved + Number(!isOther))
    }
    if (!isOther) visit(index + 1, placed, others, saved)
  }
  for (const others of setsOf(problem.others, may_move)) visit(0, [], others, 0)
  return best
}

function isInTheWay(one: Placed, other: Placed): boolean {
  const [a, b] = [one, other].map(timesOf).map(({ start_at, end_at }) => {
    return { start: minuteIn(start_at), end: minuteIn(end_at) }
  })
  return one.move.place.instructor_id === other.move.place.instructor_id && !!a && !!b && overlaps(a, b)
}

function setsOf(all: readonly LadderLesson[], most: number): readonly (readonly LadderLesson[])[] {
  if (most === 0) return [[]]
  const fewer = setsOf(all, most - 1)
  const larger = fewer
    .filter((set) => set.length === most - 1)
    .flatMap((set) => all.slice(all.indexOf(set.at(-1) as LadderLesson) + 1).map((one) => [...set, one]))
  return [...fewer, ...larger]
}

/** Moves the lessons of a step one after the other. Returns the reasons of those that may not. */
function refusedIn({ moved, saved }: LadderStep, problem: LadderProblem): readonly string[] {
  const lessons = new Map([...problem.affected, ...problem.others].map((one) => [one.id, one]))
  const all = [...moved, ...saved].map((move) => ({ lesson: lessons.get(move.id) as LadderLesson, move }))
  const gone = goneIn(
    problem,
    moved.map(({ id }) => lessons.get(id) as LadderLesson),
  )
  return all.flatMap((one, index) => reasonAgainst(one, all.slice(0, index), gone, problem) ?? [])
}

describe('ladderOf', () => {
  it('saves the most affected lessons that moving nobody, one or two others can, as trying every way shows', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), (seed) => {
        const problem = inventedDay(seed)
        const steps = completed(ladderOf(problem, MAY_MOVE))
        expect(steps.map(({ saved }) => saved.length)).toEqual(
          [0, 1, 2].map((most) => mostSaved(problem, most)),
        )
        for (const [most, step] of steps.entries()) {
          expect(step.moved.length).toBeLessThanOrEqual(most)
          expect(refusedIn(step, problem)).toEqual([])
        }
      }),
      { numRuns: 60 },
    )
  })
})
