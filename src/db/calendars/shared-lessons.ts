import { type RawBuilder, sql } from 'kysely'
import type { Appointment } from '../../contract/appointment.ts'
import type { Student } from '../../contract/student.ts'
import { endsAfter } from '../appointment-conditions.ts'
import { isLessonOf } from '../attendees.ts'
import type { Parameters } from '../connection/statement.ts'
import { type JsonList, jsonList } from '../json-list.ts'
import { endAt, startAt, utcText } from '../schema/columns.ts'
import type { Database } from '../schema/tables.ts'

type Times = Pick<Appointment, 'id' | 'start_at' | 'end_at' | 'status' | 'version'>

export type FeedLesson = Times &
  Pick<Appointment, 'title' | 'notes'> & {
    readonly changed_at: string
    readonly lesson_type: string
    readonly student: Person | null
  }

type Person = Pick<Student, 'first_name' | 'last_name' | 'phone' | 'phone_2'>

type FeedQuestion = {
  readonly tenantId: string
  readonly instructor_id: string
  readonly from: string
  readonly to: string
}

/** Lists an instructor's lessons by start, cancelled ones included. Deleted students are not named. */
export function listFeedLessons(db: Database, { tenantId, ...lessons }: FeedQuestion): JsonList {
  return feedLessons(db, tenantId, lessons)
}

const student = (
  tenantId: RawBuilder<string>,
) => sql`from students student where student.tenant_id = ${tenantId}
  and student.id = appointments.student_id and student.deleted_at is null`
const lessonType = (
  tenantId: RawBuilder<string>,
) => sql`from lesson_types lesson_type where lesson_type.tenant_id = ${tenantId}
  and lesson_type.id = appointments.lesson_type_id`

const feedLessons = jsonList(
  {
    from: 'appointments',
    orderedBy: { start_at: 'timestamp', id: 'uuid' },
    versionedBy: ({
      tenantId,
    }) => sql`version || ' ' || coalesce((select student.version ${student(tenantId)})::text, '') || ' '
      || (select lesson_type.updated_at ${lessonType(tenantId)})`,
  },
  (db, { tenantId, instructor_id, from, to }: Parameters<FeedQuestion>) =>
    db
      .selectFrom('appointments')
      .select(['id', startAt, endAt, 'status', 'title', 'notes', 'version'])
      .select([
        utcText(sql`greatest(updated_at, (select student.updated_at ${student(tenantId)}),
          (select lesson_type.updated_at ${lessonType(tenantId)}))`).as('changed_at'),
        sql<string>`(select name ${lessonType(tenantId)})`.as('lesson_type'),
        sql<Person | null>`(select json_build_object('first_name', first_name, 'last_name', last_name,
          'phone', phone, 'phone_2', phone_2) ${student(tenantId)})`.as('student'),
      ])
      .where('tenant_id', '=', tenantId)
      .where('deleted_at', 'is', null)
      .where(sql<boolean>`instructor_id = ${instructor_id}`)
      .where(sql<boolean>`start_at >= ${from}::timestamp and start_at < ${to}::timestamp`),
)

export type StudentLesson = Times & {
  readonly changed_at: string
  readonly lesson_type_id: string
  readonly instructor: string
  readonly pickup_place: string | null
  readonly is_single: boolean
  readonly is_confirmed: boolean
}

type StudentQuestion = {
  readonly tenantId: string
  readonly student_id: string
  readonly from: string
}

export function listStudentLessons(db: Database, { tenantId, ...lessons }: StudentQuestion): JsonList {
  return studentLessons(db, tenantId, lessons)
}

const instructor = (
  tenantId: RawBuilder<string>,
) => sql`from instructors instructor where instructor.tenant_id = ${tenantId}
  and instructor.id = appointments.instructor_id`

const studentLessons = jsonList(
  {
    from: 'appointments',
    orderedBy: { start_at: 'timestamp', id: 'uuid' },
    versionedBy: ({ tenantId }) => sql`version || ' ' || (select instructor.version ${instructor(tenantId)})`,
  },
  (db, { tenantId, student_id, from }: Parameters<StudentQuestion>) =>
    db
      .selectFrom('appointments')
      .select(['id', startAt, endAt, 'status', 'version', 'lesson_type_id', 'pickup_place'])
      .select([
        utcText(sql`greatest(updated_at, (select instructor.updated_at ${instructor(tenantId)}))`).as(
          'changed_at',
        ),
        sql<string>`(select first_name ${instructor(tenantId)})`.as('instructor'),
        sql<boolean>`student_id is not null`.as('is_single'),
        sql<boolean>`confirmed_at is not null`.as('is_confirmed'),
      ])
      .where('tenant_id', '=', tenantId)
      .where('deleted_at', 'is', null)
      .where('status', 'in', ['planned', 'cancelled'])
      .where(isLessonOf(student_id))
      .where(endsAfter(from)),
)
