import { isAbsent } from './absence.ts'
import {
  type Agenda,
  type CountedAppointment,
  type Occupancy,
  type TimedAppointment,
  timedByStart,
} from './agenda.ts'
import { isClosedOn } from './closed-days.ts'
import { type Interval, overlaps, without } from './interval.ts'
import { type Day, dayOfMinute, localDateFor, minuteOf, weekStartOf } from './local-time.ts'
import { DAYS_BESIDE } from './surroundings.ts'
import { timesWithin, workingTimesOn } from './working-times.ts'

type Pages = ReadonlyMap<Day, readonly TimedAppointment[]>

/** An instructor's agenda over a range, indexed by day. Built once for all days of a search. */
export type DailyAgenda = {
  readonly agenda: Agenda
  readonly ofInstructor: Pages
  readonly occupied: readonly OccupiedTimes[]
  /** The sets of things to choose from, such as vehicles; undefined if none is needed. */
  readonly choices: readonly (readonly OccupiedTimes[])[] | undefined
  /** Whether a day is known to have no free time that the search could find, for any student. */
  readonly isFullOn?: ((day: Day) => boolean) | undefined
}

export type OccupiedTimes = Omit<Occupancy, 'appointments'> & { readonly pages: Pages }

/** Indexes an agenda, which must be complete over the range and its surroundings. A lesson uses one of the `choices`. */
export function dailyAgendaFor(agenda: Agenda, choices?: DailyAgenda['choices']): DailyAgenda {
  return dailyAgendaOf(agenda, agenda.occupied.map(takenBy), choices)
}

export function dailyAgendaOf(
  agenda: Agenda,
  occupied: readonly OccupiedTimes[],
  choices?: DailyAgenda['choices'],
): DailyAgenda {
  const ofInstructor = occupied.find(({ kind }) => kind === 'instructor')?.pages ?? new Map()
  return { agenda, ofInstructor, occupied, choices }
}

export function takenBy({ appointments, ...one }: Occupancy): OccupiedTimes {
  return { ...one, pages: byDay(appointments) }
}

/** Returns the first set of things that are all free; empty if none is needed, undefined if no set is free. */
export function freeChoiceIn(
  interval: Interval,
  { choices }: DailyAgenda,
): readonly OccupiedTimes[] | undefined {
  if (!choices) return []
  const day = dayOfMinute(interval.start)
  const isFree = ({ thing, pages }: OccupiedTimes) =>
    thing?.active === true &&
    !isAbsent(thing, interval) &&
    !near(day, pages).some((one) => overlaps(one, interval))
  return choices.find((things) => things.every(isFree))
}

/**
 * Returns the instructor's sorted working minutes since the day's midnight, without times in which the instructor is busy
 * elsewhere, even if they would only be warned of; empty on vacations and closed days.
 */
export function openOn(
  day: Day,
  { agenda: { instructor, closed, busy_calendars = 'ignore' } }: DailyAgenda,
): readonly Interval[] {
  const date = localDateFor(day)
  if (closed && isClosedOn(date, closed)) return []
  const times = workingTimesOn(day, instructor)
  const { busy_times = [] } = instructor
  return busy_calendars === 'ignore' || busy_times.length === 0
    ? times
    : without(times, timesWithin(day, busy_times))
}

/** Returns, by start, the appointments that may overlap, neighbour or share a stretch with a proposal on the day. */
export function near(day: Day, pages: Pages): readonly TimedAppointment[] {
  return between(day - DAYS_BESIDE, day + DAYS_BESIDE, pages)
}

export function inWeekOf(day: Day, pages: Pages): readonly TimedAppointment[] {
  const monday = weekStartOf(day)
  return between(monday, monday + 6, pages)
}

/** Returns the agenda for a proposal that starts on the day and uses the things. */
export function agendaOn(
  day: Day,
  { agenda, occupied }: DailyAgenda,
  things: readonly OccupiedTimes[] = [],
): Agenda {
  const monday = weekStartOf(day)
  const [first, last] = [Math.min(monday, day - DAYS_BESIDE), Math.max(monday + 6, day + DAYS_BESIDE)]
  return {
    ...agenda,
    occupied: [...occupied, ...things].map(({ pages, ...one }) => {
      return { ...one, appointments: between(first, last, pages).map(({ source }) => source) }
    }),
  }
}

function byDay(appointments: readonly CountedAppointment[]): Pages {
  return Map.groupBy(timedByStart(appointments), ({ start }) => dayOfMinute(start))
}

function between(first: Day, last: Day, pages: Pages): readonly TimedAppointment[] {
  const found: TimedAppointment[] = []
  for (let day = first; day <= last; day += 1) found.push(...(pages.get(day) ?? []))
  return found
}

export function withAppointments(
  taken: OccupiedTimes,
  appointments: readonly CountedAppointment[],
): OccupiedTimes {
  if (appointments.length === 0) return taken
  const pages = new Map(taken.pages)
  for (const [day, added] of byDay(appointments))
    pages.set(
      day,
      [...(pages.get(day) ?? []), ...added].sort((a, b) => a.start - b.start),
    )
  return { ...taken, pages }
}

export function withoutAppointment(
  taken: OccupiedTimes,
  { id, start_at }: Pick<CountedAppointment, 'id' | 'start_at'>,
): OccupiedTimes {
  const day = dayOfMinute(minuteOf(start_at))
  const left = (taken.pages.get(day) ?? []).filter(({ source }) => source.id !== id)
  return { ...taken, pages: new Map(taken.pages).set(day, left) }
}
