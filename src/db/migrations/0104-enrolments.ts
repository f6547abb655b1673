import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import { placeNewTable } from '../schema/citus.ts'

/** Adds the enrolments of students, and one for every student who trains for a class. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLE).execute(db)
  await placeNewTable(db, 'enrolments')
  for (const statement of REST) await sql.raw(statement).execute(db)
  await fillEnrolments(db)
}

const TABLE = `create table enrolments (
  tenant_id uuid not null,
  id uuid not null,
  student_id uuid not null,
  template_id uuid not null,
  license_class text not null,
  prior_classes json,
  begins_on date not null,
  ends_on date,
  outcome text,
  theory_ended_on date,
  practice_ended_on date,
  cooperation json,
  is_current boolean not null,
  note text,
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint enrolments_outcome_check check (outcome in ('passed', 'stopped', 'moved', 'changed')),
  constraint enrolments_end_check check ((outcome is null) = (ends_on is null)),
  constraint enrolments_days_check check (ends_on >= begins_on)
)`

const REST = [
  'create index enrolments_of_student on enrolments (tenant_id, student_id, begins_on, id)',
  `create unique index enrolments_open on enrolments (tenant_id, student_id, license_class)
    where outcome is null and deleted_at is null`,
  `create unique index enrolments_current on enrolments (tenant_id, student_id)
    where is_current and deleted_at is null`,
  'alter table enrolments add foreign key (tenant_id, student_id) references students on delete cascade',
  'alter table enrolments add foreign key (tenant_id, template_id) references license_class_templates',
]

const STUDENTS_A_STATEMENT = 1000

/** Adds an enrolment for each student with a class and without one, of one school or all, from the first lesson's day on. */
export async function fillEnrolments(db: QueryExecutorProvider, tenantId?: string): Promise<void> {
  const where = tenantId === undefined ? sql`true` : sql`id = ${tenantId}`
  const schools = await sql<{ id: string; timezone: string }>`
    select id, timezone from tenants where ${where} order by id`.execute(db)
  for (const { id, timezone } of schools.rows) {
    let after = '00000000-0000-0000-0000-000000000000'
    for (let isMore = true; isMore; ) {
      const { rows } = await sql<{ id: string }>`
        select id from students where tenant_id = ${id} and id > ${after} and license_class_template_id is not null
        order by id limit ${sql.lit(STUDENTS_A_STATEMENT)}`.execute(db)
      isMore = rows.length === STUDENTS_A_STATEMENT
      after = rows.at(-1)?.id ?? after
      const ids = rows.map((row) => row.id)
      await fillPart(db, { id, timezone, ids })
    }
  }
}

type Part = { readonly id: string; readonly timezone: string; readonly ids: readonly string[] }

async function fillPart(db: QueryExecutorProvider, { id: tenantId, timezone, ids }: Part): Promise<void> {
  const groups = sql`
    select (entry ->> 'student_id')::uuid as student_id, min(start_at) as first
    from appointments cross join lateral jsonb_array_elements(attendees) entry
    where tenant_id = ${tenantId} and attendees <> '[]' and deleted_at is null and status <> 'cancelled' group by 1`
  await sql`
    insert into enrolments (tenant_id, id, student_id, template_id, license_class, begins_on, is_current)
    select ${tenantId}::uuid, gen_random_uuid(), student.id, template.id, template.license_class,
      coalesce(least(alone.first, groups.first)::date, (student.created_at at time zone ${timezone})::date), true
    from students student
    join license_class_templates template
      on template.tenant_id = ${tenantId} and template.id = student.license_class_template_id
    left join (
      select student_id, min(start_at) as first from appointments
      where tenant_id = ${tenantId} and student_id = any(${ids}::uuid[]) and deleted_at is null and status <> 'cancelled'
      group by 1) alone on alone.student_id = student.id
    left join (${groups}) groups on groups.student_id = student.id
    where student.tenant_id = ${tenantId} and student.id = any(${ids}::uuid[]) and not exists (
      select from enrolments known where known.tenant_id = ${tenantId} and known.student_id = student.id)`.execute(
    db,
  )
}
