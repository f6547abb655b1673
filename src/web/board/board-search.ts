import type { Appointment } from '../../contract/appointment.ts'
import type { Instructor } from '../../contract/instructor.ts'
import { dateOf, daysLater, isLocalDate, type LocalDate, mondayOf } from '../../domain/local-time.ts'
import { idIn, textIn } from '../ui/id-in.ts'

/** The board's address. `show`: ids of instructors in column order, or `working` for those who work that day. */
export type BoardSearch = {
  readonly date?: LocalDate
  /** `week`: the week of one instructor; `team`: that of all; `plan`: the same with the lessons of a plan. */
  readonly view?: 'week' | 'team' | 'plan' | 'vehicles'
  /** Whether a day, or the week of an instructor, shows the lessons that a plan proposes. */
  readonly planned?: true
  readonly instructor?: string
  readonly show?: string
  /** The lesson whose card is open. */
  readonly lesson?: string
  /** A lesson that an assistant proposes. */
  readonly proposal?: string
}

const VIEWS = ['week', 'team', 'plan', 'vehicles'] as const

/** Parses the board's address and ignores invalid parts, since addresses are typed, cut off and passed on. */
export function boardSearchIn(search: Readonly<Record<string, unknown>>): BoardSearch {
  const { date, view, show, planned } = search
  return {
    date: typeof date === 'string' && isLocalDate(date) && date >= '2000' ? date : undefined,
    view: VIEWS.find((one) => one === view),
    planned: planned === true || undefined,
    instructor: idIn(search.instructor),
    // An empty text is valid: it shows no instructors.
    show: typeof show === 'string' ? show : undefined,
    lesson: idIn(search.lesson),
    proposal: textIn(search.proposal),
  }
}

/** Whether the board shows a week. */
export function isWeekIn({ view }: Pick<BoardSearch, 'view'>): boolean {
  return view === 'week' || view === 'team' || view === 'plan'
}

/** Returns the instructors who are active or still have lessons on the day. */
export function choiceOf(
  instructors: readonly Instructor[],
  teachers: ReadonlySet<string>,
): readonly Instructor[] {
  return instructors.filter(({ active, id }) => active || teachers.has(id))
}

/** Returns the ids of instructors with a lesson on the days, cancelled ones included. */
export function instructorsOn(
  lessons: readonly Appointment[],
  dates: readonly LocalDate[],
): ReadonlySet<string> {
  const days = new Set(dates)
  return new Set(
    lessons.filter(({ start_at }) => days.has(dateOf(start_at))).map(({ instructor_id }) => instructor_id),
  )
}

/** Returns the days from Monday to Sunday around a day. */
export function weekOf(date: LocalDate): readonly LocalDate[] {
  const monday = mondayOf(date)
  return [0, 1, 2, 3, 4, 5, 6].map((days) => daysLater(monday, days))
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
