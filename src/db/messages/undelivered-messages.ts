import { sql } from 'kysely'
import type { MessageChannel } from '../../domain/message-channels.ts'
import type { MessageKind, MessageLesson } from '../../domain/messages.ts'
import { type Parameters, statement } from '../connection/statement.ts'
import { utcText } from '../schema/columns.ts'
import type { Database } from '../schema/tables.ts'
import { INBOX_DAYS, type InboxBounds, type InboxReader, type News } from './inbox.ts'

/** The kinds of messages that can be sent again: the others contain secret addresses, which are not stored. */
const RESENT = sql`('booked', 'moved', 'cancelled', 'reminder')`

type UndeliveredRow = {
  readonly id: string
  readonly at: string
  readonly kind: MessageKind
  readonly student_id: string | null
  readonly instructor_id: string | null
  readonly lesson: MessageLesson | null
  readonly lessons: number
  readonly channel: MessageChannel
  readonly to: string | null
  readonly reason: string | null
  readonly may_resend: boolean
}

type Reading = Pick<InboxReader, 'tenantId' | 'own'>

/** Returns the messages that reached nobody and that somebody has to act on, the newest first. */
export async function listUndelivered(
  db: Database,
  { tenantId, own, moment }: InboxReader,
  bounds: InboxBounds,
): Promise<readonly News[]> {
  const rows = await selectUndelivered(db, { tenantId, own, moment, ...bounds })
  return rows.map(newsOf)
}

export async function countUndelivered(
  db: Database,
  { tenantId, own }: InboxReader,
  { since, limit }: { readonly since: string | undefined; readonly limit: number },
): Promise<number> {
  const [row] = await selectCount(db, { tenantId, own, since, limit })
  return Number(row?.count ?? 0)
}

/**
 * Queues a message that reached nobody once more, for the present address. Returns false if there is none that is still worth
 * sending.
 */
export async function requeueMessage(
  db: Database,
  tenantId: string,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('messages')
    .set({
      state: 'waiting',
      reason: null,
      finished_at: null,
      claimed_until: null,
      attempts: 0,
      send_at: now,
      next_attempt_at: now,
    })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where(sql<boolean>`state in ('failed', 'dropped') and kind in ${RESENT} and worth_until > ${now}`)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

function newsOf({ id, at, student_id, lesson, ...row }: UndeliveredRow): News {
  const { kind, channel, to, reason, lessons, may_resend, instructor_id } = row
  return {
    id,
    at,
    kind: 'message_undelivered',
    actor: { kind: 'system', id: null, name: '' },
    student_id,
    instructor_id: lesson?.instructor_id ?? instructor_id,
    lesson: lesson && {
      appointment_id: lesson.appointment_id,
      lesson_type_id: null,
      instructor_id: lesson.instructor_id,
      start_at: lesson.start_at,
      end_at: lesson.end_at,
    },
    was: null,
    freed: null,
    fee_percent: null,
    due: null,
    calendar: null,
    wish: null,
    request: null,
    message: { kind, channel, to, reason, lessons, may_resend },
  }
}

function undeliveredTo({ tenantId, own }: Parameters<Reading>) {
  const isOwn = own
    ? sql`(instructor_id = ${own}::uuid or exists (select from json_array_elements(lessons) lesson
        where lesson ->> 'instructor_id' = ${own}::text))`
    : sql`true`
  return sql`messages where tenant_id = ${tenantId}
    and (state = 'failed' or state = 'dropped' and reason in ('no_address', 'no_webhook', 'quiet', 'past'))
    and (state = 'failed' or reason = 'no_webhook' or kind in ('booked', 'moved', 'cancelled')
      or kind = 'availability' and reason <> 'no_address')
    and finished_at > now() - make_interval(days => ${sql.lit(INBOX_DAYS)}) and ${isOwn}`
}

const selectUndelivered = statement(
  (db, asked: Parameters<Reading & InboxBounds & { readonly moment: Date }>) => {
    const { after_at, after_id, limit, moment } = asked
    const time = after_at ? sql`(finished_at, id) < (${after_at}::timestamptz, ${after_id}::uuid)` : sql`true`
    return sql<UndeliveredRow>`select id, ${utcText(sql`finished_at`)} as at, kind, student_id, instructor_id,
        lessons -> 0 as lesson, json_array_length(lessons) as lessons, channel, to_address as "to", reason,
        kind in ${RESENT} and worth_until > ${moment}::timestamptz as may_resend
      from ${undeliveredTo(asked)} and ${time} order by finished_at desc, id desc limit ${limit}::integer`.compile(
      db,
    )
  },
)

type Counting = Reading & { readonly since?: string | undefined; readonly limit: number }

const selectCount = statement((db, asked: Parameters<Counting>) => {
  const { since, limit } = asked
  const time = since ? sql`finished_at > ${since}::timestamptz` : sql`true`
  return sql<{ count: string }>`select count(*) from (
    select from ${undeliveredTo(asked)} and ${time} limit ${limit}::integer) undelivered`.compile(db)
})
