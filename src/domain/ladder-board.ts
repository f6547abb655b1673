import { type CountedAppointment, type Timed, type TimedAppointment, timed, timedByStart } from './agenda.ts'
import { skippedFaultsFor } from './appointment-times.ts'
import { type TimedAgenda, type Verdict, verdictOnTimed } from './booking.ts'
import { type Interval, minutesOf, overlaps } from './interval.ts'
import type { LadderLesson, LadderPlace, LadderProblem } from './ladder-problem.ts'
import { agendaIn } from './lesson-agenda.ts'
import { localDateTimeFor, type Minute } from './local-time.ts'
import { type Occupant, occupantsOf } from './occupants.ts'
import { surroundingsOf } from './surroundings.ts'

const GRID_MINUTES = 15

/** The appointments that verdicts may look at. If a ladder needs more, its steps are the best that were found. */
const MAX_WORK = 20_000_000

type OwnTimes = TimedAppointment[]

/** A lesson at a place and time to which it may be moved. */
export type LadderChoice = Timed<CountedAppointment> & {
  readonly lesson: LadderLesson
  readonly place: LadderPlace
  readonly agenda: TimedAgenda
  /** The calendars of all that it occupies, the instructor's first. */
  readonly calendars: readonly OwnTimes[]
}

/** A lesson that is not placed yet, with the choices that are free. */
export type OpenLesson = {
  readonly lesson: LadderLesson
  readonly choices: readonly LadderChoice[]
  /** Whether it must be placed: another lesson that has left its place. */
  readonly isOther: boolean
}

/** The calendars of a school without the lessons that cannot stay, and with those that have been placed again. */
export class LadderBoard {
  readonly #problem: LadderProblem
  readonly #affected: ReadonlySet<string>
  readonly #others: ReadonlyMap<string, LadderLesson>
  readonly #calendars = new Map<string, OwnTimes>()
  #work = 0

  constructor(problem: LadderProblem) {
    this.#problem = problem
    this.#affected = new Set(problem.affected.map(({ id }) => id))
    this.#others = new Map(problem.others.map((one) => [one.id, one]))
  }

  /** Returns every place and time to which a lesson may be moved, free or not: of each place, the nearest times first. */
  *choicesOf(lesson: LadderLesson): Generator<LadderChoice, void> {
    const own = timed(lesson)
    const { id, counts_toward_limits } = lesson
    for (const place of lesson.places) {
      const together = this.#togetherOf(lesson, place)
      const distanceTo = (start: Minute) => Math.abs(start - own.start)
      const starts = [...this.#startsIn(place, lesson, own)].sort((a, b) => distanceTo(a) - distanceTo(b))
      for (const start of starts) {
        const end = start + minutesOf(own)
        const times = { start_at: localDateTimeFor(start), end_at: localDateTimeFor(end) }
        if (skippedFaultsFor(times, this.#problem.timezone).length > 0) continue
        yield { start, end, source: { id, ...times, counts_toward_limits }, lesson, place, ...together }
      }
    }
  }

  /** The share of the work that a ladder may be: it is over at 1. */
  get progress(): number {
    return this.#work / MAX_WORK
  }

  verdictOn(choice: LadderChoice): Verdict {
    this.#work += 1 + (choice.calendars[0]?.length ?? 0)
    return verdictOnTimed(choice, choice.agenda)
  }

  /** Whether the lesson could be booked there now, without an override. */
  isFree(choice: LadderChoice): boolean {
    if (choice.calendars.some((times) => times.some((one) => overlaps(one, choice)))) return false
    const { refusals, overrides_used } = this.verdictOn(choice)
    return refusals.length === 0 && overrides_used.length === 0
  }

  /** Returns the smallest sets of other lessons without which a choice is free, each of at most so many. */
  *waysTo(choice: LadderChoice, most: number): Generator<readonly LadderLesson[], void> {
    const inTheWay = choice.calendars.flatMap((times) => times.filter((one) => overlaps(one, choice)))
    const first = [...new Set(inTheWay.map(({ source }) => this.#others.get(source.id)))]
    const known = first.filter((one) => one !== undefined)
    if (known.length < first.length || known.length > most) return
    const around = surroundingsOf(choice)
    const near = choice.calendars[0]?.filter((one) => overlaps(one, around)) ?? []
    const further = near
      .flatMap(({ source }) => this.#others.get(source.id) ?? [])
      .filter((one) => !known.includes(one))
    if (known.length < most && !this.#isFreeWithout([...known, ...further], choice)) return
    yield* this.#growing(known, further, choice, most)
  }

  place(choice: LadderChoice): void {
    for (const times of choice.calendars) times.splice(positionIn(times, choice.start), 0, choice)
  }

  remove({ source: { id }, calendars }: Pick<LadderChoice, 'source' | 'calendars'>): void {
    for (const times of calendars)
      times.splice(
        times.findIndex(({ source }) => source.id === id),
        1,
      )
  }

  /** Removes lessons from where they are booked while something is done. */
  *without<T>(lessons: readonly LadderLesson[], work: () => Generator<void, T>): Generator<void, T> {
    const restored = lessons.map((one) => this.#lift(one))
    const result = yield* work()
    for (const restore of restored) restore()
    return result
  }

  *#growing(
    set: readonly LadderLesson[],
    further: readonly LadderLesson[],
    choice: LadderChoice,
    most: number,
  ): Generator<readonly LadderLesson[], void> {
    if (this.#isFreeWithout(set, choice)) return yield set
    if (set.length === most) return
    for (const [index, one] of further.entries())
      yield* this.#growing([...set, one], further.slice(index + 1), choice, most)
  }

  #isFreeWithout(lessons: readonly LadderLesson[], choice: LadderChoice): boolean {
    const restored = lessons.map((one) => this.#lift(one))
    const isFree = this.isFree(choice)
    for (const restore of restored) restore()
    return isFree
  }

  #lift(lesson: LadderLesson): () => void {
    const own = occupantsOf(lesson).flatMap((one) => {
      const times = this.#calendarOf(one)
      const at = times?.findIndex(({ source }) => source.id === lesson.id) ?? -1
      return times && at >= 0 ? { times, removed: times.splice(at, 1) } : []
    })
    return () => {
      for (const {
        times,
        removed: [one],
      } of own)
        if (one) times.splice(positionIn(times, one.start), 0, one)
    }
  }

  *#startsIn({ instructor_id, hours }: LadderPlace, lesson: LadderLesson, own: Interval): Generator<Minute> {
    const { now, darkness } = this.#problem
    const minutes = minutesOf(own)
    for (const { start: from, end } of hours)
      for (const start of startsBetween(from, end - minutes)) {
        const isSameTime = start === own.start
        if (start <= now || (isSameTime && instructor_id === lesson.instructor_id)) continue
        const isDark = () => darkness?.isDark({ start, end: start + minutes }) !== false
        if (isSameTime || !lesson.only_in_the_dark || isDark()) yield start
      }
  }

  #togetherOf(lesson: LadderLesson, place: LadderPlace): Pick<LadderChoice, 'agenda' | 'calendars'> {
    const { occupied, student_open, ...agenda } = agendaIn({ ...lesson, ...place }, this.#problem.calendars)
    const own = occupied.map((one) => ({ ...one, appointments: this.#calendarOf(one) ?? [] }))
    // The lesson itself is one of the student's open ones.
    const open = student_open === undefined ? undefined : student_open - 1
    return {
      calendars: own.map(({ appointments }) => appointments),
      agenda: { ...agenda, occupied: own, student_open: open },
    }
  }

  #calendarOf(occupant: Occupant): OwnTimes | undefined {
    const known = this.#calendars.get(occupant.id)
    if (known) return known
    const own = this.#problem.calendars.find(occupant)
    if (!own) return undefined
    const times = [...timedByStart(own.appointments.filter(({ id }) => !this.#affected.has(id)))]
    this.#calendars.set(occupant.id, times)
    return times
  }
}

/** Returns the starts on the grid; the first one, if it is also the last. */
function* startsBetween(first: Minute, last: Minute): Generator<Minute> {
  if (first === last) return yield first
  for (let start = Math.ceil(first / GRID_MINUTES) * GRID_MINUTES; start <= last; start += GRID_MINUTES)
    yield start
}

/** Returns the index of the first appointment that does not start before a minute. */
function positionIn(times: readonly Interval[], start: Minute): number {
  const at = times.findIndex((one) => one.start >= start)
  return at < 0 ? times.length : at
}
