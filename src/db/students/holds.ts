import type { Actor } from '../../contract/actor.ts'
import type { Hold } from '../../contract/retention.ts'
import { changeEntryAfter, recordChanges } from '../log/changes.ts'
import { nextVersion } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'

/** Returns the hold of a student, also of a deleted one; undefined if there is none. */
export async function findHold(db: Database, tenantId: string, id: string): Promise<Hold | undefined> {
  const row = await db
    .selectFrom('students')
    .select(['hold_reason as reason', 'hold_until as until'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('hold_reason', 'is not', null)
    .where('restriction', 'is', null)
    .executeTakeFirst()
  return row as Hold | undefined
}

/** Sets or, with null, ends the hold of a locked student, and records it. */
export async function setHold(db: Transaction, actor: Actor, id: string, hold: Hold | null): Promise<void> {
  const { fields, version } = await writeHold(db, actor, id, hold)
  await recordChanges(db, actor, [changeEntryAfter('student', { id, version, fields })])
}

type HoldMove = { readonly before: Hold | null; readonly after: Hold | null }

/** Changes the hold of a locked student, and records it with the hold before, so that an undo can restore that one. */
export async function moveHold(
  db: Transaction,
  actor: Actor,
  id: string,
  { before, after }: HoldMove,
): Promise<void> {
  const { fields, version } = await writeHold(db, actor, id, after)
  const entry = changeEntryAfter('student', { id, version, fields })
  await recordChanges(db, actor, [{ ...entry, before: { ...fieldsOf(before), ...entry.before } }])
}

async function writeHold(db: Transaction, { tenant }: Actor, id: string, hold: Hold | null) {
  const fields = fieldsOf(hold)
  const { version } = await db
    .updateTable('students')
    .set({ ...fields, ...nextVersion })
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', id)
    .returning('version')
    .executeTakeFirstOrThrow()
  return { fields, version }
}

function fieldsOf(hold: Hold | null) {
  return { hold_reason: hold?.reason ?? null, hold_until: hold?.until ?? null }
}
