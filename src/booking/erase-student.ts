import type { Actor } from '../contract/actor.ts'
import { forgetAccounts } from '../db/accounts/login-attempts.ts'
import { eraseFromAppointments, eraseFromLeftLessons } from '../db/appointment-sets.ts'
import { lockCalendars } from '../db/calendars/calendar-locks.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction, Outdated } from '../db/connection/transaction.ts'
import { erasePersonalTexts } from '../db/erase-personal-texts.ts'
import { eraseFromGroups } from '../db/groups.ts'
import { scrubKeptAnswers } from '../db/idempotency-keys.ts'
import { isInLog } from '../db/log/change-log.ts'
import { recordChanges, scrubStudent } from '../db/log/changes.ts'
import { forgetMailsTo } from '../db/mails.ts'
import { eraseMessagesOf } from '../db/messages.ts'
import { eraseFromOffers } from '../db/offers.ts'
import { findPersonalData, type PersonalData } from '../db/personal-data.ts'
import { listPersonalTexts, type PersonalText } from '../db/personal-texts.ts'
import type { Transaction } from '../db/schema/tables.ts'
import { deleteStudentRow, lockStudent } from '../db/students.ts'

export type Erasure = 'erased' | 'erased_before' | 'not_deleted' | 'not_agreed' | 'unknown'

export type ErasureResult = { readonly outcome: Erasure; readonly texts: readonly PersonalText[] }

class NotAgreed extends Error {
  readonly texts: readonly PersonalText[]

  constructor(texts: readonly PersonalText[]) {
    super('not agreed')
    this.texts = texts
  }
}

/**
 * Erases a deleted student: the row and every mention by name, address or number, also in the log. Lessons stay as evidence
 * of hours worked. Needs the database role that owns the tables. Changes texts about others only if `isAgreed`, since a name
 * may be an ordinary word.
 */
export async function eraseStudent(
  database: DatabasePool,
  actor: Actor,
  id: string,
  { isAgreed }: { readonly isAgreed: boolean },
): Promise<ErasureResult> {
  try {
    return await inTransaction(database, (db) => eraseLocked(db, actor, id, isAgreed))
  } catch (error) {
    if (!(error instanceof NotAgreed)) throw error
    return { outcome: 'not_agreed', texts: error.texts }
  }
}

async function eraseLocked(
  db: Transaction,
  actor: Actor,
  id: string,
  isAgreed: boolean,
): Promise<ErasureResult> {
  const tenantId = actor.tenant.id
  const seen = await findPersonalData(db, actor.tenant, id)
  const locked = new Set([...seen.calendarIds, id])
  await lockCalendars(db, tenantId, [...locked])
  const student = await lockStudent(db, tenantId, id)
  if (!student) {
    const isErased = await isInLog(db, tenantId, { resource: 'student', id })
    return { outcome: isErased ? 'erased_before' : 'unknown', texts: [] }
  }
  if (!student.deleted) return { outcome: 'not_deleted', texts: [] }
  const personalData = await findPersonalData(db, actor.tenant, id)
  if (!personalData.calendarIds.every((one) => locked.has(one))) throw new Outdated()
  return { outcome: 'erased', texts: await erasePersonalData(db, actor, { id, isAgreed, ...personalData }) }
}

/** Erases the log first, so that the erasure's own entry stays. Returns the changed texts about others. */
async function erasePersonalData(
  db: Transaction,
  actor: Actor,
  { id, isAgreed, left, pattern, emails }: PersonalData & { readonly id: string; readonly isAgreed: boolean },
): Promise<readonly PersonalText[]> {
  const tenantId = actor.tenant.id
  await scrubKeptAnswers(db, tenantId, id)
  await scrubStudent(db, tenantId, id)
  await eraseFromAppointments(db, actor, id)
  await eraseFromGroups(db, actor, id)
  await eraseFromLeftLessons(db, actor, left)
  await eraseFromOffers(db, tenantId, id)
  await deleteStudentRow(db, tenantId, id)
  const texts = pattern ? await listPersonalTexts(db, tenantId, pattern) : []
  if (texts.length > 0 && !isAgreed) throw new NotAgreed(texts)
  if (pattern) await erasePersonalTexts(db, actor, pattern)
  await forgetMailsTo(db, tenantId, emails)
  await eraseMessagesOf(db, tenantId, id)
  await forgetAccounts(db, emails)
  await recordChanges(db, actor, [
    { resource: 'student', resource_id: id, action: 'erased', before: null, after: null },
  ])
  return texts
}
