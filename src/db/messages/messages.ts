import { type Selectable, sql } from 'kysely'
import type { Message } from '../../contract/message.ts'
import { newId } from '../../contract/new-id.ts'
import {
  type BY_CALL,
  type ContactChannel,
  isReachable,
  type MessageChannel,
} from '../../domain/message-channels.ts'
import type { MessageKind, MessageLesson } from '../../domain/messages.ts'
import type { Parameters } from '../connection/statement.ts'
import { jsonList } from '../json-list.ts'
import { utc, utcText } from '../schema/columns.ts'
import type { MessageParams, MessageTable } from '../schema/message-tables.ts'
import type { Database, Transaction } from '../schema/tables.ts'

const ROWS_A_STATEMENT = 500

const messageColumns = [
  'id',
  'kind',
  'to_address as to',
  'channel',
  'state',
  'reason',
  utc('send_at').as('send_at'),
  utcText(sql`case state when 'sent' then finished_at end`).as('sent_at'),
] as const

export type MessageState = 'waiting' | 'sent' | 'failed' | 'dropped'

export type MessageFilter = {
  readonly appointment_id?: string
  readonly student_id?: string
  readonly state?: MessageState
}

export const listMessages = jsonList(
  {
    from: 'messages',
    orderedBy: { id: 'uuid' },
    isNewestFirst: true,
    versionedBy: sql<string>`concat_ws(' ', state, attempts, reason, send_at, channel, to_address)`,
  },
  (db, values: Parameters<MessageFilter & { tenantId: string }>) => {
    const { tenantId, appointment_id, student_id, state } = values
    return db
      .selectFrom('messages')
      .select(messageColumns)
      .where('tenant_id', '=', tenantId)
      .$if(appointment_id !== undefined, (rest) =>
        rest.where(
          sql<boolean>`appointment_ids <> '[]' and appointment_ids @> jsonb_build_array(${appointment_id}::uuid)`,
        ),
      )
      .$if(student_id !== undefined, (rest) => rest.where(sql<boolean>`student_id = ${student_id}`))
      .$if(state !== undefined, (rest) => rest.where(sql<boolean>`state = ${state}`))
  },
)

export async function findMessage(db: Database, tenantId: string, id: string): Promise<Message | undefined> {
  return db
    .selectFrom('messages')
    .select(messageColumns)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export type NewMessage = {
  readonly kind: MessageKind
  readonly student_id?: string
  readonly instructor_id?: string
  readonly set_id?: string
  readonly lessons?: readonly MessageLesson[]
  readonly params?: MessageParams
  readonly occasion?: string
  readonly contact_name?: string
  readonly hasContacts?: boolean
  readonly channel: MessageChannel
  readonly to_address: string | null
  readonly send_at: Date
  readonly worth_until: Date
}

export function contactFields(
  contact: ((ContactChannel | typeof BY_CALL) & { readonly contacts?: readonly unknown[] }) | undefined,
): Pick<NewMessage, 'channel' | 'to_address' | 'hasContacts'> {
  const hasContacts = (contact?.contacts?.length ?? 0) > 0
  return { channel: contact?.channel ?? 'mail', to_address: contact?.address ?? null, hasContacts }
}

/** Queues messages, except for occasions that have one. Stores messages without an address as dropped. */
export async function queueMessages(
  db: Database,
  tenantId: string,
  now: Date,
  given: readonly NewMessage[],
): Promise<void> {
  const rows = given.map(
    ({ lessons = [], params = null, occasion = null, hasContacts = false, ...message }) => ({
      ...message,
      tenant_id: tenantId,
      id: newId(),
      student_id: message.student_id ?? null,
      instructor_id: message.instructor_id ?? null,
      contact_name: message.contact_name ?? null,
      set_id: message.set_id ?? null,
      appointment_ids: idsOf(lessons),
      lessons: JSON.stringify(lessons),
      // No worker attempts a call, which ends when it is no longer worth making.
      next_attempt_at: message.channel === 'call' ? message.worth_until : message.send_at,
      ...(hasContacts || isReachable({ channel: message.channel, address: message.to_address })
        ? { params: params && JSON.stringify(params), occasion }
        : { params: null, occasion, state: 'dropped' as const, reason: 'no_address', finished_at: now }),
    }),
  )
  for (let at = 0; at < rows.length; at += ROWS_A_STATEMENT)
    await db
      .insertInto('messages')
      .values(rows.slice(at, at + ROWS_A_STATEMENT))
      .onConflict((conflict) =>
        conflict.columns(['tenant_id', 'occasion']).where('occasion', 'is not', null).doNothing(),
      )
      .execute()
}

export async function tenantsWithDayPlans(db: Database): Promise<readonly string[]> {
  const { rows } = await sql<{
    id: string
  }>`select id from tenants where messages ->> 'day_plan' = 'true'`.execute(db)
  return rows.map(({ id }) => id)
}

export function idsOf(lessons: readonly MessageLesson[]): string {
  return JSON.stringify(lessons.map(({ appointment_id }) => appointment_id))
}

export function concerns(appointmentIds: readonly string[]) {
  const each = appointmentIds.map((id) => JSON.stringify([id]))
  return sql<boolean>`(appointment_ids <> '[]' and appointment_ids @> any(${each}::jsonb[]))`
}

export async function readSentNotices(
  db: Database,
  tenantId: string,
  appointmentIds: readonly string[],
): Promise<readonly Pick<Selectable<MessageTable>, 'kind' | 'student_id' | 'lessons'>[]> {
  if (appointmentIds.length === 0) return []
  return db
    .selectFrom('messages')
    .select(['kind', 'student_id', 'lessons'])
    .where('tenant_id', '=', tenantId)
    .where('state', '=', 'sent')
    .where('contact_name', 'is', null)
    .where(concerns(appointmentIds))
    .orderBy('finished_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function eraseMessagesOf(db: Transaction, tenantId: string, studentId: string): Promise<void> {
  await db
    .deleteFrom('messages')
    .where('tenant_id', '=', tenantId)
    .where('student_id', '=', studentId)
    .execute()
}
