import type { Actor } from '../../contract/actor.ts'
import { notFound } from '../../contract/problem.ts'
import type { Database } from '../../db/schema/tables.ts'
import {
  PERSON_SECTIONS,
  type PersonRow,
  type PersonSection,
  readPersonRows,
} from '../../db/students/person-rows.ts'
import { readRestriction } from '../../db/students/restrictions.ts'

export type PersonDocument = {
  readonly generated_at: string
  readonly sections: readonly { readonly name: PersonSection; readonly rows: readonly PersonRow[] }[]
}

/** Returns all data of a student, deleted or not. Throws `not_found`, also if the student is restricted and the actor no owner. */
export async function personData(
  db: Database,
  { tenant, role, now }: Actor,
  id: string,
): Promise<PersonDocument> {
  const student = await readRestriction(db, tenant.id, id)
  if (!student || (student.is_restricted && role !== 'owner')) throw notFound()
  const sections = []
  for (const name of PERSON_SECTIONS)
    sections.push({ name, rows: await readPersonRows(db, tenant.id, id, name) })
  return { generated_at: now.toISOString(), sections }
}
