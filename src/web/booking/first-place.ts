import type { Appointment } from '../../contract/appointment.ts'
import type { Instructor } from '../../contract/instructor.ts'
import { darknessFor } from '../../domain/daylight.ts'
import { freeIntervalsOn } from '../../domain/free-intervals.ts'
import type { Interval } from '../../domain/interval.ts'
import { calendarOf } from '../../domain/listed-calendar.ts'
import {
  type Day,
  dateOf,
  dayOf,
  type LocalDate,
  type LocalDateTime,
  localDateFor,
  localDateTimeFor,
  MINUTES_PER_DAY,
  type Minute,
  midnightOf,
  minuteOf,
  minuteOfDay,
  type TimeOfDay,
  timeOf,
  weekStartOf,
} from '../../domain/local-time.ts'
import { listedSchool, type Rules } from '../lessons/verdict.ts'
import type { LessonForm } from './form.ts'

/** The hours of a day without working windows. */
const USUAL: Interval = { start: minuteOfDay('08:00'), end: MINUTES_PER_DAY }
const STEP_MINUTES = 15
/** The maximum number of days to try, to skip a past today and holidays. */
const MAX_DAYS = 14

/** The school's data for filling in; `read` returns the cached lessons around a Monday's week. */
export type FillContext = {
  readonly school: Rules & { readonly instructors: readonly Instructor[] }
  readonly read: (monday: LocalDate) => readonly Appointment[] | undefined
  readonly now: LocalDateTime
}

/**
 * Returns the first sensible start on a day: in working hours, not in the past, and free if the instructor is known. Today and
 * past days give way to a later one if necessary; undefined for a future day that is full.
 */
export function firstPlaceFor(
  form: LessonForm,
  context: FillContext,
): { readonly date: LocalDate; readonly start: TimeOfDay } | undefined {
  const [today, asked] = [dayOf(context.now), dayOf(form.date)]
  const days = Array.from({ length: asked > today ? 1 : MAX_DAYS }, (_, at) => Math.max(asked, today) + at)
  for (const day of days) {
    const start = firstStartOn(day, form, context)
    if (start !== undefined) return placeAt(start)
  }
  if (asked > today) return undefined
  return placeAt(Math.ceil(minuteOf(context.now) / STEP_MINUTES) * STEP_MINUTES)
}

function placeAt(start: Minute) {
  const start_at = localDateTimeFor(start)
  return { date: dateOf(start_at), start: timeOf(start_at) }
}

/** Returns the first start on a day. Without an instructor, any active one's working time counts, free or not. */
function firstStartOn(day: Day, form: LessonForm, { school, read, now }: FillContext): Minute | undefined {
  const chosen = school.instructor.get(form.instructor_id)
  const asked = chosen ? [chosen] : school.instructors.filter(({ active }) => active)
  const range = { start: midnightOf(day), end: midnightOf(day + 1) + form.minutes }
  const { timezone } = school.tenant
  const { instructor_id: _, lesson_type_id, student_id } = form
  const vehicle_ids = chosen ? form.vehicle_ids : []
  const { counts_toward_limits = true, only_in_the_dark } = school.lessonType.get(lesson_type_id) ?? {}
  const appointments = (chosen && read(localDateFor(weekStartOf(day)))) ?? []
  const calendar = calendarOf(listedSchool(school, appointments))
  const starts = asked.flatMap((instructor) => {
    const agenda = calendar.dailyAgendaFor({ instructor_id: instructor.id, student_id, vehicle_ids })
    const [interval] = freeIntervalsOn(day, agenda, {
      minutes: form.minutes,
      counts_toward_limits,
      range: { ...range, start: Math.max(range.start, minuteOf(now)) },
      hours: instructor.availability_windows.length === 0 ? USUAL : undefined,
      step: STEP_MINUTES,
      with_overrides: false,
      timezone,
      darkness: only_in_the_dark ? darknessFor(school.tenant) : undefined,
    })
    return interval ? [interval.start] : []
  })
  return starts.length > 0 ? Math.min(...starts) : undefined
}
