import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import { NIL } from 'uuid'

/** Adds the enrolment of a lesson. The default marks rows of the release before; `fillLessonEnrolments` gives them theirs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table appointments add column enrolment_id uuid default '${NIL}'`).execute(db)
  await sql
    .raw(`create index appointments_unassigned on appointments (tenant_id, id) where enrolment_id = '${NIL}'`)
    .execute(db)
}

const LESSONS_A_STATEMENT = 500
const MAX_PASSES = 3

/** Gives the lessons without one the student's enrolment, of one school or all, in statements that wait for nobody. */
export async function fillLessonEnrolments(db: QueryExecutorProvider, tenantId?: string): Promise<void> {
  // A pass skips lessons that are locked by another transaction.
  for (let pass = 0; pass < MAX_PASSES; pass += 1) if (!(await fillOnce(db, tenantId))) return
}

async function fillOnce(db: QueryExecutorProvider, tenantId: string | undefined): Promise<boolean> {
  const where = tenantId === undefined ? sql`true` : sql`tenant_id = ${tenantId}`
  let after = { tenant_id: NIL, id: NIL }
  for (let isMore = true; isMore; ) {
    const { rows } = await sql<typeof after>`
      select tenant_id, id from appointments
      where ${where} and enrolment_id = ${sql.lit(NIL)} and (tenant_id, id) > (${after.tenant_id}::uuid, ${after.id}::uuid)
      order by tenant_id, id limit ${sql.lit(LESSONS_A_STATEMENT)}`.execute(db)
    for (const [school, lessons] of Map.groupBy(rows, ({ tenant_id }) => tenant_id)) {
      const ids = lessons.map(({ id }) => id)
      await fillPart(db, school, ids)
    }
    isMore = rows.length === LESSONS_A_STATEMENT
    after = rows.at(-1) ?? after
  }
  return after.id !== NIL
}

async function fillPart(db: QueryExecutorProvider, tenantId: string, ids: readonly string[]): Promise<void> {
  await sql`
    update appointments set
      enrolment_id = ${enrolmentFor(tenantId, sql`appointments.student_id`)},
      attendees = case when attendees = '[]' then attendees else (
        select jsonb_agg(case when entry ? 'enrolment_id' then entry else entry || jsonb_build_object('enrolment_id',
          ${enrolmentFor(tenantId, sql`(entry ->> 'student_id')::uuid`)}) end order by place)
        from jsonb_array_elements(attendees) with ordinality entries (entry, place)) end
    where tenant_id = ${tenantId} and id in (
      select id from appointments where tenant_id = ${tenantId} and id = any(${ids}::uuid[])
        and enrolment_id = ${sql.lit(NIL)} for no key update skip locked)`.execute(db)
}

function enrolmentFor(tenantId: string, student: ReturnType<typeof sql>) {
  return sql`(
    select enrolment.id from enrolments enrolment
    where enrolment.tenant_id = ${tenantId} and enrolment.student_id = ${student} and enrolment.deleted_at is null
      and (appointments.license_class is null or appointments.license_class = enrolment.license_class)
    order by daterange(begins_on, ends_on, '[]') @> appointments.start_at::date desc, is_current desc, begins_on desc, id
    limit 1)`
}
