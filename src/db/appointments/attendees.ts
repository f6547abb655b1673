import { type RawBuilder, sql } from 'kysely'
import { NIL } from 'uuid'

/** The enrolment of a lesson that nobody has given one, or none: an older release does not know the column. */
export const UNASSIGNED = sql.lit(NIL)

/** Whether a student attends a row of `appointments`. The time bounds are always true and let the planner use the index. */
export function isAttendedBy(student: RawBuilder<unknown>, alias = 'appointments'): RawBuilder<boolean> {
  const [attendees, start] = [sql.ref(`${alias}.attendees`), sql.ref(`${alias}.start_at`)]
  return sql<boolean>`${attendees} <> '[]'
    and ${attendees} @> jsonb_build_array(jsonb_build_object('student_id', ${student}::uuid))
    and ${start} >= '2000-01-01' and ${start} < '2100-01-01'`
}

export function isLessonOf(student: RawBuilder<unknown>, alias = 'appointments'): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${alias}.student_id`)} = ${student}::uuid or ${isAttendedBy(student, alias)})`
}

/** Selects a student's lessons and groups by a union: each half has its own index, which an `or` might not use. */
export function lessonsOf(
  tenantId: RawBuilder<unknown>,
  student: RawBuilder<unknown>,
  appointments: RawBuilder<unknown> = sql`appointments`,
): RawBuilder<unknown> {
  const ofSeat = sql`(
    select case when entry ? 'enrolment_id' then (entry ->> 'enrolment_id')::uuid else ${UNASSIGNED}::uuid end
    from jsonb_array_elements(attendees) entry where entry ->> 'student_id' = ${student}::text)`
  return sql`(select *, enrolment_id as given_enrolment from ${appointments}
      where appointments.tenant_id = ${tenantId} and appointments.student_id = ${student}
    union all select *, ${ofSeat} from ${appointments}
      where appointments.tenant_id = ${tenantId} and ${isAttendedBy(student)})`
}

/** Selects the outcome of a lesson for a student: its status, or `missed` for a completed group without their attendance. */
export function outcomeFor(student: RawBuilder<unknown>, alias = 'appointments'): RawBuilder<string> {
  const [status, attendees] = [sql.ref(`${alias}.status`), sql.ref(`${alias}.attendees`)]
  return sql<string>`case when ${status} <> 'completed' or ${attendees} = '[]' or ${attendees}
    @> jsonb_build_array(jsonb_build_object('student_id', ${student}::uuid, 'attended', true)) then ${status} else 'missed' end`
}
