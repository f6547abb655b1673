import { sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import type { FeedDetail } from '../../contract/link.ts'
import { newId } from '../../contract/new-id.ts'
import type { Student } from '../../contract/student.ts'
import { isAttendedBy } from '../appointments/attendees.ts'
import { lockCalendars } from '../calendars/calendar-locks.ts'
import { type ChangeEntry, recordChanges } from '../log/changes.ts'
import { deletePushSubscriptionsOf } from '../messages/push-subscriptions.ts'
import { readdressMessagesOf, withdrawLinkMessages } from '../messages/waiting-messages.ts'
import { createdAt, utc } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'

export type LinkHolder = { readonly kind: 'calendar_feed' | 'student_link'; readonly id: string }

const HOLDERS = { calendar_feed: 'instructor_id', student_link: 'student_id' } as const

export type Link = {
  readonly id: string
  readonly detail: FeedDetail | null
  readonly created_at: string
  readonly used_at: string | null
}

export async function findLink(
  db: Database,
  tenantId: string,
  { kind, id }: LinkHolder,
): Promise<Link | undefined> {
  return db
    .selectFrom('links')
    .select(['id', 'detail', createdAt, utc('used_at').as('used_at')])
    .where('tenant_id', '=', tenantId)
    .where(HOLDERS[kind], '=', id)
    .executeTakeFirst()
}

export async function replaceLink(
  db: Transaction,
  actor: Actor,
  holder: LinkHolder,
  { token_hash, detail }: { readonly token_hash: Buffer; readonly detail: FeedDetail | null },
): Promise<void> {
  await endLink(db, actor, holder)
  const id = newId()
  const owner = { [HOLDERS[holder.kind]]: holder.id }
  await db
    .insertInto('links')
    .values({ tenant_id: actor.tenant.id, id, token_hash, detail, ...owner })
    .execute()
  await recordChanges(db, actor, [
    { ...entry(holder, id), action: 'created', before: null, after: loggedLink(holder, detail) },
  ])
}

export async function endLink(db: Transaction, actor: Actor, holder: LinkHolder): Promise<void> {
  const ended = await db
    .deleteFrom('links')
    .where('tenant_id', '=', actor.tenant.id)
    .where(HOLDERS[holder.kind], '=', holder.id)
    .returning(['id', 'detail'])
    .executeTakeFirst()
  if (holder.kind === 'student_link') await endStudentPage(db, actor, holder.id)
  if (!ended) return
  const { id, detail } = ended
  await recordChanges(db, actor, [
    { ...entry(holder, id), action: 'deleted', before: loggedLink(holder, detail), after: null },
  ])
}

async function endStudentPage(db: Transaction, { tenant, now }: Actor, studentId: string): Promise<void> {
  await withdrawLinkMessages(db, tenant.id, studentId, now)
  if (await deletePushSubscriptionsOf(db, tenant.id, studentId))
    await readdressMessagesOf(db, tenant.id, studentId)
}

/** Deletes the feed of an instructor without an active login: a later login must not reopen it. Locks the calendar first. */
export async function endFeedWithoutLogin(
  db: Transaction,
  actor: Actor,
  instructorId: string,
): Promise<void> {
  await lockCalendars(db, actor.tenant.id, [instructorId])
  const { rows } = await sql`select from users where tenant_id = ${actor.tenant.id}
    and instructor_id = ${instructorId} and disabled_at is null limit 1`.execute(db)
  if (rows.length === 0) await endLink(db, actor, { kind: 'calendar_feed', id: instructorId })
}

function entry({ kind }: LinkHolder, resource_id: string): Pick<ChangeEntry, 'resource' | 'resource_id'> {
  return { resource: kind, resource_id }
}

function loggedLink({ kind, id }: LinkHolder, detail: FeedDetail | null) {
  return { [HOLDERS[kind]]: id, ...(detail && { detail }) }
}

/** An opened link. `is_due` means that its use must be recorded. */
type Followed = { readonly id: string; readonly first_name: string; readonly is_due: boolean }
export type FoundFeed = Followed & { readonly instructor_id: string; readonly detail: FeedDetail }
export type FoundPage = Followed & {
  readonly student_id: string
  readonly last_name: string
  readonly language: Student['language']
  readonly agrees: boolean
  readonly is_former: boolean
  readonly is_locked: boolean
}

/** The number of wrong verifications that locks a student's link: otherwise a date of birth could be guessed. */
const MAX_WRONG_VERIFICATIONS = 10

const isDue = sql<boolean>`used_at is null or used_at < now() - interval '1 minute'`

/** Returns the feed with a secret's hash; undefined if the instructor is inactive or has only disabled logins. */
export async function findFeed(db: Database, tenantId: string, hash: Buffer): Promise<FoundFeed | undefined> {
  const { rows } = await sql<FoundFeed>`
    select links.id, links.detail, links.instructor_id, instructor.first_name, ${isDue} as is_due
    from links join instructors instructor
      on instructor.tenant_id = links.tenant_id and instructor.id = links.instructor_id
    where links.tenant_id = ${tenantId} and links.token_hash = ${hash} and instructor.active`.execute(db)
  const [feed] = rows
  return feed && (await mayLogIn(db, tenantId, feed.instructor_id)) ? feed : undefined
}

/** Whether the instructor has no login or an active one. A separate query: in a cluster, users are on another node. */
async function mayLogIn(db: Database, tenantId: string, instructorId: string): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select coalesce(bool_or(disabled_at is null), true) as may from users
    where tenant_id = ${tenantId} and instructor_id = ${instructorId}`.execute(db)
  return rows[0]?.may === true
}

const PAGE_LIFE = sql`interval '6 months'`

/** Whether the page of a link still shows something: the link or a lesson is less than six months old. */
const opens = (tenantId: string) => sql<boolean>`(links.created_at > now() - ${PAGE_LIFE} or exists (
        select 1 from appointments lesson
        where lesson.tenant_id = ${tenantId} and lesson.student_id = links.student_id and lesson.deleted_at is null
          and lesson.start_at > now()::timestamp - ${PAGE_LIFE})
        or exists (
        select 1 from appointments class
        where class.tenant_id = ${tenantId} and ${isAttendedBy(sql`links.student_id`, 'class')} and class.deleted_at is null
          and class.start_at > now()::timestamp - ${PAGE_LIFE}))`

/** Returns the page with the hash of a secret of its link; undefined if the student is deleted, or the page shows nothing. */
export async function findPage(db: Database, tenantId: string, hash: Buffer): Promise<FoundPage | undefined> {
  const { rows } = await sql<FoundPage>`
    select links.id, links.student_id, student.first_name, student.last_name, student.language,
      student.messages_consent and student.archived_at is null as agrees,
      student.archived_at is not null as is_former,
      wrong_proofs >= ${MAX_WRONG_VERIFICATIONS} as is_locked, ${isDue} as is_due
    from (
      select * from links where tenant_id = ${tenantId} and token_hash = ${hash}
      union all
      select * from links where tenant_id = ${tenantId} and message_token_hash = ${hash}) links
    join students student on student.tenant_id = ${tenantId} and student.id = links.student_id
    where student.deleted_at is null and ${opens(tenantId)}`.execute(db)
  return rows[0]
}

export async function listStudentsWithPage(
  db: Database,
  tenantId: string,
  studentIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ student_id: string }>`
    select student_id from links
    where tenant_id = ${tenantId} and student_id = any(${studentIds}::uuid[]) and ${opens(tenantId)}`.execute(
    db,
  )
  return new Set(rows.map(({ student_id }) => student_id))
}

export async function findOwnPage(
  db: Database,
  tenantId: string,
  studentId: string,
): Promise<{ readonly id: string; readonly message_token_hash: Buffer | null } | undefined> {
  return db
    .selectFrom('links')
    .select(['id', 'message_token_hash'])
    .where('tenant_id', '=', tenantId)
    .where('student_id', '=', studentId)
    .where(opens(tenantId))
    .executeTakeFirst()
}

export async function storeMessageToken(
  db: Database,
  tenantId: string,
  { id, token_hash }: { readonly id: string; readonly token_hash: Buffer },
): Promise<void> {
  await sql`update links set message_token_hash = ${token_hash} where tenant_id = ${tenantId} and id = ${id}`.execute(
    db,
  )
}

export async function recordLinkUse(db: Database, tenantId: string, id: string): Promise<void> {
  await sql`update links set used_at = now() where tenant_id = ${tenantId} and id = ${id}`.execute(db)
}

/** Counts a verification as wrong before it is checked: parallel attempts gain nothing. Returns the attempts left; undefined if locked. */
export async function countAttempt(db: Database, tenantId: string, id: string): Promise<number | undefined> {
  const { rows } = await sql<{ wrong_proofs: number }>`
    update links set wrong_proofs = wrong_proofs + 1
    where tenant_id = ${tenantId} and id = ${id} and wrong_proofs < ${MAX_WRONG_VERIFICATIONS}
    returning wrong_proofs`.execute(db)
  return rows[0] && MAX_WRONG_VERIFICATIONS - rows[0].wrong_proofs
}

/** Takes back one attempt, which was right. The wrong ones still count. */
export async function uncountAttempt(db: Database, tenantId: string, id: string): Promise<void> {
  await sql`update links set wrong_proofs = greatest(wrong_proofs - 1, 0) where tenant_id = ${tenantId} and id = ${id}`.execute(
    db,
  )
}
