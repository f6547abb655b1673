import type { Assumed } from '../contract/assumed.ts'
import { notFound } from '../contract/problem.ts'
import type { LoadedAgendas } from '../db/calendars/agendas.ts'
import { hasInstructor } from '../db/instructors.ts'
import type { Database } from '../db/schema/tables.ts'
import type { Agenda } from '../domain/agenda.ts'
import { asStored, requireReferences } from './change-instructor.ts'

/** Throws `not_found` if the tenant lacks one of the instructors or one of their vehicles. */
export async function requireAssumed(db: Database, tenantId: string, assumed: Assumed = []): Promise<void> {
  for (const { instructor_id, change } of assumed) {
    if (!(await hasInstructor(db, tenantId, instructor_id))) throw notFound()
    await requireReferences(db, tenantId, change)
  }
}

/** Applies a pending change of the instructor to an agenda. If there are several, the last one wins. */
export function agendaAssuming(agenda: Agenda, assumed: Assumed | undefined): Agenda {
  const change = changeOf(agenda.instructor.id, assumed)
  return change ? { ...agenda, assumed: { ...agenda.instructor, ...asStored(change) } } : agenda
}

export function agendasAssuming(loaded: LoadedAgendas, assumed: Assumed | undefined): LoadedAgendas {
  const instructors = loaded.instructors.map(({ agenda, license_classes, ...one }) => ({
    ...one,
    agenda: agendaAssuming(agenda, assumed),
    license_classes: changeOf(agenda.instructor.id, assumed)?.license_classes ?? license_classes,
  }))
  return { ...loaded, instructors }
}

function changeOf(id: string, assumed: Assumed = []): Assumed[number]['change'] | undefined {
  return assumed.findLast(({ instructor_id }) => instructor_id.toLowerCase() === id)?.change
}
