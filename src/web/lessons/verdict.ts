import type { Appointment } from '../../contract/appointment.ts'
import type { Assumed } from '../../contract/assumed.ts'
import type { Instructor } from '../../contract/instructor.ts'
import type { LessonType } from '../../contract/lesson-type.ts'
import type { Tenant } from '../../contract/tenant.ts'
import type { Vehicle } from '../../contract/vehicle.ts'
import type { InstructorRules } from '../../domain/agenda.ts'
import { type TimeFault, timeFaultsFor } from '../../domain/appointment-times.ts'
import { type Verdict, verdictOn } from '../../domain/booking.ts'
import { proposalFor } from '../../domain/counted.ts'
import { contains, type Interval, intervalOf, overlaps } from '../../domain/interval.ts'
import { calendarOf, type ListedSchool } from '../../domain/listed-calendar.ts'
import {
  dateOf,
  dayOf,
  daysLater,
  isLocalDateTime,
  type LocalDate,
  mondayOf,
} from '../../domain/local-time.ts'
import { containsStretch, surroundingsOf, surroundingsOfWeek } from '../../domain/surroundings.ts'
import type { SchoolDays } from '../data/school-days.ts'

/** A lesson as wanted, with its id if it is stored. */
export type LessonDraft = Pick<
  Appointment,
  'instructor_id' | 'student_id' | 'lesson_type_id' | 'start_at' | 'end_at'
> & {
  readonly id?: string
  readonly vehicle_ids?: string[]
  readonly attendees?: Appointment['attendees']
  readonly seats?: number | null
  readonly location_id?: string | null
}

/** The first field missing for a check. */
export type MissingField = 'instructor' | 'type' | 'time' | TimeFault['code']

/** The school's data for the rules. */
export type Rules = {
  readonly tenant: Tenant
  readonly instructor: ReadonlyMap<string, Instructor>
  readonly lessonType: ReadonlyMap<string, LessonType>
  readonly vehicle?: ReadonlyMap<string, Vehicle>
  /** Unsaved changes of instructors in a form, which lessons must respect, too. */
  readonly assumed?: Assumed | undefined
  readonly days?: Pick<SchoolDays, 'closed' | 'busy'> | undefined
}

/** The loaded lessons, and the range in which none is missing. */
export type LoadedLessons = { readonly lessons: readonly Appointment[]; readonly range: Interval }

export function missingFieldIn(
  draft: LessonDraft,
  { instructor, lessonType, tenant }: Rules,
): MissingField | undefined {
  const { start_at, end_at } = draft
  if (!instructor.has(draft.instructor_id)) return 'instructor'
  if (!lessonType.has(draft.lesson_type_id)) return 'type'
  if (!isLocalDateTime(start_at) || !isLocalDateTime(end_at)) return 'time'
  return timeFaultsFor({ start_at, end_at }, tenant.timezone)[0]?.code
}

/** Returns an instructor with unsaved changes; undefined if there are none. */
function assumedOf(instructor: Instructor, { assumed }: Pick<Rules, 'assumed'>): InstructorRules | undefined {
  const change = assumed?.find(({ instructor_id }) => instructor_id === instructor.id)?.change
  if (!change) return undefined
  const { vacations = instructor.vacations, absences = instructor.absences, ...rules } = change
  return {
    ...instructor,
    ...rules,
    vacations: vacations.map((one) => ({ ...one, note: one.note ?? null })),
    absences: absences.map((one) => ({ ...one, note: one.note ?? null })),
  }
}

/** Returns the verdict on a complete draft; undefined if it depends on lessons that are not loaded. */
export function verdictFor(
  draft: LessonDraft,
  { lessons, range }: LoadedLessons,
  school: Rules,
): Verdict | undefined {
  if (!school.instructor.has(draft.instructor_id) || !contains(range, surroundingsOf(intervalOf(draft))))
    return undefined
  const agenda = calendarOf(listedSchool(school, lessons), draft.id).agendaFor(draft)
  return containsStretch(agenda, draft, range)
    ? verdictOn(proposalFor(draft, school.lessonType), agenda)
    : undefined
}

/** Returns the data for calendars. */
export function listedSchool(school: Rules, appointments: readonly Appointment[]): ListedSchool {
  const { tenant, days, lessonType: lessonTypes, vehicle: things } = school
  const { unit_minutes, busy_calendars } = tenant
  const rulesOf = (id: string) => {
    const instructor = school.instructor.get(id)
    const rules = instructor && { ...instructor, busy_times: days?.busy.get(id)?.times }
    return { rules, assumed: rules && assumedOf(rules, school) }
  }
  return { unit_minutes, busy_calendars, closed: days?.closed, rulesOf, lessonTypes, things, appointments }
}

/** The verdict from the loaded lessons; undefined while a relevant week is missing. */
export type LocalVerdict = {
  readonly verdict: Verdict | undefined
  readonly lessons: readonly Appointment[]
  /** The Mondays of all relevant weeks, loaded or not. */
  readonly weeks: readonly LocalDate[]
}

/** A function that returns the lessons around a Monday's week, if loaded. */
type Read = (monday: LocalDate) => readonly Appointment[] | undefined

/** Checks a complete draft against its week, and against neighbouring weeks if a stretch without a break extends into them. */
export function localVerdictFor(draft: LessonDraft, school: Rules, read: Read): LocalVerdict {
  const monday = mondayOf(dateOf(draft.start_at))
  const weeks = [monday]
  let loaded = loadedLessonsOf(monday, read)
  if (!school.instructor.has(draft.instructor_id)) return { verdict: undefined, lessons: [], weeks }
  for (let beside = 7; loaded; beside += 7) {
    const verdict = verdictFor(draft, loaded, school)
    if (verdict) return { verdict, lessons: loaded.lessons, weeks }
    const neighbours = [daysLater(monday, -beside), daysLater(monday, beside)]
    weeks.push(...neighbours)
    for (const neighbour of neighbours) loaded = loaded && extended(loaded, loadedLessonsOf(neighbour, read))
  }
  return { verdict: undefined, lessons: [], weeks }
}

function loadedLessonsOf(monday: LocalDate, read: Read): LoadedLessons | undefined {
  const lessons = read(monday)
  return lessons && { lessons, range: surroundingsOfWeek(dayOf(monday)) }
}

/** Returns the lessons joined with a neighbouring week's; undefined if either is missing. */
function extended(
  { lessons, range }: LoadedLessons,
  neighbour: LoadedLessons | undefined,
): LoadedLessons | undefined {
  return (
    neighbour && {
      lessons: [...lessons, ...neighbour.lessons.filter((lesson) => !overlaps(intervalOf(lesson), range))],
      range: {
        start: Math.min(range.start, neighbour.range.start),
        end: Math.max(range.end, neighbour.range.end),
      },
    }
  )
}
