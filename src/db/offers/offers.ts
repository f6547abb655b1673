import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import type { Offer } from '../../contract/offer.ts'
import type { LocalDateTime } from '../../domain/local-time.ts'
import type { Parameters } from '../connection/statement.ts'
import { jsonList } from '../json-list.ts'
import { changeEntryFor, recordChanges } from '../log/changes.ts'
import { createdAt, endAt, localTime, nextVersion, startAt, updatedAt, utc } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'

export type StoredOffer = Omit<Offer, 'state' | 'links'> & {
  readonly state: 'open' | 'taken' | 'withdrawn'
  readonly links: readonly OfferLink[]
}

type OfferLink = {
  readonly student_id: string
  readonly token_hash: string
  /** Whether the student is not deleted and the link's wish, if any, has not been withdrawn. */
  readonly is_live: boolean
}

/** Selects the links of an offer. In a cluster, each table needs the tenant's value: a correlated column would query every shard. */
function linksOf(tenantId: RawBuilder<unknown>): RawBuilder<readonly OfferLink[]> {
  const isLive = sql<boolean>`student.deleted_at is null and not exists (select from wishes wish
    where wish.tenant_id = ${tenantId} and wish.id = link.wish_id and wish.deleted_at is not null)`
  return sql`(
    select coalesce(json_agg(json_build_object('student_id', link.student_id, 'token_hash', encode(link.token_hash, 'hex'),
      'is_live', ${isLive}) order by link.student_id), '[]')
    from offer_links link
    join students student on student.tenant_id = ${tenantId} and student.id = link.student_id
    where link.tenant_id = ${tenantId} and link.offer_id = offers.id)`
}

export function offerColumns(tenantId: RawBuilder<unknown>) {
  return [
    'id',
    'state',
    'instructor_id',
    startAt,
    endAt,
    'lesson_type_id',
    utc('expires_at').as('expires_at'),
    'appointment_id',
    'taken_by',
    linksOf(tenantId).as('links'),
    'version',
    createdAt,
    updatedAt,
  ] as const
}

export const listOffers = jsonList(
  {
    from: 'offers',
    orderedBy: { id: 'uuid' },
    isNewestFirst: true,
    // The state of an open offer depends on the clock, on the instructor's calendar, on students and on wishes. An erasure
    // removes a student from the others.
    versionedBy: ({
      tenantId,
    }) => sql`concat_ws(' ', version, taken_by, case when state = 'open' then clock_timestamp() end,
      (select count(*) from offer_links link where link.tenant_id = ${tenantId} and link.offer_id = offers.id))`,
  },
  (db, { tenantId }: Parameters<{ tenantId: string }>) =>
    db.selectFrom('offers').select(offerColumns(tenantId)).where('tenant_id', '=', tenantId),
)

export async function findOffer(
  db: Database,
  tenantId: string,
  id: string,
): Promise<StoredOffer | undefined> {
  return offer(db, tenantId, id).executeTakeFirst()
}

export async function lockOffer(
  db: Transaction,
  tenantId: string,
  id: string,
): Promise<StoredOffer | undefined> {
  return offer(db, tenantId, id).forNoKeyUpdate().executeTakeFirst()
}

function offer(db: Database, tenantId: string, id: string) {
  return db
    .selectFrom('offers')
    .select(offerColumns(sql`${tenantId}`))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
}

type Offered = Pick<
  Offer,
  'id' | 'instructor_id' | 'start_at' | 'end_at' | 'lesson_type_id' | 'expires_at'
> & {
  readonly links: readonly {
    readonly student_id: string
    readonly wish_id: string | null
    readonly token_hash: Buffer
  }[]
}

export async function insertOffer(
  db: Transaction,
  actor: Actor,
  { links, ...offered }: Offered,
): Promise<StoredOffer> {
  const tenant_id = actor.tenant.id
  const values = { ...offered, state: 'open' as const, appointment_id: null, taken_by: null }
  await db
    .insertInto('offers')
    .values({ ...values, tenant_id })
    .execute()
  await db
    .insertInto('offer_links')
    .values(links.map((link) => ({ ...link, tenant_id, offer_id: offered.id })))
    .execute()
  const student_ids = links.map(({ student_id }) => student_id)
  await recordChanges(db, actor, [changeEntryFor('offer', undefined, { ...values, student_ids })])
  return requireStored(db, tenant_id, offered.id)
}

type NextState = Pick<StoredOffer, 'state' | 'appointment_id' | 'taken_by'>

export async function updateOffer(
  db: Transaction,
  actor: Actor,
  stored: StoredOffer,
  next: NextState,
): Promise<StoredOffer> {
  const { state, appointment_id, taken_by } = next
  await db
    .updateTable('offers')
    .set({ state, appointment_id, taken_by, ...nextVersion })
    .where('tenant_id', '=', actor.tenant.id)
    .where('id', '=', stored.id)
    .execute()
  const { links: _, ...before } = stored
  await recordChanges(db, actor, [
    changeEntryFor('offer', before, { ...before, state, appointment_id, taken_by }),
  ])
  return requireStored(db, actor.tenant.id, stored.id)
}

async function requireStored(db: Database, tenantId: string, id: string): Promise<StoredOffer> {
  return offer(db, tenantId, id).executeTakeFirstOrThrow()
}

export function offersWithin(
  tenantId: RawBuilder<unknown> | string,
  student: RawBuilder<unknown>,
  moment: RawBuilder<unknown>,
): RawBuilder<number> {
  return sql<number>`(select count(*)::integer from offer_links link where link.tenant_id = ${tenantId}
    and link.student_id = ${student} and link.created_at > ${moment}::timestamptz - interval '7 days')`
}

export type OfferRecipient = {
  readonly student_id: string
  readonly offers: number
  readonly archived_at: LocalDateTime | null
}

/** Returns the students with these ids who are not deleted, with the number of offers to each in the last seven days. */
export async function listOfferRecipients(
  db: Database,
  { tenant, now }: Pick<Actor, 'tenant' | 'now'>,
  ids: readonly string[],
): Promise<readonly OfferRecipient[]> {
  const { rows } = await sql<OfferRecipient>`
    select student.id as student_id,
      case when student.archived_at is not null then ${localTime(sql`student.archived_at`, sql`${tenant.id}::uuid`)} end as archived_at,
      ${offersWithin(tenant.id, sql`student.id`, sql`${now}`)} as offers
    from students student
    where student.tenant_id = ${tenant.id} and student.id = any(${ids}::uuid[]) and student.deleted_at is null
    order by student.id`.execute(db)
  return rows
}

/** Removes a student from offers that they accepted; their links are deleted with the student's row. */
export async function eraseFromOffers(db: Transaction, tenantId: string, studentId: string): Promise<void> {
  await sql`update offers set taken_by = null where tenant_id = ${tenantId} and taken_by = ${studentId}`.execute(
    db,
  )
}
