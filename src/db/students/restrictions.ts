import { sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import type { Restriction } from '../../contract/erasure.ts'
import { blankOf } from '../../domain/fields.ts'
import { RECORD_FIELDS } from '../../domain/retention.ts'
import { STUDENT_FIELDS } from '../../domain/student-fields.ts'
import type { Parameters } from '../connection/statement.ts'
import { jsonList } from '../json-list.ts'
import { changeEntryAfter, recordChanges } from '../log/changes.ts'
import { nextVersion, utc } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'
import { BY_NAME, studentColumns } from './students.ts'

const RECORDED: ReadonlySet<string> = new Set(RECORD_FIELDS)

const BLANK = Object.fromEntries(
  Object.entries({
    ...blankOf(STUDENT_FIELDS),
    messages_consent: false,
    message_channel: 'mail',
    contacts: '[]',
  }).filter(([name]) => !RECORDED.has(name)),
)

const HOLD = { hold_reason: null, hold_until: null }

export const FIELDS_BESIDE_RECORD = [...Object.keys(BLANK), ...Object.keys(HOLD)]

/** Empties the fields of a locked student that the record does not need, hides the row, and records it. */
export async function restrictStudent(
  db: Transaction,
  actor: Actor,
  id: string,
  restriction: Restriction,
): Promise<void> {
  const { version } = await db
    .updateTable('students')
    .set({ ...BLANK, ...HOLD, restriction: JSON.stringify(restriction), ...nextVersion })
    .where('tenant_id', '=', actor.tenant.id)
    .where('id', '=', id)
    .returning('version')
    .executeTakeFirstOrThrow()
  await recordChanges(db, actor, [changeEntryAfter('student', { id, version, fields: { restriction } })])
}

/** Ends the restriction of a student, who stays deleted, and records it. Returns false if there is none. */
export async function liftRestriction(db: Transaction, actor: Actor, id: string): Promise<boolean> {
  const lifted = await db
    .updateTable('students')
    .set({ restriction: null, ...nextVersion })
    .where('tenant_id', '=', actor.tenant.id)
    .where('id', '=', id)
    .where('restriction', 'is not', null)
    .returning('version')
    .executeTakeFirst()
  if (!lifted) return false
  const { version } = lifted
  await recordChanges(db, actor, [
    changeEntryAfter('student', { id, version, fields: { restriction: null } }),
  ])
  return true
}

/** Returns whether a student is restricted; undefined for an unknown or erased one. */
export async function readRestriction(
  db: Database,
  tenantId: string,
  id: string,
): Promise<{ readonly is_restricted: boolean } | undefined> {
  return db
    .selectFrom('students')
    .select(sql<boolean>`restriction is not null`.as('is_restricted'))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Deletes the wishes of a student, and when the student can come. */
export async function deleteWishesOf(db: Transaction, tenantId: string, studentId: string): Promise<void> {
  for (const table of ['wishes', 'availability'] as const)
    await db.deleteFrom(table).where('tenant_id', '=', tenantId).where('student_id', '=', studentId).execute()
}

export const listRestrictedStudents = jsonList(
  BY_NAME,
  (db, { tenantId }: Parameters<{ tenantId: string }>) =>
    db
      .selectFrom('students')
      .select([...studentColumns, utc('deleted_at').as('deleted_at'), 'restriction'])
      .where('tenant_id', '=', tenantId)
      .where('restriction', 'is not', null),
)
