import { type RawBuilder, sql } from 'kysely'
import type { ContactChannel, SentChannel } from '../../domain/message-channels.ts'
import { isForContacts } from '../../domain/messages.ts'
import { type ClaimOptions, claimNext } from '../claim-order.ts'
import type { Database } from '../schema/tables.ts'
import { readStudentRecipients } from './message-facts.ts'
import { type MessageState, queueMessages } from './messages.ts'
import { finishWaiting, type WaitingMessage } from './waiting-messages.ts'

const KEPT_DAYS = 90

export type ClaimedMessage = Omit<WaitingMessage, 'channel'> & {
  readonly tenant_id: string
  readonly created_at: Date
  readonly channel: SentChannel
  readonly send_at: Date
  readonly attempts: number
  readonly claimed_at: Date
  readonly receiver: string
  readonly contact_name: string | null
  readonly to_address: string | null
}

/** Claims the next due message for `seconds`: schools in turn, and the messages of a school in the order of `send_at`. */
export function claimMessage(
  db: Database,
  { channel, ...options }: Required<ClaimOptions> & { readonly channel: SentChannel },
): Promise<ClaimedMessage | undefined> {
  const outbox = {
    table: 'messages',
    due: 'next_attempt_at',
    receiver: sql<string>`concat_ws(' ', tenant_id,
      case channel when 'push' then student_id::text when 'mail' then to_address end)`,
    isOpen: sql<boolean>`state = 'waiting' and channel = ${channel}`,
    order: sql`send_at, id`,
    set: sql`attempts = attempts + 1`,
    columns: sql`kind, student_id, instructor_id, set_id, lessons, params, worth_until, created_at, channel,
      contact_name, to_address, send_at, attempts, ${options.now} as claimed_at`,
  } as const
  return claimNext(db, outbox, options)
}

type Claim = Pick<ClaimedMessage, 'tenant_id' | 'id' | 'attempts'>

/** Marks a claimed message as being sent. Returns false if it has changed, or if messages of its school are yet to be derived. */
export async function holdMessage(
  db: Database,
  claimed: ClaimedMessage,
  isDerived: boolean,
): Promise<boolean> {
  const { tenant_id, id, attempts, lessons, params } = claimed
  const { rows } = await sql`update messages set claimed_until = next_attempt_at
    where tenant_id = ${tenant_id} and id = ${id} and attempts = ${attempts} and state = 'waiting'
      and (not ${isDerived}::boolean or lessons::jsonb = ${JSON.stringify(lessons)}::jsonb
        and params::jsonb is not distinct from ${params && JSON.stringify(params)}::jsonb
        and not exists (select from message_causes where message_causes.tenant_id = ${tenant_id}))
    returning id`.execute(db)
  return rows.length > 0
}

/** Queues a student's message, once, for each contact who gets messages too. They are decided on like the student's. */
export async function queueForContacts(
  db: Database,
  { tenant_id, id, student_id, contact_name, ...message }: ClaimedMessage,
): Promise<void> {
  if (student_id === null || contact_name !== null || !isForContacts(message.kind)) return
  const { contacts = [] } = (await readStudentRecipients(db, tenant_id, [student_id])).get(student_id) ?? {}
  const { kind, set_id, lessons, params, worth_until, claimed_at } = message
  const copies = contacts.map(({ name, channel, address }, at) => ({
    ...{ kind, student_id, lessons, worth_until, contact_name: name, channel, to_address: address },
    ...(set_id && { set_id }),
    ...(params && { params }),
    occasion: `contact ${id} ${at}`,
    send_at: claimed_at,
  }))
  if (copies.length > 0) await queueMessages(db, tenant_id, claimed_at, copies)
}

export async function finishMessage(
  db: Database,
  { tenant_id, id, attempts }: Claim,
  outcome: {
    readonly state: Exclude<MessageState, 'waiting'>
    readonly reason: string | null
    readonly to?: string | null
    readonly channel?: SentChannel
    readonly now: RawBuilder<Date>
  },
): Promise<void> {
  const { now, to, channel } = outcome
  await finishWaiting(db, tenant_id, now, outcome)
    .$if(to !== undefined, (query) => query.set({ to_address: to ?? null, ...(channel && { channel }) }))
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute()
}

/** Postpones a claimed message, optionally with the reason of a failure, a new time of sending, or another channel. */
export async function postponeMessage(
  db: Database,
  { tenant_id, id, attempts }: Claim,
  {
    until,
    reason = null,
    send_at,
    reach,
  }: {
    readonly until: Date | RawBuilder<Date>
    readonly reason?: string | null
    readonly send_at?: Date
    readonly reach?: ContactChannel
  },
): Promise<void> {
  await db
    .updateTable('messages')
    .set({
      reason,
      claimed_until: null,
      next_attempt_at: sql<Date>`least(${until}::timestamptz, worth_until)`,
      ...(send_at && { send_at }),
      ...(reach && { channel: reach.channel, to_address: reach.address }),
    })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'waiting')
    .execute()
}

const CAUSES_KEPT_DAYS = 7

/** Drops messages no longer worth sending, and deletes old finished messages and old causes. */
export async function purgeMessages(db: Database): Promise<void> {
  await sql`update messages set state = 'dropped', reason = case channel when 'call' then 'no_consent' else 'past' end, params = null, occasion = null,
      claimed_until = null, finished_at = now()
    where state = 'waiting' and worth_until < now() - interval '1 hour'`.execute(db)
  await sql`delete from messages where finished_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(db)
  await sql`delete from message_causes where at < now() - make_interval(days => ${CAUSES_KEPT_DAYS})`.execute(
    db,
  )
}
