import { sql } from 'kysely'
import { connectForMaintenance } from '../src/db/connection/connect.ts'
import { inTransactionOnce } from '../src/db/connection/transaction.ts'
import type { Database } from '../src/db/schema/tables.ts'

const INSTRUCTORS = 60
const STUDENTS = 5_000
const CLOSURES = 400
/** The weeks of lessons, of which the first ones are past. */
const WEEKS = { past: 6, coming: 16 }
const LESSONS_A_DAY = 10
const STUDENTS_WITH_LESSONS = 4_000

export type ValidSchool = {
  readonly instructor: string
  readonly student: string
  /** An instructor who works on Saturdays. */
  readonly free: string
  /** A student with 400 coming lessons. */
  readonly busy: string
}

/**
 * Fills a school with as much as the rules allow a large one: 60 instructors with a car each and no free time on weekdays,
 * 3,000 lessons a week, 5,000 students and 400 closures. Every tenth instructor works on Saturdays,
 * when there are no lessons yet.
 */
export async function fillValidSchool(url: string, tenantId: string, monday: string): Promise<ValidSchool> {
  const database = connectForMaintenance(url, () => undefined)
  try {
    const school = await inTransactionOnce(database, (db) => fill(db, tenantId, monday))
    await sql`vacuum analyze`.execute(database)
    return school
  } finally {
    await database.destroy()
  }
}

async function fill(db: Database, tenantId: string, monday: string): Promise<ValidSchool> {
  await sql`set local statement_timeout = '300s'`.execute(db)
  for (const [kind, count] of Object.entries({
    instructor: INSTRUCTORS,
    vehicle: INSTRUCTORS,
    student: STUDENTS,
  }))
    await sql`insert into calendars (tenant_id, id, kind)
      select ${tenantId}, gen_random_uuid(), ${kind} from generate_series(1, ${sql.lit(count)})`.execute(db)
  await sql`create temp table person on commit drop as
    select kind, id, row_number() over (partition by kind order by id)::integer - 1 as n
    from calendars where tenant_id = ${tenantId}`.execute(db)
  await sql`insert into vehicles (tenant_id, id, name, kind, license_classes, active, absences)
    select ${tenantId}, id, 'Car ' || n, 'car', '{B}', true, '[]' from person where kind = 'vehicle'`.execute(
    db,
  )
  await sql`insert into instructors (tenant_id, id, first_name, last_name, color, license_classes, active,
      required_break_minutes, max_continuous_minutes, usual_vehicle_id)
    select ${tenantId}, one.id, 'Instructor', 'Number ' || one.n, '#0072B2', '{B}', true, 0, 780, car.id
    from person one join person car on car.kind = 'vehicle' and car.n = one.n where one.kind = 'instructor'`.execute(
    db,
  )
  await sql`insert into availability_windows (tenant_id, instructor_id, position, weekday, "start", "end")
    select ${tenantId}, id, weekday - 1, weekday, '07:00', '20:00' from person, generate_series(1, 6) weekday
    where kind = 'instructor' and (weekday < 6 or n % 10 = 1)`.execute(db)
  await sql`insert into students (tenant_id, id, first_name, last_name, email, phone, birth_date, license_class_template_id)
    select ${tenantId}, person.id, 'Student', 'Number ' || n, 'student' || n || '@bench.example', '+49 171 ' || 5000000 + n,
      date '2007-01-01' + n % 300, template.id
    from person join license_class_templates template on template.tenant_id = ${tenantId} and template.code = 'B'
    where kind = 'student'`.execute(db)
  await sql`insert into closures (tenant_id, id, start_date, end_date)
    select ${tenantId}, gen_random_uuid(), day, day
    from generate_series(0, ${sql.lit(CLOSURES - 1)}) n, lateral (select ${monday}::date + 140 + 3 * n as day) closed`.execute(
    db,
  )
  await book(db, tenantId, monday)
  const { rows } =
    await sql<ValidSchool>`select one.id as instructor, student.id as student, free.id as free, busy.id as busy
    from person one, person student, person free, person busy
    where (one.kind, one.n, student.kind, student.n, free.kind, free.n, busy.kind, busy.n)
      = ('instructor', 0, 'student', 0, 'instructor', 1, 'student', ${sql.lit(STUDENTS - 1)})`.execute(db)
  if (!rows[0]) throw new Error('no lessons')
  return rows[0]
}

/** Books an hour in every hour and a quarter: what is left is too short for another one. */
async function book(db: Database, tenantId: string, monday: string): Promise<void> {
  await sql`insert into appointments (tenant_id, id, instructor_id, student_id, lesson_type_id, start_at, end_at, title, status,
      overrides_used, license_class, vehicle_ids)
    select ${tenantId}, gen_random_uuid(), one.id, student.id, type.id, at, at + interval '1 hour', type.name,
      case when at < now() then 'completed' else 'planned' end, '{}', 'B', array[car.id]
    from person one join person car on car.kind = 'vehicle' and car.n = one.n,
      generate_series(${sql.lit(-WEEKS.past)}, ${sql.lit(WEEKS.coming - 1)}) week,
      generate_series(0, 4) weekday, generate_series(0, ${sql.lit(LESSONS_A_DAY - 1)}) number,
      lateral (select ${monday}::date + 7 * week + weekday + interval '7 hours' + number * interval '75 minutes' as at) starts,
      lateral (select case when one.n = ${sql.lit(INSTRUCTORS - 1)} and week between 0 and 7 then ${sql.lit(STUDENTS - 1)}
        else (one.n + ${sql.lit(INSTRUCTORS)} * (number + ${sql.lit(LESSONS_A_DAY)} * weekday) + 3000 * (week + 10))
          % ${sql.lit(STUDENTS_WITH_LESSONS)} end as n) whom
      join person student on student.kind = 'student' and student.n = whom.n,
      lesson_types type
    where one.kind = 'instructor' and type.tenant_id = ${tenantId} and type.code = 'PRACTICE'`.execute(db)
  await sql`insert into changes (tenant_id, id, at, actor_kind, actor_name, resource, resource_id, action, set_id, before, after)
    select tenant_id, gen_random_uuid(), now() - interval '1 hour' + row_number() over () * interval '1 ms',
      'command', 'bench', 'appointment', id, 'created', gen_random_uuid(), null, json_build_object(
        'instructor_id', instructor_id, 'student_id', student_id, 'lesson_type_id', lesson_type_id,
        'start_at', to_char(start_at, 'YYYY-MM-DD HH24:MI'), 'end_at', to_char(end_at, 'YYYY-MM-DD HH24:MI'),
        'title', title, 'status', status, 'notes', null, 'overrides_used', overrides_used, 'version', 1)
    from appointments where tenant_id = ${tenantId}`.execute(db)
}
