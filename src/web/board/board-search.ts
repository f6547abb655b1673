import type { Appointment } from '../../contract/appointment.ts'
import type { Instructor } from '../../contract/instructor.ts'
import { isLocalDate, type LocalDate } from '../../domain/local-time.ts'
import { idIn } from '../ui/id-in.ts'

/** What the address of the board says. `show`: ids of instructors, in the order of their columns. */
export type BoardSearch = {
  readonly date?: LocalDate
  readonly view?: 'week'
  readonly instructor?: string
  readonly show?: string
  /** The lesson whose card is open. */
  readonly lesson?: string
}

/** What cannot be read is as if it were not there: addresses are typed, cut off and passed on. */
export function boardSearchIn(search: Readonly<Record<string, unknown>>): BoardSearch {
  const { date, view, show } = search
  return {
    date: typeof date === 'string' && isLocalDate(date) && date >= '2000' ? date : undefined,
    view: view === 'week' ? view : undefined,
    instructor: idIn(search.instructor),
    // The empty text is a choice too: nobody.
    show: typeof show === 'string' ? show : undefined,
    lesson: idIn(search.lesson),
  }
}

/** Who can have a column: who is active, or has still lessons on the day. */
export function choiceOf(
  instructors: readonly Instructor[],
  lessons: readonly Appointment[],
  date: LocalDate,
): readonly Instructor[] {
  const teachers = new Set(
    lessons.filter(({ start_at }) => start_at.startsWith(date)).map(({ instructor_id }) => instructor_id),
  )
  return instructors.filter(({ active, id }) => active || teachers.has(id))
}

/** Whose columns are shown: as chosen, or else all who can be, by name. */
export function shownInstructors(
  { show }: BoardSearch,
  choice: readonly Instructor[],
): readonly Instructor[] {
  const chosen = show?.split(',').flatMap((id) => choice.find((instructor) => instructor.id === id) ?? [])
  return chosen ?? choice
}

/** The address for a choice of columns; none if it is what is shown anyway. */
export function showFor(ids: readonly string[], choice: readonly Instructor[]): string | undefined {
  const usual = choice.map(({ id }) => id)
  return ids.join() === usual.join() ? undefined : ids.join()
}
