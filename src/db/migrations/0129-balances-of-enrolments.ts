import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import { NIL } from 'uuid'

/** Adds the index of students with units that wait for an enrolment. `fillBalances` moves those of the others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`create index students_waiting on students (tenant_id, id) where opening_balance::text <> '[]'`)
    .execute(db)
  await logShownCredits(db)
}

/** Records that balances now show the credits of current enrolments, and moves balances there, of one school of an older file. */
export async function fillOlderBalances(db: QueryExecutorProvider, tenantId?: string): Promise<void> {
  await logShownCredits(db, tenantId)
  await fillBalances(db, tenantId)
}

async function logShownCredits(db: QueryExecutorProvider, tenantId?: string): Promise<void> {
  const where = tenantId === undefined ? sql`true` : sql`id = ${tenantId}`
  const schools = await sql<{ id: string }>`select id from tenants where ${where} order by id`.execute(db)
  for (const { id } of schools.rows)
    await sql`
      with shown as materialized (
        select student.id, student.version, student.opening_balance as earlier, (
          select json_agg(json_build_object('lesson_type_id', lesson_type_id, 'units', units, 'date', date, 'source', source)
            order by part, place)
          from (
            select 1 as part, place, lesson_type_id, units, date, source
            from rows from (json_to_recordset(student.opening_balance)
              as (lesson_type_id uuid, units integer, date text, source text))
              with ordinality entry (lesson_type_id, units, date, source, place)
            union all
            select 2, place, lesson_type_id, units, date, school
            from rows from (json_to_recordset(enrolment.credits)
              as (lesson_type_id uuid, units integer, date text, school text))
              with ordinality credit (lesson_type_id, units, date, school, place)) entries) as later
        from students student
        join enrolments enrolment on enrolment.tenant_id = ${id} and enrolment.student_id = student.id
          and enrolment.is_current and enrolment.deleted_at is null and enrolment.credits::text <> '[]'
        where student.tenant_id = ${id} and student.deleted_at is null),
      written as (
        update students set version = students.version + 1, updated_at = now() from shown
        where students.tenant_id = ${id} and students.id = shown.id)
      insert into changes (tenant_id, id, set_id, actor_kind, actor_name, resource, resource_id, action, before, after)
      select ${id}::uuid, gen_random_uuid(), gen_random_uuid(), 'system', 'migrate', 'student', id, 'changed',
        json_build_object('opening_balance', earlier, 'version', version),
        json_build_object('opening_balance', later, 'version', version + 1)
      from shown`.execute(db)
}

const STUDENTS_A_STATEMENT = 1000

type Key = { readonly tenant_id: string; readonly id: string }

/** Moves opening balances to current enrolments, of one school or all, and records it: a statement per student locks nothing for long. */
export async function fillBalances(db: QueryExecutorProvider, tenantId?: string): Promise<void> {
  const where = tenantId === undefined ? sql`true` : sql`tenant_id = ${tenantId}`
  let after: Key = { tenant_id: NIL, id: NIL }
  for (let isMore = true; isMore; ) {
    const { rows } = await sql<Key>`
      select tenant_id, id from students
      where ${where} and opening_balance::text <> '[]' and (tenant_id, id) > (${after.tenant_id}::uuid, ${after.id}::uuid)
      order by tenant_id, id limit ${sql.lit(STUDENTS_A_STATEMENT)}`.execute(db)
    for (const row of rows) await fillOne(db, row)
    isMore = rows.length === STUDENTS_A_STATEMENT
    after = rows.at(-1) ?? after
  }
}

async function fillOne(db: QueryExecutorProvider, { tenant_id, id }: Key): Promise<void> {
  await sql`
    with moved as materialized (
      select enrolment.id, enrolment.version, enrolment.credits as earlier, (
        select json_agg(credit order by part, place) from (
          select 1 as part, place, json_build_object('lesson_type_id', lesson_type_id, 'units', units, 'minutes', null,
            'date', date, 'school', source, 'document', null, 'topics', json_build_array()) as credit
          from rows from (json_to_recordset(student.opening_balance)
            as (lesson_type_id uuid, units integer, date text, source text))
            with ordinality entry (lesson_type_id, units, date, source, place)
          union all
          select 2, place, value from json_array_elements(enrolment.credits) with ordinality known (value, place)) credits) as credits
      from students student
      join enrolments enrolment on enrolment.tenant_id = ${tenant_id} and enrolment.student_id = student.id
        and enrolment.is_current and enrolment.deleted_at is null
      where student.tenant_id = ${tenant_id} and student.id = ${id} and student.opening_balance::text <> '[]'
      for no key update),
    emptied as (
      update students set opening_balance = '[]' from moved where students.tenant_id = ${tenant_id} and students.id = ${id}),
    credited as (
      update enrolments set credits = moved.credits, version = enrolments.version + 1, updated_at = now() from moved
      where enrolments.tenant_id = ${tenant_id} and enrolments.id = moved.id)
    insert into changes (tenant_id, id, set_id, actor_kind, actor_name, resource, resource_id, action, before, after)
    select ${tenant_id}::uuid, gen_random_uuid(), gen_random_uuid(), 'system', 'migrate', 'enrolment', id, 'changed',
      json_build_object('credits', earlier, 'version', version),
      json_build_object('credits', credits, 'version', version + 1)
    from moved`.execute(db)
}
