import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import type { Student } from '../../contract/student.ts'
import type { Database } from '../schema/tables.ts'
import { offerColumns, type StoredOffer } from './offers.ts'

export type ListedOffer = StoredOffer & {
  readonly instructor: string
}

/** The maximum of offers to read. With seven a week, a student gets fewer than 100 in three months. */
const LATEST_OFFERS = 100

/** Lists a student's open offers that have not expired, by start. */
export async function listOpenOffersTo(
  db: Database,
  { tenant, now }: Pick<Actor, 'tenant' | 'now'>,
  studentId: string,
): Promise<readonly ListedOffer[]> {
  const tenantId = sql`${tenant.id}`
  const instructor = sql<string>`(select first_name from instructors
    where instructors.tenant_id = ${tenantId} and instructors.id = offers.instructor_id)`
  // The limit forces the planner to begin with the student's links, which are few.
  const theirs = sql<string>`(select offer_id from (select offer_id from offer_links
    where offer_links.tenant_id = ${tenantId} and offer_links.student_id = ${studentId}
    order by created_at desc limit ${sql.lit(LATEST_OFFERS)}) latest)`
  return db
    .selectFrom('offers')
    .select([...offerColumns(tenantId), instructor.as('instructor')])
    .where('tenant_id', '=', tenant.id)
    .where('id', 'in', theirs)
    .where('state', '=', 'open')
    .where('expires_at', '>', now)
    .orderBy('start_at')
    .orderBy('id')
    .execute()
}

export type FoundOffer = Pick<Student, 'language'> & {
  readonly offer_id: string
  readonly student_id: string
  readonly first_name: string
  readonly last_name: string
  readonly pickup_place: string | null
}

/** Returns the offer with a secret's hash; undefined if the student is deleted. */
export function findFollowedOffer(
  db: Database,
  tenantId: string,
  hash: Buffer,
): Promise<FoundOffer | undefined> {
  return findLinked(db, tenantId, sql`link.token_hash = ${hash}`)
}

/** Returns an offer for a student's page; undefined if it was not made to that student. */
export function findOfferTo(
  db: Database,
  tenantId: string,
  { offer_id, student_id }: Pick<FoundOffer, 'offer_id' | 'student_id'>,
): Promise<FoundOffer | undefined> {
  return findLinked(db, tenantId, sql`link.offer_id = ${offer_id} and link.student_id = ${student_id}`)
}

async function findLinked(
  db: Database,
  tenantId: string,
  condition: RawBuilder<unknown>,
): Promise<FoundOffer | undefined> {
  const { rows } = await sql<FoundOffer>`
    select link.offer_id, link.student_id, student.first_name, student.last_name, student.language,
      student.pickup_place
    from offer_links link
    join students student on student.tenant_id = link.tenant_id and student.id = link.student_id
    where link.tenant_id = ${tenantId} and ${condition} and student.deleted_at is null`.execute(db)
  return rows[0]
}
