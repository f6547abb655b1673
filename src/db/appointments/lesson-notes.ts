import { type RawBuilder, sql } from 'kysely'
import type { Appointment } from '../../contract/appointment.ts'
import { NOTED_FIELDS, type NotedField } from '../../domain/appointment-fields.ts'
import { type ChangeEntry, changeEntryAfter } from '../log/changes.ts'
import type { Transaction } from '../schema/tables.ts'

export const ERASED_NAME = sql.lit('…')

export const noteIn = (field: NotedField) => sql<string | null>`${sql.ref(field)} ->> 'note'`

/** Returns updates that clear the notes in fields. Uses `jsonb`, which a cluster can compute in an update. */
export function withoutNotes(fields: readonly NotedField[] = NOTED_FIELDS) {
  const values = fields.map((name) => [name, sql`(${sql.ref(name)}::jsonb || '{"note": null}'::jsonb)::json`])
  return Object.fromEntries(values) as { readonly [Name in NotedField]?: RawBuilder<Appointment[Name]> }
}

type FoundText = { readonly resource_id: string; readonly text: string }
type Written = { readonly id: string; readonly version: number; readonly is_deleted: boolean }

export async function listLessonNotes(
  db: Transaction,
  tenantId: string,
  pattern: string,
): Promise<readonly (FoundText & { readonly resource: string; readonly field: string })[]> {
  const found = []
  for (const field of NOTED_FIELDS) {
    const { rows } = await sql<FoundText>`
      select id as resource_id, ${noteIn(field)} as text from appointments
      where tenant_id = ${tenantId} and ${noteIn(field)} ~* ${pattern} order by id`.execute(db)
    found.push(...rows.map((row) => ({ resource: 'appointment', field, ...row })))
  }
  return found
}

export async function eraseFromLessonNotes(
  db: Transaction,
  tenantId: string,
  pattern: string,
): Promise<ChangeEntry[]> {
  const entries: ChangeEntry[] = []
  for (const name of NOTED_FIELDS) {
    const column = sql.ref(name)
    const { rows: met } = await sql<{ id: string; note: string }>`
      select id, regexp_replace(${noteIn(name)}, ${pattern}, ${ERASED_NAME}, 'gi') as note from appointments
      where tenant_id = ${tenantId} and ${noteIn(name)} ~* ${pattern} order by id for update`.execute(db)
    for (const { id, note } of met) {
      const { rows } = await sql<Written & { readonly value: unknown }>`
        update appointments set ${column} = (${column}::jsonb || ${JSON.stringify({ note })}::jsonb)::json,
          updated_at = now(), version = version + case when deleted_at is not null then 0 else 1 end
        where tenant_id = ${tenantId} and id = ${id}
        returning id, version, deleted_at is not null as is_deleted, ${column} as value`.execute(db)
      for (const { version, is_deleted, value } of rows)
        if (!is_deleted)
          entries.push(changeEntryAfter('appointment', { id, version, fields: { [name]: value } }))
    }
  }
  return entries
}
