import type { Appointment } from '../../contract/appointment.ts'
import { darknessFor } from '../../domain/daylight.ts'
import type { LocalDateTime } from '../../domain/local-time.ts'
import type { Warning } from '../../domain/warnings.ts'
import type { School } from '../ui/school.tsx'
import { warningsOn } from './warnings.ts'

const NAMED = ['class_not_taught', 'not_dark', 'no_student', 'too_early'] as const
type Named = (typeof NAMED)[number]

/** A warning about a stored lesson; the others apply only when booking. */
export type ComingWarning = Extract<Warning, { readonly code: Named }>

/** Returns warnings about a coming planned lesson, whose student or class may have changed since the booking. */
export function comingWarningsOf(
  lesson: Appointment,
  school: School,
  now: LocalDateTime,
): readonly ComingWarning[] {
  if (lesson.status !== 'planned' || lesson.start_at <= now) return []
  const warnings = warningsOn(lesson, school, {
    now,
    darkness: darknessFor(school.tenant),
    lessons: [],
    opening: [],
  })
  return warnings.filter((warning) => isNamed(warning))
}

function isNamed(warning: Warning): warning is ComingWarning {
  return NAMED.some((code) => code === warning.code)
}
