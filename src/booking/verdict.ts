import { notFound, refused } from '../contract/problem.ts'
import { type AgendaRequest, type CalendarVersions, loadAgenda } from '../db/agenda.ts'
import type { Database } from '../db/tables.ts'
import * as rules from '../domain/booking.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { OverrideUsed } from '../domain/unit-limits.ts'

/** What the rules say of one state of the calendars: why not, or which overrides the appointment uses. */
export type Verdict = {
  readonly refusal: Refusal | undefined
  readonly overrides_used: OverrideUsed[]
  /** The name of the lesson type: the title of an appointment that has none. */
  readonly lesson_type_name: string
  readonly calendars: CalendarVersions
}

/**
 * Lets the rules decide about an appointment as it would stand. A refusal may come from any state that was committed;
 * an acceptance holds only for calendars that are locked (`lockParticipants`) and as they were. Throws `not_found` for
 * an unknown instructor or lesson type.
 */
export async function verdictOn(db: Database, tenantId: string, standing: AgendaRequest): Promise<Verdict> {
  const loaded = await loadAgenda(db, tenantId, standing)
  if (!loaded) throw notFound()
  const { agenda, lesson_type, calendars } = loaded
  const proposal = { ...standing, counts_toward_limits: lesson_type.counts_toward_limits }
  const { refusals, overrides_used } = rules.verdictOn(proposal, agenda)
  return {
    refusal: refusals[0],
    overrides_used: [...overrides_used],
    lesson_type_name: lesson_type.name,
    calendars,
  }
}

/** The overrides that the accepted appointment uses; throws the refusal's problem. */
export function requireAccepted({ refusal, overrides_used }: Verdict): OverrideUsed[] {
  if (refusal) throw refused(refusal)
  return overrides_used
}
