import { sql } from 'kysely'
import type { Database } from '../src/db/schema/tables.ts'

const INSTRUCTORS = 20
const STUDENTS = 720
const WEEKS = { past: 52, coming: 4 }
/** The students whom an instructor teaches at the same time, and all of them. */
const [AT_A_TIME, OF_AN_INSTRUCTOR] = [12, STUDENTS / INSTRUCTORS]

/**
 * Fills a school with a year of 20 instructors: 20,000 lessons of 720 students, with enrolments, tests, no-shows and
 * cancellations. `monday` begins this week.
 */
export async function fillYear(db: Database, tenantId: string, monday: string): Promise<void> {
  for (const [kind, count] of Object.entries({ instructor: INSTRUCTORS, student: STUDENTS }))
    await sql`insert into calendars (tenant_id, id, kind)
      select ${tenantId}, gen_random_uuid(), ${kind} from generate_series(1, ${sql.lit(count)})`.execute(db)
  await sql`create temp table person as
    select kind, id, row_number() over (partition by kind order by id)::integer - 1 as n
    from calendars where tenant_id = ${tenantId}`.execute(db)
  await sql`insert into instructors (tenant_id, id, first_name, last_name, color, license_classes, active,
      required_break_minutes, max_daily_units, max_weekly_units)
    select ${tenantId}, id, 'Instructor', 'Number ' || n, '#0072B2', '{B}', true, 0, 11, 50
    from person where kind = 'instructor'`.execute(db)
  await sql`insert into availability_windows (tenant_id, instructor_id, position, weekday, "start", "end")
    select ${tenantId}, id, weekday - 1, weekday, '07:00', '18:00' from person, generate_series(1, 5) weekday
    where kind = 'instructor'`.execute(db)
  await sql`insert into students (tenant_id, id, first_name, last_name, phone, birth_date, license_class_template_id)
    select ${tenantId}, person.id, 'Student', 'Number ' || n, '+49 171 ' || 5000000 + n, date '2005-01-01' + n, template.id
    from person join license_class_templates template on template.tenant_id = ${tenantId} and template.code = 'B'
    where kind = 'student'`.execute(db)
  await sql`insert into enrolments (tenant_id, id, student_id, template_id, license_class, begins_on, ends_on, outcome, is_current)
    select ${tenantId}, gen_random_uuid(), person.id, template.id, 'B', first, case when last < 0 then ${monday}::date + 7 * last end,
      case when last < 0 then 'passed' end, true
    from person join license_class_templates template on template.tenant_id = ${tenantId} and template.code = 'B',
      lateral (select n / ${sql.lit(INSTRUCTORS)} - ${sql.lit(AT_A_TIME)} as place) places,
      lateral (select ${monday}::date + 7 * (place * 2 - ${sql.lit(WEEKS.past)}) as first,
        (place + ${sql.lit(AT_A_TIME)}) * 2 - ${sql.lit(WEEKS.past)} as last) weeks
    where kind = 'student'`.execute(db)
  await sql`analyze`.execute(db)
  await book(db, tenantId, monday)
  await sql`vacuum (analyze, truncate false)`.execute(db)
}

async function book(db: Database, tenantId: string, monday: string): Promise<void> {
  await sql`insert into appointments (tenant_id, id, instructor_id, student_id, lesson_type_id, start_at, end_at, title, status,
      overrides_used, license_class, enrolment_id, cancellation, exam_result)
    select ${tenantId}, gen_random_uuid(), one.id, student.id, type.id, at, at + interval '90 minutes', type.name,
      state.status, '{}', 'B', enrolment.id,
      case when state.status = 'cancelled' then json_build_object('at', at - interval '1 day', 'by',
        case when number % 2 = 0 then 'student' else 'school' end, 'note', null, 'reason', null, 'charged', false,
        'is_late', weekday < 2, 'fee_percent', 0, 'notice_minutes', 1440) end,
      case when is_test and state.status = 'completed' then json_build_object('note', null, 'passed', student.n % 4 > 0) end
    from person one
      cross join generate_series(${sql.lit(-WEEKS.past)}, ${sql.lit(WEEKS.coming - 1)}) week
      cross join generate_series(0, 4) weekday cross join generate_series(0, 3) number
      cross join lateral (select (week + ${sql.lit(WEEKS.past)}) / 2 as place,
        ${monday}::date + 7 * week + weekday + (array[8, 10, 13, 15])[number + 1] * interval '1 hour' as at) starts
      cross join lateral (select (place + (number + 4 * weekday + 7 * (week + ${sql.lit(WEEKS.past)})) % ${sql.lit(AT_A_TIME)})
        % ${sql.lit(OF_AN_INSTRUCTOR)} as turn) turns
      cross join lateral (select turn = place and number < 2 as is_test) tests
      cross join lateral (select case when at >= now() then 'planned'
        when weekday = 2 and number = 3 and one.n % 7 = abs(week) % 7 then 'no_show'
        when (weekday + number + abs(week) + one.n) % 13 = 0 then 'cancelled' else 'completed' end as status) state
      join person student on student.kind = 'student' and student.n = turn * ${sql.lit(INSTRUCTORS)} + one.n
      join enrolments enrolment on enrolment.tenant_id = ${tenantId} and enrolment.student_id = student.id
      join lesson_types type on type.tenant_id = ${tenantId} and type.code = case
        when is_test then (array['THEORY_EXAM', 'PRACTICAL_EXAM'])[1 + number % 2]
        else (array['PRACTICE', 'RURAL', 'MOTORWAY', 'NIGHT', 'PRACTICE'])[1 + (abs(week) + weekday + number) % 5] end
    where one.kind = 'instructor'`.execute(db)
}
