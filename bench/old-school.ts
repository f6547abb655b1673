import { sql } from 'kysely'
import type { Database } from '../src/db/schema/tables.ts'

const INSTRUCTORS = 60
const LESSONS_EACH = 20
const DAYS_BETWEEN = 5
const HOURS = 14
const CLASS_SIZE = 12

const YEARS = 7

/** Fills a school with students who came evenly over seven years, 20 lessons and one theory class each: the first ones are due. */
export async function fillOldSchool(db: Database, tenantId: string, students: number): Promise<void> {
  await sql`set local statement_timeout = '600s'`.execute(db)
  for (const [kind, count] of Object.entries({ instructor: INSTRUCTORS, student: students }))
    await sql`insert into calendars (tenant_id, id, kind)
      select ${tenantId}, gen_random_uuid(), ${kind} from generate_series(1, ${sql.lit(count)})`.execute(db)
  const perInstructor = Math.ceil(students / INSTRUCTORS)
  const period = LESSONS_EACH * DAYS_BETWEEN
  await sql`create temp table person on commit drop as
    select kind, id, n, current_date - ${sql.lit(YEARS * 365)} + n / ${sql.lit(INSTRUCTORS)} * ${sql.lit(YEARS * 365)} / ${sql.lit(perInstructor)} as first_on
    from (select kind, id, row_number() over (partition by kind order by id)::integer - 1 as n
      from calendars where tenant_id = ${tenantId}) numbered`.execute(db)
  await sql`insert into instructors (tenant_id, id, first_name, last_name, color, license_classes, active, required_break_minutes)
    select ${tenantId}, id, 'Instructor', 'Number ' || n, '#0072B2', '{B}', true, 0 from person where kind = 'instructor'`.execute(
    db,
  )
  await sql`insert into students (tenant_id, id, first_name, last_name, license_class_template_id, created_at, updated_at)
    select ${tenantId}, person.id, 'Student', 'Number ' || n, template.id, first_on, least(first_on + ${sql.lit(period)}, current_date)
    from person join license_class_templates template on template.tenant_id = ${tenantId} and template.code = 'B'
    where kind = 'student'`.execute(db)
  await sql`insert into enrolments (tenant_id, id, student_id, template_id, license_class, begins_on, ends_on, outcome, is_current)
    select ${tenantId}, person.id, person.id, template.id, 'B', first_on, case when is_over then first_on + ${sql.lit(period)} end,
      case when is_over then 'passed' end, true
    from person join license_class_templates template on template.tenant_id = ${tenantId} and template.code = 'B',
      lateral (select first_on + ${sql.lit(period)} < current_date as is_over) state
    where kind = 'student'`.execute(db)
  await sql`insert into ticks (tenant_id, id, student_id, enrolment_id, kind, date)
    select ${tenantId}, gen_random_uuid(), id, id, paper, first_on
    from person, unnest('{photo,sight_test,first_aid}'::text[]) paper where kind = 'student'`.execute(db)
  const lesson = sql`insert into appointments (tenant_id, id, instructor_id, student_id, lesson_type_id, start_at, end_at, title,
      status, overrides_used, license_class, enrolment_id, attendees, seats)`
  const statusAt = sql`case when at < current_date then 'completed' else 'planned' end, '{}', 'B'`
  await sql`${lesson}
    select ${tenantId}, gen_random_uuid(), one.id, student.id, type.id, at, at + interval '1 hour', type.name, ${statusAt}, student.id, '[]', null
    from person student join person one on one.kind = 'instructor' and one.n = student.n % ${sql.lit(INSTRUCTORS)},
      generate_series(0, ${sql.lit(LESSONS_EACH - 1)}) number, lesson_types type,
      lateral (select student.first_on + number * ${sql.lit(DAYS_BETWEEN)}
        + (7 + student.n / ${sql.lit(INSTRUCTORS)} % ${sql.lit(HOURS)}) * interval '1 hour' as at) starts
    where student.kind = 'student' and type.tenant_id = ${tenantId} and type.code = 'PRACTICE'`.execute(db)
  await sql`${lesson}
    select ${tenantId}, gen_random_uuid(), one.id, null, type.id, at, at + interval '90 minutes', type.name, ${statusAt}, null, attendees, ${sql.lit(CLASS_SIZE)}
    from (select n / ${sql.lit(CLASS_SIZE)} as number, max(first_on) + interval '21 hours' as at,
        jsonb_agg(jsonb_build_object('student_id', id, 'attended', true, 'enrolment_id', id)) as attendees
      from person where kind = 'student' group by 1) class
    join person one on one.kind = 'instructor' and one.n = class.number % ${sql.lit(INSTRUCTORS)}
    cross join (select id, name from lesson_types where tenant_id = ${tenantId} and category = 'theory' limit 1) type`.execute(
    db,
  )
}
