import type { Instructor } from '../../contract/instructor.ts'
import { dayOf, isLocalDate, type LocalDate, localDateFor, weekStartOf } from '../../domain/local-time.ts'

/** What the address of the board says. `show`: ids of instructors, in the order of their columns. */
export type BoardSearch = {
  readonly date?: LocalDate
  readonly view?: 'week'
  readonly instructor?: string
  readonly show?: string
  /** The lesson whose card is open. */
  readonly lesson?: string
}

export function boardSearchIn(search: Readonly<Record<string, unknown>>): BoardSearch {
  const { date, view, instructor, show, lesson } = search
  return {
    ...(typeof date === 'string' && isLocalDate(date) && date >= '2000' ? { date } : {}),
    ...(view === 'week' ? { view } : {}),
    ...(typeof instructor === 'string' ? { instructor } : {}),
    ...(typeof show === 'string' && show !== '' ? { show } : {}),
    ...(typeof lesson === 'string' ? { lesson } : {}),
  }
}

/** Whose columns are shown: as chosen, or else all who are active, by name. */
export function shownInstructors(
  { show }: BoardSearch,
  instructors: readonly Instructor[],
): readonly Instructor[] {
  const active = instructors.filter((instructor) => instructor.active)
  const chosen = show?.split(',').flatMap((id) => active.find((instructor) => instructor.id === id) ?? [])
  return chosen ?? active
}

/** The address for a choice of columns; none if it is what is shown anyway. */
export function showFor(ids: readonly string[], instructors: readonly Instructor[]): string | undefined {
  const usual = shownInstructors({}, instructors).map(({ id }) => id)
  return ids.join() === usual.join() ? undefined : ids.join()
}

export function mondayOf(date: LocalDate): LocalDate {
  return localDateFor(weekStartOf(dayOf(date)))
}

export function shifted(date: LocalDate, days: number): LocalDate {
  return localDateFor(dayOf(date) + days)
}

/** The ISO number of the week. */
export function weekNumberOf(date: LocalDate): number {
  const thursday = weekStartOf(dayOf(date)) + 3
  const firstOfYear = dayOf(`${localDateFor(thursday).slice(0, 4)}-01-01`)
  return Math.floor((thursday - firstOfYear) / 7) + 1
}
