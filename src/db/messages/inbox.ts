import { type RawBuilder, sql } from 'kysely'
import { type InboxEntry, InboxEntrySchema } from '../../contract/inbox.ts'
import { ScheduleRequestSchema } from '../../contract/schedule-request.ts'
import { WishSchema } from '../../contract/wish.ts'
import type { LocalDateTime } from '../../domain/local-time.ts'
import { isCountedRow } from '../appointments/appointment-conditions.ts'
import { type Parameters, statement } from '../connection/statement.ts'
import { columnsOf, selectionOf, utc } from '../schema/columns.ts'
import type { Database } from '../schema/tables.ts'

export const INBOX_DAYS = 30

/** The reader of an inbox: instructors (`own`) get the news of their own lessons and students. */
export type InboxReader = {
  readonly tenantId: string
  readonly own?: string | undefined
  readonly reader: string | null
  readonly now: LocalDateTime
  readonly moment: Date
}

export type InboxBounds = {
  readonly after_at?: string | undefined
  readonly after_id?: string | undefined
  readonly limit: number
}

/** An entry without `is_new`, which depends on the reader's place. */
export type News = Omit<InboxEntry, 'is_new'>

/** Returns the news in the log of changes, the newest first. */
export async function listNews(
  db: Database,
  { moment: _, ...reader }: InboxReader,
  bounds: InboxBounds,
): Promise<readonly News[]> {
  return selectNews(db, { ...reader, ...bounds })
}

/** Counts the news in the log since a time, without confirmations, up to a limit. */
export async function countNews(
  db: Database,
  { moment: _, now: __, ...reader }: InboxReader,
  { since, limit }: { readonly since: string | undefined; readonly limit: number },
): Promise<number> {
  const [row] = await selectCount(db, { ...reader, since, limit })
  return Number(row?.count ?? 0)
}

export async function readInboxSeen(
  db: Database,
  tenantId: string,
  userId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select(utc('inbox_seen_at').as('seen_until'))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.seen_until ?? undefined
}

/** Moves a user's place in the inbox forward, never back. */
export async function markInboxSeen(
  db: Database,
  tenantId: string,
  { userId, until }: { readonly userId: string; readonly until: string },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ inbox_seen_at: sql<Date>`greatest(inbox_seen_at, ${until}::timestamptz)` })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', userId)
    .execute()
}

const KINDS = sql`case
  when resource = 'wish' and action = 'created' then 'student_wish'
  when resource = 'schedule_request' and action = 'created' then 'schedule_request'
  when resource = 'schedule_request' and after ->> 'status' in ('accepted', 'declined') then 'request_decided'
  when resource <> 'appointment' then null
  when action = 'created' then 'offer_taken'
  when action <> 'changed' then null
  when after ->> 'status' = 'cancelled' then 'student_cancelled'
  when after ->> 'start_at' is not null then 'student_moved'
  when after ->> 'confirmed_at' is not null then 'student_confirmed' end`

type Reading = Parameters<Pick<InboxReader, 'tenantId' | 'own' | 'reader'>>

/** Returns the tables and the conditions of a reader's news, without what is deleted or withdrawn. The limit of a lesson lets no plan read all of them. */
function newsOf({ tenantId, own, reader }: Reading, time: RawBuilder<unknown>) {
  const isOwn = own
    ? sql`(lesson.instructor_id = ${own}::uuid or request.instructor_id = ${own}::uuid and kind = 'request_decided'
        or wish.id is not null and coalesce(wish.instructor_id, student.preferred_instructor_id) = ${own}::uuid)`
    : sql`kind <> 'request_decided'`
  return sql`(
      select *, ${KINDS} as kind from changes where tenant_id = ${tenantId}
        and (actor_kind = 'student' or resource = 'schedule_request')
        and at > now() - make_interval(days => ${sql.lit(INBOX_DAYS)}) and ${time}) change
    left join lateral (select * from appointments where tenant_id = ${tenantId} and id = change.resource_id
      and change.resource = 'appointment' limit 1) lesson on lesson.deleted_at is null
    left join wishes wish on wish.tenant_id = ${tenantId} and wish.id = change.resource_id
      and change.resource = 'wish' and wish.deleted_at is null
    left join schedule_requests request on request.tenant_id = ${tenantId} and request.id = change.resource_id
      and change.resource = 'schedule_request' and request.status <> 'withdrawn'
    left join students student on student.tenant_id = ${tenantId} and student.id = change.actor_id
      and change.actor_kind = 'student' and student.deleted_at is null
    where kind is not null and coalesce(lesson.id, wish.id, request.id) is not null
      and (change.actor_kind <> 'student' or student.id is not null)
      and change.actor_id is distinct from ${reader}::uuid and ${isOwn}`
}

const wallClock = (time: RawBuilder<unknown>) => sql`to_char(${time}, 'YYYY-MM-DD HH24:MI')`

/** Returns a time as JSON unless it has begun or another appointment takes it. The range bounds the exclusion constraint's index, the times the other. */
function freeTime(
  { tenantId, now }: Parameters<Pick<InboxReader, 'tenantId' | 'now'>>,
  { instructor, start, end }: Readonly<Record<'instructor' | 'start' | 'end', RawBuilder<unknown>>>,
) {
  return sql`(select json_build_object('instructor_id', ${instructor}, 'start_at', ${wallClock(start)}, 'end_at', ${wallClock(end)})
    where ${start} > ${now}::timestamp and not exists (select from appointments where tenant_id = ${tenantId}
      and instructor_id = ${instructor} and deleted_at is null and ${isCountedRow}
      and tsrange(start_at, end_at) && tsrange(${start}, ${end})
      and start_at < ${end} and end_at > ${start} and start_at > ${start} - interval '24 hours'))`
}

const selectNews = statement(
  (db, asked: Parameters<Pick<InboxReader, 'tenantId' | 'own' | 'reader' | 'now'> & InboxBounds>) => {
    const { tenantId, after_at, after_id, limit } = asked
    const time = after_at ? sql`(at, id) < (${after_at}::timestamptz, ${after_id}::uuid)` : sql`true`
    const start = sql`coalesce((change.after ->> 'start_at')::timestamp, lesson.start_at)`
    const end = sql`coalesce((change.after ->> 'end_at')::timestamp, lesson.end_at)`
    const was = {
      instructor: sql`coalesce((change.before ->> 'instructor_id')::uuid, lesson.instructor_id)`,
      start: sql`(change.before ->> 'start_at')::timestamp`,
      end: sql`(change.before ->> 'end_at')::timestamp`,
    }
    const wasTime = sql`json_build_object('instructor_id', ${was.instructor}, 'start_at', ${wallClock(was.start)}, 'end_at', ${wallClock(was.end)})`
    const cancelled = { instructor: sql`lesson.instructor_id`, start, end }
    const requested = sql`(select row_to_json(stored) from (select ${selectionOf(columnsOf(ScheduleRequestSchema))}
      from schedule_requests where tenant_id = ${tenantId} and id = request.id) stored)`
    const wished = sql`(select row_to_json(stored) from (select ${selectionOf(columnsOf(WishSchema))}
      from wishes where tenant_id = ${tenantId} and id = wish.id) stored)`
    const columns: Readonly<Record<keyof News, RawBuilder<unknown>>> = {
      id: sql`change.id`,
      at: utc('change.at'),
      kind: sql`kind`,
      actor: sql`json_build_object('kind', actor_kind, 'id', actor_id, 'name', actor_name)`,
      student_id: sql`student.id`,
      instructor_id: sql`coalesce(lesson.instructor_id, request.instructor_id, wish.instructor_id, student.preferred_instructor_id)`,
      lesson: sql`case when lesson.id is not null then json_build_object('appointment_id', lesson.id,
        'lesson_type_id', lesson.lesson_type_id, 'instructor_id', lesson.instructor_id,
        'start_at', ${wallClock(start)}, 'end_at', ${wallClock(end)}) end`,
      was: sql`case kind when 'student_moved' then ${wasTime} end`,
      freed: sql`case kind when 'student_moved' then ${freeTime(asked, was)}
        when 'student_cancelled' then ${freeTime(asked, cancelled)} end`,
      // As decided now, unless another cancellation has followed.
      fee_percent: sql`case kind when 'student_cancelled' then (case
        when lesson.cancellation ->> 'at' = change.after #>> '{cancellation,at}' then lesson.cancellation ->> 'fee_percent'
        else change.after #>> '{cancellation,fee_percent}' end)::integer end`,
      due: sql`null`,
      calendar: sql`null`,
      enquiry: sql`null`,
      wish: wished,
      request: requested,
      message: sql`null`,
    }
    const names = Object.keys(InboxEntrySchema.properties).filter((name) => name !== 'is_new')
    const selected = names.map((name) => sql`${columns[name as keyof News]} as ${sql.ref(name)}`)
    return sql<News>`select ${sql.join(selected)} from ${newsOf(asked, time)}
      order by change.at desc, change.id desc limit ${limit}::integer`.compile(db)
  },
)

type Counting = Pick<InboxReader, 'tenantId' | 'own' | 'reader'> & {
  readonly since?: string | undefined
  readonly limit: number
}

const selectCount = statement((db, asked: Parameters<Counting>) => {
  const { since, limit } = asked
  const time = since ? sql`at > ${since}::timestamptz` : sql`true`
  return sql<{ count: string }>`select count(*) from (
    select from ${newsOf(asked, time)} and kind <> 'student_confirmed' limit ${limit}::integer) news`.compile(
    db,
  )
})
