import { notFound, refused } from '../contract/problem.ts'
import { loadAgenda } from '../db/agenda.ts'
import type { AppointmentValues } from '../db/appointments.ts'
import { findLessonType } from '../db/lesson-types.ts'
import type { Transaction } from '../db/tables.ts'
import { overridesUsedBy, refusalFor } from '../domain/booking.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { OverrideUsed } from '../domain/unit-limits.ts'

/** An appointment as it would stand; with an id if it stands already and is being changed. */
export type Standing = Pick<
  AppointmentValues,
  'instructor_id' | 'student_id' | 'lesson_type_id' | 'start_at' | 'end_at'
> & { readonly id?: string }

export type Verdict = { readonly refusal: Refusal } | { readonly overrides_used: OverrideUsed[] }

/** Lets the rules decide. An acceptance holds only under the locks of the instructor and the student. */
export async function verdictOn(db: Transaction, tenantId: string, standing: Standing): Promise<Verdict> {
  const lessonType = await findLessonType(db, tenantId, standing.lesson_type_id)
  const agenda = await loadAgenda(db, tenantId, { ...standing, changing: standing.id })
  if (!lessonType || !agenda) throw notFound()
  const proposal = { ...standing, counts_toward_limits: lessonType.counts_toward_limits }
  const refusal = refusalFor(proposal, agenda)
  return refusal ? { refusal } : { overrides_used: [...overridesUsedBy(proposal, agenda)] }
}

/** The overrides that the accepted appointment uses; throws the refusal's problem. */
export async function requireAcceptance(
  db: Transaction,
  tenantId: string,
  standing: Standing,
): Promise<OverrideUsed[]> {
  const verdict = await verdictOn(db, tenantId, standing)
  if ('refusal' in verdict) throw refused(verdict.refusal)
  return verdict.overrides_used
}
