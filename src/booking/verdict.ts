import { notFound, refused } from '../contract/problem.ts'
import { type AgendaRequest, loadAgenda } from '../db/agenda.ts'
import type { Transaction } from '../db/tables.ts'
import { overridesUsedBy, refusalFor } from '../domain/booking.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { OverrideUsed } from '../domain/unit-limits.ts'

/** What the rules say: why not, or which overrides the appointment uses. */
export type Verdict = {
  readonly refusal: Refusal | undefined
  readonly overrides_used: OverrideUsed[]
  /** The name of the lesson type: the title of an appointment that has none. */
  readonly lesson_type_name: string
}

/**
 * Lets the rules decide about an appointment as it would stand. An acceptance holds only under the locks of the
 * instructor and the student, taken by statements before this one. Throws `not_found` for an unknown instructor or
 * lesson type.
 */
export async function verdictOn(
  db: Transaction,
  tenantId: string,
  standing: AgendaRequest,
): Promise<Verdict> {
  const loaded = await loadAgenda(db, tenantId, standing)
  if (!loaded) throw notFound()
  const { agenda, lesson_type } = loaded
  const proposal = { ...standing, counts_toward_limits: lesson_type.counts_toward_limits }
  const refusal = refusalFor(proposal, agenda)
  const overrides_used = refusal ? [] : [...overridesUsedBy(proposal, agenda)]
  return { refusal, overrides_used, lesson_type_name: lesson_type.name }
}

/** The overrides that the accepted appointment uses; throws the refusal's problem. */
export function requireAccepted({ refusal, overrides_used }: Verdict): OverrideUsed[] {
  if (refusal) throw refused(refusal)
  return overrides_used
}
