import { type CountedAppointment, type Occupancy, type Timed, timed, timedByStart } from './agenda.ts'
import { skippedFaultsFor } from './appointment-times.ts'
import { verdictOnTimed } from './booking.ts'
import type { Interval } from './interval.ts'
import { agendaIn } from './lesson-agenda.ts'
import { localDateTimeFor, type Minute } from './local-time.ts'
import {
  type Choice,
  isProposed,
  type LockedLesson,
  type PlanAsk,
  type PlanCalendar,
  type PlanInstructor,
  type PlanLesson,
  type PlanLessonType,
  type PlanProblem,
  placeOf,
} from './plan-problem.ts'
import { gapPointsOf, pointsOf } from './plan-score.ts'
import type { RefusalCode } from './refusal.ts'
import { type MissingTravelTime, missingTravelTimeFor } from './travel.ts'
import { refusalsWith } from './without-overrides.ts'

const GRID_MINUTES = 15

type Sampling = { readonly every: number; readonly from: number }
const ALL: Sampling = { every: 1, from: 0 }

/** Returns the number of starts on the grid for the student's n-th lesson of the week. */
export function countStarts({ windows }: PlanAsk, nth: number): number {
  return windows.reduce((sum, { types, minutes, ...window }) => {
    const type = types[Math.min(nth, types.length - 1)]
    const starts = Math.floor((window.end - minutes - firstOnGrid(window)) / GRID_MINUTES) + 1
    return sum + Math.max(0, starts) * (type?.instructors.length ?? 0)
  }, 0)
}

function firstOnGrid({ start }: Interval): Minute {
  return Math.ceil(start / GRID_MINUTES) * GRID_MINUTES
}

/** The reason why a lesson cannot be proposed: a rule, a way, or another lesson that the student has from the same hours. */
export type Obstacle = RefusalCode | 'too_far' | 'same_hours'

/** A broken rule, or a way that is too long, with its numbers. */
export type PlanRefusal = {
  readonly code: RefusalCode | 'too_far'
  readonly params: Readonly<Record<string, unknown>>
}

/** The calendars of a school with the lessons proposed so far. */
export class PlanBoard {
  readonly #problem: PlanProblem
  readonly #calendars = new Map<string, PlanCalendar>()
  readonly #together = new Map<string, Pick<Choice, 'agenda' | 'calendars'>>()
  readonly #times = new Map<string, Timed<CountedAppointment>>()
  readonly #proposed = new Map<PlanAsk, readonly Choice[]>()
  #score = 0

  constructor(problem: PlanProblem) {
    this.#problem = problem
  }

  /** The score of the proposed lessons. */
  get score(): number {
    return this.#score
  }

  /** Returns the student's proposed lessons of the week by start. */
  proposedFor(ask: PlanAsk): readonly Choice[] {
    return this.#proposed.get(ask) ?? []
  }

  /** Returns the starts on the grid for the student's n-th lesson of the week, free or not: all, or every so many from one on. */
  *startsFor(ask: PlanAsk, nth: number, { every, from }: Sampling = ALL): Generator<Choice, void> {
    let skipped = every - 1 - from
    for (const window of ask.windows) {
      const type = window.types[Math.min(nth, window.types.length - 1)]
      for (const instructor of type?.instructors ?? []) {
        const { agenda, calendars } = this.#togetherOf({ ask, instructor })
        for (let start = firstOnGrid(window); start + window.minutes <= window.end; start += GRID_MINUTES) {
          skipped += 1
          if (skipped < every) continue
          skipped = 0
          const time = type && this.#timeAt(start, window.minutes, type)
          if (time) yield { ...time, ask, window, type, instructor, agenda, calendars }
        }
      }
    }
  }

  choiceOf({ time, ...lesson }: LockedLesson): Choice {
    return { ...timed(time), ...lesson, ...this.#togetherOf(lesson) }
  }

  obstacleTo(choice: Choice): Obstacle | undefined {
    const [refusal] = refusalsWith(verdictOnTimed(choice, choice.agenda), this.#problem.with_overrides)
    if (refusal) return refusal.code
    if (this.proposedFor(choice.ask).some(({ window }) => window === choice.window)) return 'same_hours'
    return this.#missingTimeFor(choice) ? 'too_far' : undefined
  }

  /** Returns every reason for which a lesson that is not proposed cannot be, in the order of the rules. */
  refusalsOf(choice: Choice): readonly PlanRefusal[] {
    const missing = this.#missingTimeFor(choice)
    return [
      ...refusalsWith(verdictOnTimed(choice, choice.agenda), this.#problem.with_overrides),
      ...(missing ? [{ code: 'too_far' as const, params: missing }] : []),
    ]
  }

  /** Whether no lesson overlaps the choice: answers most questions in a tenth of the time that the rules take. */
  hasRoomFor(choice: Choice): boolean {
    return choice.calendars.every((lessons) => {
      const { before, after } = besides(choice, lessons)
      return (!before || before.end <= choice.start) && (!after || after.start >= choice.end)
    })
  }

  /** Returns the points that a lesson that is not proposed would add to the score. */
  gainOf(choice: Choice): number {
    const proposed = this.proposedFor(choice.ask)
    const points = (all: readonly Choice[]) =>
      pointsOf(choice.ask, all, this.#problem).reduce((sum, one) => sum + one, 0)
    const { before, after } = besides(choice, choice.calendars[0])
    const beside = this.#gapPoints(before, choice) + this.#gapPoints(choice, after)
    return points(byStart([...proposed, choice])) - points(proposed) - beside + this.#gapPoints(before, after)
  }

  add(choice: Choice): void {
    this.#score += this.gainOf(choice)
    this.#proposed.set(choice.ask, byStart([...this.proposedFor(choice.ask), choice]))
    for (const lessons of choice.calendars) lessons.splice(positionIn(lessons, choice.start), 0, choice)
  }

  remove(choice: Choice): void {
    for (const lessons of choice.calendars) lessons.splice(lessons.indexOf(choice), 1)
    const left = this.proposedFor(choice.ask).filter((one) => one !== choice)
    this.#proposed.set(choice.ask, left)
    this.#score -= this.gainOf(choice)
  }

  /** Returns the score of each proposed lesson of the student's week. The scores of all lessons add up to the plan's. */
  scoresFor(ask: PlanAsk): readonly { readonly choice: Choice; readonly score: number }[] {
    const proposed = this.proposedFor(ask)
    const points = pointsOf(ask, proposed, this.#problem)
    return proposed.map((choice, index) => {
      const [lessons = []] = choice.calendars
      const at = lessons.indexOf(choice)
      const gaps =
        gapPointsOf(lessons[at - 1], choice, this.#problem) +
        gapPointsOf(choice, lessons[at + 1], this.#problem)
      return { choice, score: (points[index] ?? 0) - gaps }
    })
  }

  /** Returns the points that the proposed ones of two neighbours lose by the gap between them. */
  #gapPoints(before: PlanLesson | undefined, after: PlanLesson | undefined): number {
    const payers = Number(isProposed(before)) + Number(isProposed(after))
    return payers === 0 ? 0 : payers * gapPointsOf(before, after, this.#problem)
  }

  #missingTimeFor(choice: Choice): MissingTravelTime | undefined {
    const { travelTimes } = this.#problem
    const { location_id } = choice.instructor
    if (location_id === null || travelTimes.length === 0) return undefined
    const { before, after } = besides(choice, choice.calendars[0])
    const neighbours = [before, after].flatMap((one) =>
      one ? [{ ...one.source, location_id: placeOf(one, this.#problem) }] : [],
    )
    return missingTravelTimeFor({ ...choice.source, location_id, neighbours, travelTimes })
  }

  /** Returns the time for lessons of a type; undefined if the clocks skip it, or if it is too light. */
  #timeAt(start: Minute, minutes: number, { lesson_type_id, ...type }: PlanLessonType) {
    const key = `${lesson_type_id} ${start} ${minutes}`
    const known = this.#times.get(key)
    if (known) return known
    const end = start + minutes
    const times = { start_at: localDateTimeFor(start), end_at: localDateTimeFor(end) }
    if (skippedFaultsFor(times, this.#problem.timezone).length > 0) return undefined
    if (type.only_in_the_dark && this.#problem.darkness?.isDark({ start, end }) === false) return undefined
    const { counts_toward_limits } = type
    const time = { start, end, source: { id: key, ...times, counts_toward_limits } }
    this.#times.set(key, time)
    return time
  }

  #togetherOf({ ask, instructor }: { readonly ask: PlanAsk; readonly instructor: PlanInstructor }) {
    const { student_id } = ask
    const key = [student_id, instructor.instructor_id, ...instructor.vehicle_ids].join()
    const known = this.#together.get(key)
    if (known) return known
    const { occupied, student_open, ...agenda } = agendaIn(
      { ...instructor, student_id },
      this.#problem.calendars,
    )
    const own = occupied.map((one) => ({ ...one, appointments: this.#calendarOf(one) }))
    const [ofStudent] = own.filter(({ kind }) => kind === 'student')
    const together = {
      calendars: own.map(({ appointments }) => appointments),
      agenda: {
        ...agenda,
        occupied: own,
        get student_open() {
          const proposed = ofStudent?.appointments.filter(isProposed).length ?? 0
          return student_open === undefined ? undefined : student_open + proposed
        },
      },
    }
    this.#together.set(key, together)
    return together
  }

  #calendarOf({ id, appointments }: Occupancy): PlanCalendar {
    const known = this.#calendars.get(id) ?? [...timedByStart(appointments)]
    this.#calendars.set(id, known)
    return known
  }
}

function byStart(choices: readonly Choice[]): readonly Choice[] {
  return choices.toSorted((a, b) => a.start - b.start)
}

/** Returns the neighbours of a choice that is not in the calendar. */
function besides({ start }: Choice, lessons: PlanCalendar = []) {
  const at = positionIn(lessons, start)
  return { before: lessons[at - 1], after: lessons[at] }
}

/** Returns the index of the first lesson that does not start before a minute. */
function positionIn(lessons: PlanCalendar, start: Minute): number {
  let [low, high] = [0, lessons.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((lessons[middle]?.start ?? 0) < start) low = middle + 1
    else high = middle
  }
  return low
}
