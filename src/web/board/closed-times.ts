import type { Instructor } from '../../contract/instructor.ts'
import type { BusyTime } from '../../domain/agenda.ts'
import { intervalOf, pieceOn } from '../../domain/interval.ts'
import {
  dayOf,
  daysLater,
  type LocalDate,
  localDateTimeFor,
  MINUTES_PER_DAY,
  midnightOf,
} from '../../domain/local-time.ts'
import { vacationWithin } from '../../domain/vacation.ts'
import { workingTimesOn } from '../../domain/working-times.ts'

/** A part of a day in which an instructor cannot be booked; `absence` is set during a vacation or an absence. */
export type ClosedTime = {
  readonly start_at: string
  readonly end_at: string
  readonly absence?: { readonly note: string | null }
  readonly isBusy?: true
}

/** Returns the day's times outside an instructor's windows, the absences, and the times in which the instructor is busy elsewhere. */
export function closedTimesOf(
  instructor: Instructor,
  date: LocalDate,
  busyTimes: readonly BusyTime[] = [],
): readonly ClosedTime[] {
  const vacation = vacationWithin(date, date, instructor.vacations)
  if (vacation) return [{ ...piece(date, 0, MINUTES_PER_DAY), absence: vacation }]
  const day = dayOf(date)
  const open = workingTimesOn(day, { ...instructor, absences: [] })
  const edges = [0, ...open.flatMap(({ start, end }) => [start, end]), MINUTES_PER_DAY]
  const closed = edges.flatMap((start, index) => {
    const end = edges[index + 1]
    return index % 2 === 0 && end !== undefined && start < end ? [piece(date, start, end)] : []
  })
  const absent = instructor.absences.flatMap((absence) => {
    const { start, end } = pieceOn(day, intervalOf(absence))
    return start < end ? [{ ...piece(date, start, end), absence }] : []
  })
  const busy = busyTimes.flatMap((time) => {
    const { start, end } = pieceOn(day, intervalOf(time))
    return start < end ? [{ ...piece(date, start, end), isBusy: true as const }] : []
  })
  return [...closed, ...absent, ...busy]
}

/** Whether the instructor works on the day: has a window for it or no windows at all, and no vacation. */
export function worksOn(instructor: Instructor, date: LocalDate): boolean {
  return workingTimesOn(dayOf(date), instructor).length > 0
}

/** The days in which to look for a working day: beyond, the board opens today. */
const DAYS_AHEAD = 14

/** Returns the first day from today on which an instructor works; today if there is none within two weeks. */
export function firstWorkingDay(today: LocalDate, instructors: readonly Instructor[]): LocalDate {
  const working = instructors.filter(({ active }) => active)
  const days = Array.from({ length: DAYS_AHEAD }, (_, ahead) => daysLater(today, ahead))
  return days.find((day) => working.some((instructor) => worksOn(instructor, day))) ?? today
}

function piece(date: LocalDate, start: number, end: number): ClosedTime {
  const midnight = midnightOf(dayOf(date))
  return { start_at: localDateTimeFor(midnight + start), end_at: localDateTimeFor(midnight + end) }
}
