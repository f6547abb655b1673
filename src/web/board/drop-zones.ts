import type { Appointment } from '../../contract/appointment.ts'
import { timedAgendaOf, verdictOnTimed } from '../../domain/booking.ts'
import { proposalFor } from '../../domain/counted.ts'
import { agendaOn } from '../../domain/daily-agenda.ts'
import { freeIntervalsOn } from '../../domain/free-intervals.ts'
import { type Interval, intervalOf, joined, minutesOf } from '../../domain/interval.ts'
import { calendarOf } from '../../domain/listed-calendar.ts'
import {
  dayOf,
  type LocalDate,
  localDateTimeFor,
  MINUTES_PER_DAY,
  type Minute,
  midnightOf,
} from '../../domain/local-time.ts'
import { refusalsWith } from '../../domain/without-overrides.ts'
import { type LessonDraft, listedSchool, type Rules } from '../lessons/verdict.ts'
import { STEP_MINUTES } from './opening-hours.ts'

/** A column of the board, with the things that the lesson would have there if columns are things. */
export type BoardColumn = Pick<LessonDraft, 'instructor_id' | 'vehicle_ids'> & { readonly date: LocalDate }

/** The booked lessons of a column's week, and those of a plan, which are in the way of each other alone. */
export type Beside = {
  readonly lessons: readonly Appointment[]
  readonly ghosts?: { readonly lessons: readonly Appointment[]; readonly overrides: boolean } | undefined
}

/** Returns a function that lists every start in a column where the lesson could be dropped. */
export function dropStartsFor(
  moved: LessonDraft,
  school: Rules,
  beside: Beside,
): (column: BoardColumn) => readonly Minute[] {
  const plan = beside.ghosts?.lessons.some(({ id }) => id === moved.id) ? beside.ghosts : undefined
  const overrides = plan?.overrides ?? true
  const listed = listedSchool(school, [...beside.lessons, ...(plan?.lessons ?? [])])
  // A lesson may be dropped where the school is only warned.
  const busy_calendars = listed.busy_calendars === 'warn' ? 'ignore' : listed.busy_calendars
  const calendar = calendarOf({ ...listed, busy_calendars }, moved.id)
  const { start, ...times } = intervalOf(moved)
  const minutes = times.end - start
  const { counts_toward_limits } = proposalFor(moved, school.lessonType)
  const proposalAt = ({ start, end }: Interval) => {
    return { start_at: localDateTimeFor(start), end_at: localDateTimeFor(end), counts_toward_limits }
  }
  return ({ date, ...place }) => {
    if (!school.instructor.has(place.instructor_id)) return []
    const day = dayOf(date)
    const dailyAgenda = calendar.dailyAgendaFor({ ...moved, ...place })
    const ofDay = timedAgendaOf(agendaOn(day, dailyAgenda))
    // The search only estimates: the verdict decides.
    return freeIntervalsOn(day, dailyAgenda, {
      minutes,
      counts_toward_limits,
      range: { start: midnightOf(day), end: midnightOf(day + 1) + minutes },
      step: start % STEP_MINUTES === 0 ? STEP_MINUTES : 1,
      with_overrides: overrides,
      timezone: school.tenant.timezone,
    })
      .filter((landing) => (landing.start - start) % STEP_MINUTES === 0)
      .filter((landing) => {
        const verdict = verdictOnTimed({ ...landing, source: proposalAt(landing) }, ofDay)
        return refusalsWith(verdict, overrides).length === 0
      })
      .map((landing) => landing.start)
  }
}

/** Returns a function that lists the minutes of a column's day that the dropped lesson could cover, joined. */
export function zonesFor(
  moved: LessonDraft,
  school: Rules,
  beside: Beside,
): (column: BoardColumn) => readonly Interval[] {
  const dropStartsIn = dropStartsFor(moved, school, beside)
  const minutes = minutesOf(intervalOf(moved))
  return (column) => {
    const midnight = midnightOf(dayOf(column.date))
    return joined(
      dropStartsIn(column).map((start) => ({
        start: start - midnight,
        end: Math.min(start - midnight + minutes, MINUTES_PER_DAY),
      })),
    )
  }
}

/** Returns the zones as a CSS background of a column that shows a range of minutes; amber if a holiday only warns. */
export function paintOf(zones: readonly Interval[], { start, end }: Interval, isHoliday = false): string {
  const color = isHoliday ? 'var(--holiday)' : 'var(--landing)'
  const percent = (minute: number) => `${(((minute - start) / (end - start)) * 100).toFixed(3)}%`
  const stops = zones.flatMap((zone) => [
    `transparent ${percent(zone.start)}`,
    `${color} ${percent(zone.start)} ${percent(zone.end)}`,
    `transparent ${percent(zone.end)}`,
  ])
  return stops.length === 0 ? 'none' : `linear-gradient(to bottom, ${stops.join(', ')})`
}
