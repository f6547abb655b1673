import type { Former } from './agenda.ts'
import type { LocalDateTime } from './local-time.ts'
import type { Refusal } from './refusal.ts'

/** Refuses a lesson of a former student that would begin after the student was put away. */
export function formerRefusalFor(
  { start_at }: { readonly start_at: LocalDateTime },
  former: readonly Former[] = [],
): Refusal | undefined {
  const one = former.find(({ archived_at }) => start_at > archived_at)
  return one && { code: 'student_archived', params: one }
}
