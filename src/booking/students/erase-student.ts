import { lockSession } from '../../auth/lock-session.ts'
import type { Actor } from '../../contract/actor.ts'
import type { Restriction } from '../../contract/erasure.ts'
import { notFound } from '../../contract/problem.ts'
import { forgetAccounts } from '../../db/accounts/login-attempts.ts'
import {
  emptyBesideRecord,
  eraseFromAppointments,
  eraseFromLeftLessons,
} from '../../db/appointments/appointment-sets.ts'
import { eraseFromGroups } from '../../db/appointments/groups.ts'
import { lockCalendars } from '../../db/calendars/calendar-locks.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction, Outdated } from '../../db/connection/transaction.ts'
import { scrubKeptAnswers } from '../../db/idempotency-keys.ts'
import { isInLog } from '../../db/log/change-log.ts'
import { type ChangeEntry, recordChanges, scrubBesideRecord, scrubStudent } from '../../db/log/changes.ts'
import { removeFromRounds } from '../../db/messages/availability-rounds.ts'
import { forgetMailsTo } from '../../db/messages/mails.ts'
import { eraseMessagesOf } from '../../db/messages/messages.ts'
import { eraseFromOffers } from '../../db/offers/offers.ts'
import type { Transaction } from '../../db/schema/tables.ts'
import { removeFromPlans } from '../../db/school/plans.ts'
import { deleteEnquiriesOf } from '../../db/students/enquiries.ts'
import { erasePersonalTexts } from '../../db/students/erase-personal-texts.ts'
import { isDouble, listDoublesOf } from '../../db/students/merged-rows.ts'
import { findPersonalData, type PersonalData } from '../../db/students/personal-data.ts'
import { listPersonalTexts, type PersonalText } from '../../db/students/personal-texts.ts'
import {
  deleteWishesOf,
  FIELDS_BESIDE_RECORD,
  liftRestriction,
  restrictStudent,
} from '../../db/students/restrictions.ts'
import { type RetainedStudent, readRetentionFacts } from '../../db/students/retention.ts'
import { listRowIdsOf } from '../../db/students/rows-of-students.ts'
import { deleteStudentRow, lockStudent } from '../../db/students/students.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import { isOnHold, type KeptReason, recordKeptUntil, retentionVerdict } from '../../domain/retention.ts'
import { localToday } from '../../domain/time-zone.ts'
import { retentionRulesOf } from '../packs/packs.ts'
import { hideStudent } from './delete-student.ts'

export type ErasureOutcome =
  | 'erased'
  | 'restricted'
  | 'erased_before'
  | 'not_deleted'
  | 'not_agreed'
  | 'on_hold'
  | 'not_due'
  | 'unknown'

export type ErasureResult = {
  readonly outcome: ErasureOutcome
  /** The texts about others that were changed, or have to be agreed on. */
  readonly texts: readonly PersonalText[]
  /** The last day on which the record must be kept; null while an enrolment is open. */
  readonly until?: LocalDate | null
  /** The reason why the student is not due. */
  readonly kept?: KeptReason
}

type ErasureOptions = {
  readonly isAgreed: boolean
  readonly hides?: boolean
  /** The reason to keep with the record, where the law wants one; without it, the record is erased in any case. */
  readonly reason?: string
  /** Whether to erase only a student whose time is over. */
  readonly isDueOnly?: boolean
  /** Records the result in the same transaction; called before the erasure, it returns the part for after it. */
  readonly record?: (db: Transaction) => Promise<(result: ErasureResult) => Promise<void>>
}

class NotAgreed extends Error {
  readonly texts: readonly PersonalText[]

  constructor(texts: readonly PersonalText[]) {
    super('not agreed')
    this.texts = texts
  }
}

/**
 * Erases a student: the row and every mention by name, address or number, also in the log, and the same of doubles that became
 * part of the student. Lessons stay as evidence of hours worked. With a reason, the training record stays as long as the law
 * wants it, and the student is restricted: only everything else goes. Needs the database role that owns the tables. Changes
 * texts about others only if `isAgreed`, since a name may be an ordinary word.
 */
export async function eraseStudent(
  database: DatabasePool,
  actor: Actor,
  id: string,
  options: ErasureOptions,
): Promise<ErasureResult> {
  try {
    return await inTransaction(database, async (db) => {
      const record = await options.record?.(db)
      const result = await eraseLocked(db, actor, id, options)
      await record?.(result)
      return result
    })
  } catch (error) {
    if (!(error instanceof NotAgreed)) throw error
    return { outcome: 'not_agreed', texts: error.texts }
  }
}

async function eraseLocked(
  db: Transaction,
  actor: Actor,
  id: string,
  { isAgreed, hides = false, reason, isDueOnly = false }: ErasureOptions,
): Promise<ErasureResult> {
  const tenantId = actor.tenant.id
  const doubles = await listDoublesOf(db, tenantId, id)
  const locked = new Set([id, ...doubles])
  for (const one of [id, ...doubles])
    for (const calendar of (await findPersonalData(db, actor.tenant, one)).calendarIds) locked.add(calendar)
  await lockCalendars(db, tenantId, [...locked])
  await lockSession(db, actor)
  const student = await lockStudent(db, tenantId, id, { withRestricted: true })
  if (!student) {
    const isErased = await isInLog(db, tenantId, { resource: 'student', id })
    return { outcome: isErased ? 'erased_before' : 'unknown', texts: [] }
  }
  if (!student.deleted && !hides) return { outcome: 'not_deleted', texts: [] }
  const facts = await requireFacts(db, actor, id)
  const held = [facts, ...(await factsOf(db, actor, doubles))].find((one) => isOnHold(one, todayOf(actor)))
  if (held) return { outcome: 'on_hold', texts: [], until: held.hold?.until ?? null }
  if (isDueOnly) {
    const verdict = retentionVerdict(facts, retentionRulesOf(actor.tenant.country), todayOf(actor))
    if (verdict?.kind === 'kept') return { outcome: 'not_due', texts: [], kept: verdict.reason }
    if (!verdict) return { outcome: 'not_due', texts: [] }
  }
  const dataOf = async (one: string) => {
    const found = await findPersonalData(db, actor.tenant, one)
    if (!found.calendarIds.every((calendar) => locked.has(calendar))) throw new Outdated()
    return { id: one, ...found }
  }
  const own = await dataOf(id)
  if (!student.deleted) await hideStudent(db, actor, student)
  const record = reason === undefined ? undefined : recordToKeep(actor, facts)
  if (reason !== undefined && record) {
    await eraseBesideRecord(db, actor, own, { id, reason, until: record.until })
    // Names stand in the record that is kept.
    for (const one of doubles) await erasePersonalData(db, actor, withoutNames(await dataOf(one)))
    return { outcome: 'restricted', texts: [], until: record.until }
  }
  const isOfOther = await isDouble(db, tenantId, id)
  const texts = await erasePersonalData(db, actor, isOfOther ? { ...own, ...UNKNOWN } : own)
  for (const one of doubles) texts.push(...(await erasePersonalData(db, actor, await dataOf(one))))
  if (texts.length > 0 && !isAgreed) throw new NotAgreed(texts)
  return { outcome: 'erased', texts }
}

/** The traits of a double, whose names and addresses are those of the student who stays. */
const UNKNOWN = { pattern: undefined, contactPattern: undefined, emails: [] }

function withoutNames<Data extends PersonalData>(data: Data): Data {
  return { ...data, pattern: data.contactPattern }
}

/** Returns the last day on which the law requires the student's record; undefined if it requires none any more. */
function recordToKeep(actor: Actor, facts: RetainedStudent): Pick<Restriction, 'until'> | undefined {
  const { record } = retentionRulesOf(actor.tenant.country)
  const until = record ? recordKeptUntil(facts, record) : undefined
  return until === undefined || (until !== null && until < todayOf(actor)) ? undefined : { until }
}

async function requireFacts(db: Transaction, actor: Actor, id: string): Promise<RetainedStudent> {
  const [facts] = await factsOf(db, actor, [id])
  if (!facts) throw notFound()
  return facts
}

async function factsOf(
  db: Transaction,
  actor: Actor,
  ids: readonly string[],
): Promise<readonly RetainedStudent[]> {
  const { id: tenantId, timezone } = actor.tenant
  return ids.length === 0 ? [] : readRetentionFacts(db, { tenantId, timezone, on: todayOf(actor), ids })
}

function todayOf({ now, tenant }: Actor): LocalDate {
  return localToday(now, tenant.timezone)
}

/** Erases all but the training record, and hides the student. Addresses and numbers in texts about others need no agreement. */
async function eraseBesideRecord(
  db: Transaction,
  actor: Actor,
  { contactPattern, emails }: PersonalData,
  { id, ...restriction }: Omit<Restriction, 'at'> & { readonly id: string },
): Promise<void> {
  const tenantId = actor.tenant.id
  await scrubKeptAnswers(db, tenantId, id)
  await scrubBesideRecord(db, tenantId, { id, fields: FIELDS_BESIDE_RECORD })
  await emptyBesideRecord(db, actor, id)
  await eraseFromOffers(db, tenantId, id)
  await removeFromPlans(db, tenantId, id)
  await removeFromRounds(db, tenantId, id)
  await deleteWishesOf(db, tenantId, id)
  await deleteEnquiriesOf(db, tenantId, { student_id: id, pattern: contactPattern })
  await restrictStudent(db, actor, id, { at: actor.now.toISOString(), ...restriction })
  if (contactPattern) await erasePersonalTexts(db, actor, contactPattern)
  await forgetMailsTo(db, tenantId, emails)
  await eraseMessagesOf(db, tenantId, id)
  await forgetAccounts(db, emails)
}

/** Ends a restriction; what is gone stays gone, and the student can be restored. Throws `not_found` if there is none. */
export async function endRestriction(database: DatabasePool, actor: Actor, id: string): Promise<void> {
  await inTransaction(database, async (db) => {
    await lockCalendars(db, actor.tenant.id, [id])
    await lockSession(db, actor)
    if (!(await liftRestriction(db, actor, id))) throw notFound()
  })
}

/** Erases the log first, so that the erasure's own entry stays. Returns the changed texts about others. */
async function erasePersonalData(
  db: Transaction,
  actor: Actor,
  { id, left, pattern, contactPattern, emails }: PersonalData & { readonly id: string },
): Promise<PersonalText[]> {
  const tenantId = actor.tenant.id
  await scrubKeptAnswers(db, tenantId, id)
  await scrubStudent(db, tenantId, id)
  await eraseFromAppointments(db, actor, id)
  await eraseFromGroups(db, actor, id)
  await eraseFromLeftLessons(db, actor, left)
  await eraseFromOffers(db, tenantId, id)
  await removeFromPlans(db, tenantId, id)
  await removeFromRounds(db, tenantId, id)
  const enrolments = await listRowIdsOf(db, tenantId, 'enrolments', id)
  const ticks = await listRowIdsOf(db, tenantId, 'ticks', id)
  const signatures = await listRowIdsOf(db, tenantId, 'signatures', id)
  await deleteEnquiriesOf(db, tenantId, { student_id: id, pattern: contactPattern })
  await deleteStudentRow(db, tenantId, id)
  const texts = pattern ? [...(await listPersonalTexts(db, tenantId, pattern))] : []
  if (pattern) await erasePersonalTexts(db, actor, pattern)
  await forgetMailsTo(db, tenantId, emails)
  await eraseMessagesOf(db, tenantId, id)
  await forgetAccounts(db, emails)
  await recordChanges(db, actor, [
    erased('student', id),
    ...enrolments.map((one) => erased('enrolment', one)),
    ...ticks.map((one) => erased('tick', one)),
    ...signatures.map((one) => erased('signature', one)),
  ])
  return texts
}

function erased(resource: ChangeEntry['resource'], resource_id: string): ChangeEntry {
  return { resource, resource_id, action: 'erased', before: null, after: null }
}
