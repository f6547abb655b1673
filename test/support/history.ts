import { sql } from 'kysely'
import { hashPassword } from '../../src/auth/password.ts'
import { createTenant } from '../../src/booking/school/create-tenant.ts'
import type { DatabasePool } from '../../src/db/connection/pool.ts'
import type { Database } from '../../src/db/schema/tables.ts'
import { dayOf, localDateFor, weekStartOf } from '../../src/domain/local-time.ts'

/** The number of schools and of weeks of lessons in each, the last four of them in the future. */
export type Extent = { readonly schools: number; readonly weeks: number }

export const LESSONS_A_WEEK = 100
export const COMING_WEEKS = 4
export const INSTRUCTORS = 30
/** The minute of the day from which on there are no lessons. */
export const FREE_FROM_MINUTE = 15 * 60

/** Returns the Monday of this week, which separates past and future. */
export function thisMonday(): string {
  return localDateFor(weekStartOf(dayOf(new Date().toISOString())))
}

/** The password of every school's user. */
export const PASSWORD = 'a password for the bench'

/** Returns the login of the school with this number, counted from 0. */
export function emailOf(school: number): string {
  return `school${school}@bench.example`
}

/** Adds schools to a migrated database: 30 instructors, 300 to 500 students and a user each, numbered from `first` on. */
export async function foundSchools(
  db: DatabasePool,
  { first = 0, count }: { first?: number; count: number },
  onFounded: (schools: number) => void = () => undefined,
): Promise<void> {
  await sql`drop table if exists school`.execute(db)
  await sql`create temp table school (number integer primary key, id uuid not null, lesson_type_id uuid not null,
    students integer not null)`.execute(db)
  for (let number = first; number < first + count; number += 1) {
    await found(db, number)
    onFounded(number - first + 1)
  }
  await sql`insert into users (id, tenant_id, email, name, password_hash)
    select gen_random_uuid(), id, 'school' || number || '@bench.example', 'Bench', ${await hashPassword(PASSWORD)}
    from school`.execute(db)
  await hire(db)
  await enrol(db)
}

async function found(db: DatabasePool, number: number): Promise<void> {
  const name = `School ${number}`
  const school = { name, country: 'DE', timezone: 'Europe/Berlin', locale: 'de' }
  const { tenant } = await createTenant(db, { command: 'bench', now: new Date() }, school)
  // Every fifth school has 400 students. Only these are compared.
  await sql`insert into school select ${number}::int, tenant_id, id, (array[400, 300, 350, 450, 500])[${number}::int % 5 + 1]
    from lesson_types where tenant_id = ${tenant.id} and code = 'PRACTICE'`.execute(db)
}

/** Adds instructors with windows from Monday to Saturday, a vacation and the legal limits, so that every rule applies. */
async function hire(db: Database): Promise<void> {
  await sql`insert into calendars (tenant_id, id, kind)
    select id, ${personId(sql`id`, 'instructor', sql`n`)}, 'instructor'
    from school, generate_series(0, ${INSTRUCTORS - 1}) n`.execute(db)
  await sql`insert into instructors (tenant_id, id, first_name, last_name, color, license_classes, active,
      max_daily_units, max_weekly_units, required_break_minutes, max_continuous_minutes)
    select tenant.id, ${personId(sql`tenant.id`, 'instructor', sql`n`)}, 'Instructor', 'Number ' || n, '#0072B2', '{B}', true,
      default_max_daily_units, default_max_weekly_units, default_required_break_minutes, default_max_continuous_minutes
    from tenants tenant join school using (id), generate_series(0, ${INSTRUCTORS - 1}) n`.execute(db)
  await sql`insert into availability_windows (tenant_id, instructor_id, position, weekday, "start", "end")
    select instructor.tenant_id, instructor.id, weekday - 1, weekday, '06:00', '22:00'
    from instructors instructor join school on school.id = instructor.tenant_id, generate_series(1, 6) weekday`.execute(
    db,
  )
  await sql`insert into vacations (tenant_id, instructor_id, position, start_date, end_date)
    select instructor.tenant_id, instructor.id, 0, ${thisMonday()}::date + 300, ${thisMonday()}::date + 313
    from instructors instructor join school on school.id = instructor.tenant_id`.execute(db)
  await sql`insert into closures (tenant_id, id, start_date, end_date)
    select id, gen_random_uuid(), ${thisMonday()}::date + 300 + 30 * n, ${thisMonday()}::date + 304 + 30 * n
    from school, generate_series(0, 4) n`.execute(db)
  await sql`insert into locations (tenant_id, id, name, travel_minutes)
    select id, gen_random_uuid(), 'Branch ' || n, '{}' from school, generate_series(0, 39) n`.execute(db)
}

async function enrol(db: Database): Promise<void> {
  await sql`insert into calendars (tenant_id, id, kind)
    select id, ${personId(sql`id`, 'student', sql`n`)}, 'student'
    from school, generate_series(0, students - 1) n`.execute(db)
  await sql`insert into students (tenant_id, id, first_name, last_name, email)
    select school.id, ${personId(sql`school.id`, 'student', sql`n`)}, 'Student', 'Number ' || n,
      'student' || n || '@school.example'
    from school, generate_series(0, students - 1) n`.execute(db)
}

/**
 * Writes the lessons of the schools founded last in chronological order: those of one school are far apart on disk, as when
 * schools book concurrently. INSERT … SELECT, because COPY of the same rows from a ready file saved only a sixth of the time.
 */
export async function writeHistory(
  db: Database,
  { weeks, isLogged = false }: Pick<Extent, 'weeks'> & { readonly isLogged?: boolean },
  onWritten: (weeks: number) => void = () => undefined,
): Promise<void> {
  const first = dayOf(thisMonday()) - 7 * (weeks - 1 - COMING_WEEKS)
  for (let week = 0; week < weeks; week += 1) {
    await writeWeek(db, { week, monday: localDateFor(first + 7 * week), isLogged })
    onWritten(week + 1)
  }
}

/**
 * Writes two lessons of ten instructors on each of five days: 45, 60, 75 or 90 minutes that begin 90 minutes apart, so that
 * none overlap. No student has two in a week.
 */
async function writeWeek(
  db: Database,
  { week, monday, isLogged }: { readonly week: number; readonly monday: string; readonly isLogged: boolean },
): Promise<void> {
  const instructor = sql`(n / 10 + 7 * ${week}::int + 6 * (n % 5)) % ${INSTRUCTORS}`
  const student = sql`(${week}::int * ${LESSONS_A_WEEK} + n) % students`
  await sql`with lesson as (
    insert into appointments (tenant_id, id, instructor_id, student_id, lesson_type_id, start_at, end_at, title,
      status, overrides_used, deleted_at, created_at, updated_at)
    select school.id, gen_random_uuid(), ${personId(sql`school.id`, 'instructor', instructor)},
      ${personId(sql`school.id`, 'student', student)}, lesson_type_id, start_at,
      start_at + (45 + n % 4 * 15) * interval '1 minute', 'Praktische Fahrstunde',
      case when not is_past then 'planned' when n % 20 = 7 then 'cancelled' when n % 33 = 5 then 'no_show'
        else 'completed' end,
      '{}', case when is_past and n % 50 = 3 then start_at - interval '2 days' end,
      start_at - interval '14 days', start_at - interval '14 days'
    from generate_series(0, ${LESSONS_A_WEEK - 1}) n, lateral (
        select ${monday}::date + n % 5 + time '08:00' + n / 5 % 4 * interval '90 minutes' as start_at,
          ${monday}::date < ${thisMonday()}::date as is_past) lesson, school
    order by n
    returning tenant_id, id, instructor_id, student_id, start_at, end_at, created_at)
    ${isLogged ? LOG : NO_LOG}`.execute(db)
}

/** The entry in the log of changes for the booking of each lesson. */
const LOG = sql`insert into changes (tenant_id, id, at, actor_kind, actor_name, resource, resource_id, action, set_id, after)
  select tenant_id, gen_random_uuid(), created_at, 'command', 'bench', 'appointment', id, 'created', gen_random_uuid(),
    json_build_object('instructor_id', instructor_id, 'student_id', student_id, 'start_at', start_at, 'end_at', end_at)
  from lesson`
const NO_LOG = sql`select from lesson limit 0`

/** Returns the id of a school's person with this number, counted from 0. It is derived, so that no row is looked up. */
function personId(
  schoolId: ReturnType<typeof sql>,
  kind: 'instructor' | 'student',
  number: ReturnType<typeof sql>,
) {
  return sql`md5(${schoolId} || ${sql.lit(kind)} || ${number})::uuid`
}
