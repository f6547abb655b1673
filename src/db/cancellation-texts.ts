import { sql } from 'kysely'
import { type ChangeEntry, changeEntryAfter } from './log/changes.ts'
import type { Transaction } from './schema/tables.ts'

/** The replacement of an erased name. */
export const ERASED_NAME = sql.lit('…')

type FoundText = { readonly resource_id: string; readonly text: string }
type Written = { readonly id: string; readonly version: number; readonly is_deleted: boolean }

/** Lists the notes of cancellations that match the expression. */
export async function listInCancellations(
  db: Transaction,
  tenantId: string,
  pattern: string,
): Promise<readonly (FoundText & { readonly resource: string; readonly field: string })[]> {
  const { rows } = await sql<FoundText>`
    select id as resource_id, cancellation ->> 'note' as text from appointments
    where tenant_id = ${tenantId} and cancellation ->> 'note' ~* ${pattern} order by id`.execute(db)
  return rows.map((row) => ({ resource: 'appointment', field: 'cancellation', ...row }))
}

/** Takes out of the notes of cancellations what matches, and returns the changes to record. */
export async function eraseFromCancellations(
  db: Transaction,
  tenantId: string,
  pattern: string,
): Promise<ChangeEntry[]> {
  const { rows: met } = await sql<{ id: string; note: string }>`
    select id, regexp_replace(cancellation ->> 'note', ${pattern}, ${ERASED_NAME}, 'gi') as note from appointments
    where tenant_id = ${tenantId} and cancellation ->> 'note' ~* ${pattern} order by id for update`.execute(
    db,
  )
  const entries: ChangeEntry[] = []
  for (const { id, note } of met) {
    const { rows } = await sql<Written & { readonly cancellation: unknown }>`
      update appointments set cancellation = (cancellation::jsonb || ${JSON.stringify({ note })}::jsonb)::json,
        updated_at = now(), version = version + case when deleted_at is not null then 0 else 1 end
      where tenant_id = ${tenantId} and id = ${id}
      returning id, version, deleted_at is not null as is_deleted, cancellation`.execute(db)
    for (const { version, is_deleted, cancellation } of rows)
      if (!is_deleted)
        entries.push(changeEntryAfter('appointment', { id, version, fields: { cancellation } }))
  }
  return entries
}
