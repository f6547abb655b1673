import type { Assumed } from '../contract/assumed.ts'
import { notFound } from '../contract/problem.ts'
import type { LoadedAgendas } from '../db/calendars/agendas.ts'
import { hasInstructor } from '../db/instructors.ts'
import type { Database } from '../db/schema/tables.ts'
import type { Agenda } from '../domain/agenda.ts'
import { asStored, requireUsualVehicle } from './change-instructor.ts'

/** Throws `not_found` if the tenant lacks one of the instructors, or a vehicle that one shall have. */
export async function requireAssumed(db: Database, tenantId: string, assumed: Assumed = []): Promise<void> {
  for (const { instructor_id, change } of assumed) {
    if (!(await hasInstructor(db, tenantId, instructor_id))) throw notFound()
    await requireUsualVehicle(db, tenantId, change)
  }
}

/** Returns an agenda with the change of its instructor that is about to be stored; of several the last one. */
export function agendaAssuming(agenda: Agenda, assumed: Assumed | undefined): Agenda {
  const change = changeOf(agenda.instructor.id, assumed)
  return change ? { ...agenda, assumed: { ...agenda.instructor, ...asStored(change) } } : agenda
}

/** Returns loaded agendas with the changes of instructors that are about to be stored, and the classes that they will teach. */
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
