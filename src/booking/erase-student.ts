import type { Actor } from '../contract/actor.ts'
import { eraseFromAppointments, eraseFromLeftLessons } from '../db/appointment-sets.ts'
import { lockCalendars } from '../db/calendar-locks.ts'
import { isKnown } from '../db/change-log.ts'
import { recordChanges, scrubStudent } from '../db/changes.ts'
import { scrubKeptAnswers } from '../db/idempotency-keys.ts'
import { forgetAccounts } from '../db/login-attempts.ts'
import { forgetMailsTo } from '../db/mails.ts'
import { eraseMentions } from '../db/mentions.ts'
import type { DatabasePool } from '../db/pool.ts'
import { deleteStudentRow, lockStudent } from '../db/students.ts'
import type { Transaction } from '../db/tables.ts'
import { findTraces, type Traces } from '../db/traces.ts'
import { inTransaction, Outdated } from '../db/transaction.ts'

/** What became of it; all but `erased` mean that nothing is written. */
export type Erasure = 'erased' | 'erased_before' | 'not_deleted' | 'unknown'

/**
 * Erases a deleted student for good: the row, what the lessons say of it, and what else tells of it by name, address or number, in
 * the log of changes, too. The lessons stay, without the student: worked minutes are the instructor's evidence. Only the
 * owner of the tables may rewrite the log.
 */
export async function eraseStudent(database: DatabasePool, actor: Actor, id: string): Promise<Erasure> {
  const tenantId = actor.tenant.id
  return inTransaction(database, async (db) => {
    const seen = await findTraces(db, actor.tenant, id)
    const locked = new Set([...seen.instructorIds, id])
    await lockCalendars(db, tenantId, [...locked])
    const student = await lockStudent(db, tenantId, id)
    if (!student)
      return (await isKnown(db, tenantId, { resource: 'student', id })) ? 'erased_before' : 'unknown'
    if (!student.deleted) return 'not_deleted'
    const traces = await findTraces(db, actor.tenant, id)
    if (!traces.instructorIds.every((one) => locked.has(one))) throw new Outdated()
    await eraseTraces(db, actor, { id, ...traces })
    return 'erased'
  })
}

/** The log comes first: what it says then of the erasure itself stays in it. */
async function eraseTraces(
  db: Transaction,
  actor: Actor,
  { id, left, mentions, emails }: Traces & { readonly id: string },
): Promise<void> {
  const tenantId = actor.tenant.id
  await scrubKeptAnswers(db, tenantId, id)
  await scrubStudent(db, tenantId, id)
  await eraseFromAppointments(db, actor, id)
  await eraseFromLeftLessons(db, actor, left)
  await deleteStudentRow(db, tenantId, id)
  if (mentions) await eraseMentions(db, actor, mentions)
  await forgetMailsTo(db, tenantId, emails)
  await forgetAccounts(db, emails)
  await recordChanges(db, actor, [
    { resource: 'student', resource_id: id, action: 'erased', before: null, after: null },
  ])
}
