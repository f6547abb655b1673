import type { Appointment } from '../../contract/appointment.ts'
import type { Instructor } from '../../contract/instructor.ts'
import { timedByStart } from '../../domain/agenda.ts'
import { countedIn } from '../../domain/counted.ts'
import { type LoadOfDayAndWeek, loadOn } from '../../domain/load.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import type { School } from '../ui/school.tsx'

/** Computes the load of an instructor's day and ISO week. `lessons` may include other instructors'. */
export function loadOf(
  instructor: Instructor,
  date: LocalDate,
  lessons: readonly Appointment[],
  { tenant, lessonType }: School,
): LoadOfDayAndWeek {
  const theirs = lessons.filter(({ instructor_id }) => instructor_id === instructor.id)
  const appointments = timedByStart(countedIn(theirs, lessonType))
  return loadOn(date, { instructor, unit_minutes: tenant.unit_minutes, appointments })
}
