import {
  type Agenda,
  type CountedAppointment,
  type Occupancy,
  type TimedAppointment,
  timedByStart,
} from './agenda.ts'
import type { TimedAgenda } from './booking.ts'
import {
  type DailyAgenda,
  dailyAgendaOf,
  type OccupiedTimes,
  takenBy,
  withAppointments,
  withoutAppointment,
} from './daily-agenda.ts'
import type { Interval } from './interval.ts'
import { agendaIn, type CalendarSource, type GroupLesson, type OwnCalendar } from './lesson-agenda.ts'
import { type LocalDateTime, localDateTimeFor } from './local-time.ts'
import { type Occupant, type Occupying, occupantsOf } from './occupants.ts'

export type PlacedLesson = Occupying & CountedAppointment

export type SchoolSource = CalendarSource & {
  /** Appointments that end later are open. Undefined if the open ones of students are not known. */
  readonly now?: LocalDateTime | undefined
}

type Difference = {
  readonly left: Set<string>
  readonly placed: Set<PlacedLesson>
  open: number
  own?: OwnCalendar | undefined
}

/** The calendars of a school over a range: as they are stored and, once lessons are removed or placed, as they would be. */
export class SchoolCalendar {
  #source: SchoolSource
  readonly #placed = new Map<string, PlacedLesson>()
  readonly #differences = new Map<string, Difference>()
  readonly #timed = new Map<string, Occupancy<TimedAppointment>>()
  readonly #taken = new Map<string, OccupiedTimes>()

  constructor(source: SchoolSource) {
    this.#source = source
  }

  /** Uses other calendars, such as those of a wider range. The lessons stay removed and placed. */
  reload(source: SchoolSource): void {
    this.#source = source
    for (const difference of this.#differences.values()) difference.own = undefined
    for (const remembered of [this.#timed, this.#taken]) remembered.clear()
  }

  /** Removes a lesson from where it is stored or placed. */
  remove(stored: PlacedLesson): void {
    const lesson = this.#placed.get(stored.id) ?? stored
    const isPlaced = this.#placed.delete(lesson.id)
    this.#change(lesson, -1, ({ placed, left }) => (isPlaced ? placed.delete(lesson) : left.add(lesson.id)))
    for (const { id } of occupantsOf(lesson)) {
      const taken = this.#taken.get(id)
      if (taken) this.#taken.set(id, withoutAppointment(taken, lesson))
    }
  }

  /** Adds a lesson that is not stored, or that was removed before. */
  place(lesson: PlacedLesson): void {
    this.#placed.set(lesson.id, lesson)
    this.#change(lesson, 1, ({ placed }) => placed.add(lesson))
    for (const { id } of occupantsOf(lesson)) {
      const taken = this.#taken.get(id)
      if (taken) this.#taken.set(id, withAppointments(taken, [lesson]))
    }
  }

  /** Returns the agenda of a lesson that is not among the others; with a range, only of appointments in it. */
  agendaFor(lesson: GroupLesson, range?: Interval): Agenda {
    const agenda = agendaIn(lesson, { ...this.#source, find: this.#find })
    if (!range) return agenda
    const [from, to] = [localDateTimeFor(range.start), localDateTimeFor(range.end)]
    const isIn = ({ start_at, end_at }: CountedAppointment) => start_at < to && end_at > from
    const occupied = agenda.occupied.map(({ appointments, ...one }) => {
      return { ...one, appointments: appointments.filter(isIn) }
    })
    return { ...agenda, occupied }
  }

  /** Returns an agenda like `agendaFor`. The appointments of each person and thing are parsed once. */
  timedAgendaFor(lesson: GroupLesson): TimedAgenda {
    const { occupied, ...agenda } = this.agendaFor(lesson)
    return { ...agenda, occupied: occupied.map((one) => cached(this.#timed, one.id, () => timedOf(one))) }
  }

  /** Returns the agenda of a lesson for each day, with the sets of things to choose from. */
  dailyAgendaFor(lesson: GroupLesson, choices?: readonly (readonly Occupant[])[]): DailyAgenda {
    const agenda = this.agendaFor(lesson)
    const taken = (one: Occupancy) => cached(this.#taken, one.id, () => takenBy(one))
    const chosen = (occupant: Occupant) => {
      const own = this.#find(occupant)
      return own ? [taken({ ...occupant, thing: own.thing, appointments: own.appointments })] : []
    }
    return dailyAgendaOf(
      agenda,
      agenda.occupied.map(taken),
      choices?.map((things) => things.flatMap(chosen)),
    )
  }

  readonly #find = (occupant: Occupant): OwnCalendar | undefined => {
    const stored = this.#source.find(occupant)
    const difference = this.#differences.get(occupant.id)
    if (!stored || !difference) return stored
    difference.own ??= changed(stored, difference)
    return difference.own
  }

  #change(lesson: PlacedLesson, by: 1 | -1, apply: (difference: Difference) => unknown): void {
    for (const { id } of occupantsOf(lesson)) {
      const difference = this.#differences.get(id) ?? { left: new Set(), placed: new Set(), open: 0 }
      apply(difference)
      if (lesson.end_at > (this.#source.now ?? '')) difference.open += by
      difference.own = undefined
      this.#differences.set(id, difference)
      this.#timed.delete(id)
    }
  }
}

function changed(stored: OwnCalendar, { left, placed, open }: Difference): OwnCalendar {
  const { open_appointments, appointments } = stored
  return {
    ...stored,
    appointments: [...appointments.filter(({ id }) => !left.has(id)), ...placed],
    open_appointments: open_appointments === undefined ? undefined : open_appointments + open,
  }
}

function timedOf({ appointments, ...one }: Occupancy): Occupancy<TimedAppointment> {
  return { ...one, appointments: timedByStart(appointments) }
}

function cached<T>(cache: Map<string, T>, id: string, compute: () => T): T {
  const known = cache.get(id)
  if (known !== undefined) return known
  const computed = compute()
  cache.set(id, computed)
  return computed
}
