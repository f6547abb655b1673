import type { Former } from './agenda.ts'
import type { LocalDateTime } from './local-time.ts'
import { MAX_OPEN_APPOINTMENTS } from './ranges.ts'
import type { Refusal } from './refusal.ts'

/** Checks rule 9, which stops a program that books endlessly. Accepts an unknown number. */
export function tooManyRefusalFor(open_appointments = 0): Refusal | undefined {
  if (open_appointments < MAX_OPEN_APPOINTMENTS) return undefined
  return {
    code: 'too_many_appointments',
    params: { open_appointments, limit_appointments: MAX_OPEN_APPOINTMENTS },
  }
}

/** Refuses a lesson of a former student that would begin after the student was put away. */
export function formerRefusalFor(
  { start_at }: { readonly start_at: LocalDateTime },
  former: readonly Former[] = [],
): Refusal | undefined {
  const one = former.find(({ archived_at }) => start_at > archived_at)
  return one && { code: 'student_archived', params: one }
}
