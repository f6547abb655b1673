import { type RawBuilder, sql } from 'kysely'
import type { MessageChannel } from '../../domain/message-channels.ts'
import type { MessageKind, MessageLesson } from '../../domain/messages.ts'
import { type Parameters, statement } from '../connection/statement.ts'
import { utcText } from '../schema/columns.ts'
import type { Database } from '../schema/tables.ts'
import { INBOX_DAYS, type InboxBounds, type InboxReader, type News } from './inbox.ts'

/** The kinds of messages that can be sent again: the others contain secret addresses, which are not stored. */
const RESENT = sql`('booked', 'moved', 'cancelled', 'reminder')`

const reachedNobody = sql`(state = 'failed' or state = 'dropped' and reason in ('no_address', 'no_webhook', 'quiet', 'past'))`

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
type ReadingAt = Reading & { readonly moment: Date }

/** Returns the messages that reached nobody and that somebody has to act on, and the calls that are due: of either the newest first. */
export async function listUndelivered(
  db: Database,
  { tenantId, own, moment }: InboxReader,
  bounds: InboxBounds,
): Promise<readonly News[]> {
  const asked = { tenantId, own, moment, ...bounds }
  const [undelivered, calls] = await Promise.all([selectUndelivered(db, asked), selectCalls(db, asked)])
  const rows = [...undelivered, ...calls]
  const reasons = await readReasonsOfCalls(db, tenantId, rows)
  return rows.map((row) => {
    const { channel, student_id } = row
    return newsOf(channel === 'call' ? { ...row, reason: reasons.get(student_id) ?? null } : row)
  })
}

/** Returns why students are called, by id. The messages are not joined: a Citus cluster keeps them on another node. */
async function readReasonsOfCalls(
  db: Database,
  tenantId: string,
  rows: readonly UndeliveredRow[],
): Promise<ReadonlyMap<string | null, string>> {
  const ids = rows.flatMap(({ channel, student_id }) =>
    channel === 'call' && student_id ? [student_id] : [],
  )
  if (ids.length === 0) return new Map()
  const students = await db
    .selectFrom('students')
    .select(['id', 'messages_consent'])
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()
  return new Map(
    students.map(({ id, messages_consent }) => [id, messages_consent ? 'no_address' : 'no_consent']),
  )
}

export async function countUndelivered(
  db: Database,
  { tenantId, own, moment }: InboxReader,
  { since, limit }: { readonly since: string | undefined; readonly limit: number },
): Promise<number> {
  const [row] = await selectCount(db, { tenantId, own, moment, since, limit })
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
    enquiry: null,
    wish: null,
    request: null,
    message: { kind, channel, to, reason, lessons, may_resend },
  }
}

function isOwn({ own }: Parameters<Reading>) {
  return own
    ? sql`(instructor_id = ${own}::uuid or exists (select from json_array_elements(lessons) lesson
        where lesson ->> 'instructor_id' = ${own}::text))`
    : sql`true`
}

function callsOf({ tenantId, moment, ...reader }: Parameters<ReadingAt>) {
  return sql`messages where tenant_id = ${tenantId} and state = 'waiting' and channel = 'call'
    and send_at <= ${moment}::timestamptz and worth_until > ${moment}::timestamptz and ${isOwn({ tenantId, ...reader })}`
}

function undeliveredTo({ tenantId, ...reader }: Parameters<Reading>) {
  return sql`messages where tenant_id = ${tenantId}
    and ${reachedNobody}
    and (state = 'failed' or reason = 'no_webhook' or kind in ('booked', 'moved', 'cancelled')
      or kind = 'availability' and reason <> 'no_address')
    and finished_at > now() - make_interval(days => ${sql.lit(INBOX_DAYS)}) and ${isOwn({ tenantId, ...reader })}`
}

const selectUndelivered = statement((db, asked: Parameters<ReadingAt & InboxBounds>) =>
  page(undeliveredTo(asked), sql.ref('finished_at'), asked).compile(db),
)

const selectCalls = statement((db, asked: Parameters<ReadingAt & InboxBounds>) =>
  page(callsOf(asked), sql.ref('send_at'), asked).compile(db),
)

function page(
  source: RawBuilder<unknown>,
  at: RawBuilder<unknown>,
  { after_at, after_id, limit, moment }: Parameters<InboxBounds & { readonly moment: Date }>,
) {
  const time = after_at ? sql`(${at}, id) < (${after_at}::timestamptz, ${after_id}::uuid)` : sql`true`
  return sql<UndeliveredRow>`select id, ${utcText(at)} as at, kind, student_id, instructor_id,
      lessons -> 0 as lesson, json_array_length(lessons) as lessons, channel, to_address as "to", reason,
      channel <> 'call' and kind in ${RESENT} and worth_until > ${moment}::timestamptz as may_resend
    from ${source} and ${time} order by ${at} desc, id desc limit ${limit}::integer`
}

type Counting = ReadingAt & { readonly since?: string | undefined; readonly limit: number }

const selectCount = statement((db, asked: Parameters<Counting>) => {
  const { since, limit } = asked
  const after = (time: RawBuilder<unknown>) => (since ? sql`${time} > ${since}::timestamptz` : sql`true`)
  return sql<{ count: string }>`select count(*) from (
    select from ${undeliveredTo(asked)} and ${after(sql.ref('finished_at'))}
    union all select from ${callsOf(asked)} and ${after(sql.ref('send_at'))}
    limit ${limit}::integer) undelivered`.compile(db)
})

/** Marks a call, or a message that reached nobody, as told by a person of the school. Returns false if there is none. */
export async function markTold(
  db: Database,
  tenantId: string,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('messages')
    .set({ ...BY_CALLING, finished_at: now })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where(sql<boolean>`(state = 'waiting' and channel = 'call' or ${reachedNobody})`)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

const BY_CALLING = { state: 'sent', channel: 'call', to_address: null, reason: null, params: null } as const
