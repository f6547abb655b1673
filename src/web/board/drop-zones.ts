import type { Appointment } from '../../contract/appointment.ts'
import { agendaFor, proposalFor } from '../../domain/counted.ts'
import { dailyAgendaFor } from '../../domain/daily-agenda.ts'
import { freeIntervalsOn } from '../../domain/free-intervals.ts'
import { type Interval, intervalOf, joined, minutesOf } from '../../domain/interval.ts'
import {
  dayOf,
  type LocalDate,
  localDateTimeFor,
  MINUTES_PER_DAY,
  type Minute,
  midnightOf,
} from '../../domain/local-time.ts'
import type { Draft, Rules } from '../lessons/verdict.ts'
import { STEP_MINUTES } from './calendar-options.ts'

/** A column of the board. */
export type Column = { readonly instructor_id: string; readonly date: LocalDate }

/** Returns every start in a column where the lesson could be dropped. Expects the lessons of the column's week. */
export function dropStartsIn(
  { instructor_id, date }: Column,
  moved: Draft,
  school: Rules,
  lessons: readonly Appointment[],
): readonly Minute[] {
  const instructor = school.instructor.get(instructor_id)
  if (!instructor) return []
  const day = dayOf(date)
  const { start, ...times } = intervalOf(moved)
  const minutes = times.end - start
  const range = { start: midnightOf(day), end: midnightOf(day + 1) + minutes }
  const { unit_minutes, timezone } = school.tenant
  const { lessonType: lessonTypes, vehicle: vehicles } = school
  const closed = school.days?.closed
  const books = { unit_minutes, instructor, closed, lessonTypes, vehicles, appointments: lessons }
  const within = { start_at: localDateTimeFor(range.start), end_at: localDateTimeFor(range.end) }
  const agenda = agendaFor({ ...moved, instructor_id, ...within }, books)
  const { counts_toward_limits } = proposalFor(moved, school.lessonType)
  const isOnGrid = start % STEP_MINUTES === 0
  return freeIntervalsOn(day, dailyAgendaFor(agenda), {
    minutes,
    counts_toward_limits,
    range,
    step: isOnGrid ? STEP_MINUTES : 1,
    with_overrides: true,
    timezone,
  })
    .map((freeInterval) => freeInterval.start)
    .filter((landing) => (landing - start) % STEP_MINUTES === 0)
}

/** Returns the minutes of the day that the dropped lesson could cover, joined. */
export function zonesIn(
  column: Column,
  moved: Draft,
  school: Rules,
  lessons: readonly Appointment[],
): readonly Interval[] {
  const midnight = midnightOf(dayOf(column.date))
  const minutes = minutesOf(intervalOf(moved))
  return joined(
    dropStartsIn(column, moved, school, lessons).map((start) => ({
      start: start - midnight,
      end: Math.min(start - midnight + minutes, MINUTES_PER_DAY),
    })),
  )
}

/** Returns the zones as a CSS background of a column that shows a range of minutes; amber on a holiday that warns. */
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
