import { type RawBuilder, type Selectable, sql } from 'kysely'
import { BY_CALL, type ContactChannel, type MessageChannel } from '../../domain/message-channels.ts'
import { ACTION_KINDS } from '../../domain/messages.ts'
import type { MessageParams, MessageTable } from '../schema/message-tables.ts'
import type { Database, Transaction } from '../schema/tables.ts'
import { type MessageRecipient, readStudentRecipients } from './message-facts.ts'
import { concerns, idsOf, type MessageState } from './messages.ts'

export type WaitingMessage = Pick<
  Selectable<MessageTable>,
  'id' | 'kind' | 'channel' | 'student_id' | 'instructor_id' | 'set_id' | 'lessons' | 'params' | 'worth_until'
>

/** A message as locked for a change. */
export type LockedMessage = WaitingMessage & Pick<Selectable<MessageTable>, 'occasion' | 'send_at'>

const decided = [
  'id',
  'kind',
  'channel',
  'student_id',
  'instructor_id',
  'set_id',
  'lessons',
  'params',
  'worth_until',
  'occasion',
  'send_at',
] as const

/** Locks and returns the waiting messages about lessons or of sets, except those that are being sent. */
export async function lockWaitingMessages(
  db: Transaction,
  tenantId: string,
  {
    appointmentIds,
    setIds,
  }: { readonly appointmentIds: readonly string[]; readonly setIds: readonly string[] },
): Promise<readonly LockedMessage[]> {
  return waitingFor(db, tenantId)
    .where(sql<boolean>`(${concerns(appointmentIds)} or set_id = any(${setIds}::uuid[]))`)
    .execute()
}

/** Locks and returns the waiting reminders of students, or of all, except those that are being sent or were sent before. */
export async function lockWaitingReminders(
  db: Transaction,
  tenantId: string,
  studentIds: readonly string[] | undefined,
): Promise<readonly LockedMessage[]> {
  return waitingFor(db, tenantId)
    .where('kind', '=', 'reminder')
    .where('occasion', 'is not', null)
    .$if(studentIds !== undefined, (rest) =>
      rest.where(sql<boolean>`student_id = any(${studentIds}::uuid[])`),
    )
    .execute()
}

/** Locks and returns the waiting messages about what students did, except those that are being sent. */
export async function lockWaitingActions(
  db: Transaction,
  tenantId: string,
): Promise<readonly LockedMessage[]> {
  return waitingFor(db, tenantId)
    .where('kind', 'in', [...ACTION_KINDS])
    .execute()
}

export async function changeParams(
  db: Transaction,
  tenantId: string,
  { id, params }: { readonly id: string; readonly params: MessageParams },
): Promise<void> {
  await db
    .updateTable('messages')
    .set({ params: JSON.stringify(params) })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

function waitingFor(db: Transaction, tenantId: string) {
  return db
    .selectFrom('messages')
    .select(decided)
    .where('tenant_id', '=', tenantId)
    .where('state', '=', 'waiting')
    .where('claimed_until', 'is', null)
    .where('contact_name', 'is', null)
    .orderBy('id')
    .forUpdate()
}

/** Replaces the lessons of a locked message, which is sent at `send_at` then, if given. */
export async function changeLessons(
  db: Transaction,
  tenantId: string,
  {
    id,
    channel,
    lessons,
    send_at,
    worth_until,
  }: Pick<WaitingMessage, 'id' | 'lessons' | 'worth_until'> & {
    readonly channel?: MessageChannel
    readonly send_at: Date | null
  },
): Promise<void> {
  await db
    .updateTable('messages')
    .set({
      lessons: JSON.stringify(lessons),
      appointment_ids: idsOf(lessons),
      worth_until,
      ...(send_at && { send_at, next_attempt_at: channel === 'call' ? worth_until : send_at }),
    })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** The longest wait of a message that does not depend on the time of day. */
const LONGEST_GRACE = sql`interval '2 minutes'`

/** Keeps the times of day of a school's waiting messages after a correction of its time zone. */
export async function moveWaitingTimes(
  db: Transaction,
  tenantId: string,
  { from, to, now }: { readonly from: string; readonly to: string; readonly now: Date },
): Promise<void> {
  const moved = (time: RawBuilder<unknown>) =>
    sql`(${time} at time zone ${from}::text) at time zone ${to}::text`
  // On the right side of an assignment, columns have their old values.
  const timed = (time: RawBuilder<unknown>) =>
    sql`case when send_at > ${now}::timestamptz + ${LONGEST_GRACE} then ${moved(time)} else ${time} end`
  await sql`update messages set worth_until = ${moved(sql`worth_until`)},
      send_at = ${timed(sql`send_at`)}, next_attempt_at = ${timed(sql`next_attempt_at`)}
    where tenant_id = ${tenantId} and state = 'waiting' and claimed_until is null`.execute(db)
}

/** Drops a waiting message, so that another can be queued for its occasion. */
export async function dropMessage(
  db: Database,
  tenantId: string,
  id: string,
  { reason, now }: { readonly reason: string; readonly now: Date },
): Promise<void> {
  await finishWaiting(db, tenantId, now, { state: 'dropped', reason }).where('id', '=', id).execute()
}

export async function dropMessages(
  db: Database,
  tenantId: string,
  messages: readonly { readonly id: string }[],
  { reason, now }: { readonly reason: string; readonly now: Date },
): Promise<void> {
  const ids = messages.map(({ id }) => id)
  await finishWaiting(db, tenantId, now, { state: 'dropped', reason })
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()
}

/** Clears the occasions of students' dropped messages, so that others can be queued for them. */
export async function forgetDroppedOccasions(
  db: Transaction,
  tenantId: string,
  studentIds: readonly string[],
): Promise<void> {
  if (studentIds.length === 0) return
  await db
    .updateTable('messages')
    .set({ occasion: null })
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`student_id = any(${studentIds}::uuid[])`)
    .where('state', '=', 'dropped')
    .where('occasion', 'is not', null)
    .execute()
}

export async function readdressMessages(
  db: Transaction,
  tenantId: string,
  { id, channel, address, calledFor = [] }: Readdressed,
): Promise<void> {
  const isCall = sql`kind = any(${calledFor}::text[])`
  if (calledFor.length > 0) await readdress(db, tenantId, { id, ...BY_CALL }, isCall)
  await readdress(db, tenantId, { id, channel, address }, sql`not ${isCall}`)
}

type Readdressed = Pick<MessageRecipient, 'id' | 'channel' | 'address' | 'calledFor'>

async function readdress(
  db: Transaction,
  tenantId: string,
  { id, channel, address }: (ContactChannel | typeof BY_CALL) & { readonly id: string },
  which: RawBuilder<unknown>,
): Promise<void> {
  // A call is never due; as a message it is due at once.
  const due = (time: RawBuilder<Date>) =>
    channel === 'call' ? time : sql<Date>`case channel when 'call' then created_at else ${time} end`
  await db
    .updateTable('messages')
    .set({
      channel,
      to_address: address,
      send_at: due(sql`send_at`),
      next_attempt_at: channel === 'call' ? sql<Date>`worth_until` : due(sql`next_attempt_at`),
    })
    .where('tenant_id', '=', tenantId)
    .where('student_id', '=', id)
    .where('contact_name', 'is', null)
    .where('state', '=', 'waiting')
    .where(sql<boolean>`${which}`)
    .where(sql<boolean>`(channel, to_address) is distinct from (${channel}, ${address}::text)`)
    .execute()
}

export async function readdressMessagesOf(
  db: Transaction,
  tenantId: string,
  studentId: string,
): Promise<void> {
  const recipient = (await readStudentRecipients(db, tenantId, [studentId])).get(studentId)
  if (recipient) await readdressMessages(db, tenantId, recipient)
}

export async function withdrawLinkMessages(
  db: Transaction,
  tenantId: string,
  studentId: string,
  now: Date,
): Promise<void> {
  await finishWaiting(db, tenantId, now, { state: 'dropped', reason: 'withdrawn' })
    .where('student_id', '=', studentId)
    .where('kind', '=', 'link')
    .execute()
}

/** Returns the update that finishes a school's waiting messages. Dropping clears their occasions for other messages. */
export function finishWaiting(
  db: Database,
  tenantId: string,
  now: Date | RawBuilder<Date>,
  { state, reason }: { readonly state: Exclude<MessageState, 'waiting'>; readonly reason: string | null },
) {
  return db
    .updateTable('messages')
    .set({ state, reason, params: null, claimed_until: null, finished_at: now })
    .$if(state === 'dropped', (query) => query.set({ occasion: null }))
    .where('tenant_id', '=', tenantId)
    .where('state', '=', 'waiting')
}
