import type { Appointment } from '../../contract/appointment.ts'
import type { Instructor } from '../../contract/instructor.ts'
import { isLocalDate, type LocalDate } from '../../domain/local-time.ts'
import { idIn } from '../ui/id-in.ts'

/** The board's address. `show`: ids of instructors in column order, or `working` for those who work that day. */
export type BoardSearch = {
  readonly date?: LocalDate
  readonly view?: 'week' | 'vehicles'
  readonly instructor?: string
  readonly show?: string
  /** The lesson whose card is open. */
  readonly lesson?: string
}

/** Parses the board's address and ignores invalid parts, since addresses are typed, cut off and passed on. */
export function boardSearchIn(search: Readonly<Record<string, unknown>>): BoardSearch {
  const { date, view, show } = search
  return {
    date: typeof date === 'string' && isLocalDate(date) && date >= '2000' ? date : undefined,
    view: view === 'week' || view === 'vehicles' ? view : undefined,
    instructor: idIn(search.instructor),
    // An empty text is valid: it shows no instructors.
    show: typeof show === 'string' ? show : undefined,
    lesson: idIn(search.lesson),
  }
}

/** Returns the instructors who are active or still have lessons on the day. */
export function choiceOf(
  instructors: readonly Instructor[],
  teachers: ReadonlySet<string>,
): readonly Instructor[] {
  return instructors.filter(({ active, id }) => active || teachers.has(id))
}

/** Returns the ids of instructors with a lesson on the day, cancelled ones included. */
export function instructorsOn(lessons: readonly Appointment[], date: LocalDate): ReadonlySet<string> {
  return new Set(
    lessons.filter(({ start_at }) => start_at.startsWith(date)).map(({ instructor_id }) => instructor_id),
  )
}

/** The value of `show` for instructors who work on the day shown. */
export const WORKING = 'working'

/** Returns the instructors with columns: the chosen ones, or all by name. */
export function shownInstructors(
  { show }: BoardSearch,
  choice: readonly Instructor[],
  isWorking: (instructor: Instructor) => boolean,
): readonly Instructor[] {
  if (show === WORKING) return choice.filter(isWorking)
  const chosen = show?.split(',').flatMap((id) => choice.find((instructor) => instructor.id === id) ?? [])
  return chosen ?? choice
}

/** Returns the `show` parameter for a choice of columns; undefined for the default. */
export function showFor(ids: readonly string[], choice: readonly Instructor[]): string | undefined {
  const usual = choice.map(({ id }) => id)
  return ids.join() === usual.join() ? undefined : ids.join()
}
