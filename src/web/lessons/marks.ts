import type { TFunction } from 'i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { countedIn } from '../../domain/counted.ts'
import { dateOf, type LocalDateTime } from '../../domain/local-time.ts'
import { overLimitsOf } from '../../domain/over-limits.ts'
import type { School } from '../ui/school.tsx'
import { comingWarningsOf } from './coming-warnings.ts'
import { loadOf } from './load.ts'
import { meterOf } from './meter.ts'
import { absentVehicleFor, misplacedFor, misplacedText } from './misplaced.ts'

/**
 * Returns a function for the text that marks a lesson which cannot stay where it is or needs attention; empty for any other.
 * `lessons` are all those of the weeks whose limits count, or none.
 */
export function marksAmong(
  lessons: readonly Appointment[],
  school: School,
  now: LocalDateTime,
  t: TFunction,
): (lesson: Appointment) => string {
  const overLimits = limitTextsAmong(lessons, school, t)
  return (lesson) => {
    const instructor = school.instructor.get(lesson.instructor_id)
    const misplaced = instructor && misplacedFor(lesson, instructor, school.days?.closed)
    if (misplaced) return misplacedText(misplaced, t)
    const absent = absentVehicleFor(lesson, school)
    if (absent) return t('board.fallsOut', { name: absent.name })
    for (const warning of comingWarningsOf(lesson, school, now)) {
      if (warning.code === 'class_not_taught') return t('booking.doesNotTeach', warning.params)
      if (warning.code === 'not_dark') return t('mark.not_dark')
    }
    return lesson.status === 'planned' && lesson.start_at > now ? overLimits(lesson) : ''
  }
}

/** Returns a function for the load of the day or week whose limit a lesson exceeds; empty for any other. */
function limitTextsAmong(lessons: readonly Appointment[], school: School, t: TFunction) {
  const known = new Map<string, ReturnType<typeof overLimitsOf>>()
  const overOf = (id: string) => {
    const instructor = school.instructor.get(id)
    const { max_daily_units = null, max_weekly_units = null } = instructor ?? {}
    if (!instructor || (max_daily_units === null && max_weekly_units === null)) return undefined
    const theirs = lessons.filter(({ instructor_id }) => instructor_id === id)
    const appointments = countedIn(theirs, school.lessonType)
    const over =
      known.get(id) ?? overLimitsOf({ instructor, unit_minutes: school.tenant.unit_minutes, appointments })
    known.set(id, over)
    return over
  }
  return ({ id, instructor_id, start_at }: Appointment): string => {
    const period = overOf(instructor_id)?.get(id)
    const instructor = school.instructor.get(instructor_id)
    if (!period || !instructor) return ''
    return meterOf(loadOf(instructor, dateOf(start_at), lessons, school)[period], period, school, t).label
  }
}
