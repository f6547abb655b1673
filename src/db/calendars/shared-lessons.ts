import { type RawBuilder, sql } from 'kysely'
import type { Appointment } from '../../contract/appointment.ts'
import type { Student } from '../../contract/student.ts'
import type { Cancellation } from '../../domain/cancellation.ts'
import type { LocalDateTime } from '../../domain/local-time.ts'
import { endsAfter } from '../appointments/appointment-conditions.ts'
import { isMissed } from '../appointments/appointments.ts'
import { isLessonOf } from '../appointments/attendees.ts'
import type { Parameters } from '../connection/statement.ts'
import { type JsonList, jsonList } from '../json-list.ts'
import { endAt, startAt, utcText } from '../schema/columns.ts'
import type { Database } from '../schema/tables.ts'

type Times = Pick<Appointment, 'id' | 'start_at' | 'end_at' | 'status' | 'version'>

export type FeedLesson = Times &
  Pick<Appointment, 'title' | 'notes'> & {
    readonly changed_at: string
    readonly lesson_type: string
    readonly former_names: readonly string[]
    readonly place: string | null
    readonly student: Person | null
  } & Content

/** The topic of a class, and the names of the vehicles. */
type Content = { readonly topic: string | null; readonly vehicles: string | null }

type Person = Pick<Student, 'first_name' | 'last_name' | 'phone' | 'phone_2'>

type FeedQuery = {
  readonly tenantId: string
  readonly instructor_id: string
  readonly from: string
  readonly to: string
}

/** Lists an instructor's lessons by start, cancelled ones included. Deleted students are not named. */
export function listFeedLessons(db: Database, { tenantId, ...lessons }: FeedQuery): JsonList {
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

const branch = (
  tenantId: RawBuilder<string>,
) => sql`from locations branch where branch.tenant_id = ${tenantId}
  and branch.id = coalesce(appointments.location_id, (select location_id from instructors own
    where own.tenant_id = ${tenantId} and own.id = appointments.instructor_id))`

const branchVersion = (tenantId: RawBuilder<string>) =>
  sql`coalesce((select branch.id || ' ' || branch.version ${branch(tenantId)}), '')`

const place = (tenantId: RawBuilder<string>) =>
  sql<string | null>`coalesce(pickup_place, (select branch.address ${branch(tenantId)}))`.as('place')

const vehicles = (
  tenantId: RawBuilder<string>,
) => sql`from vehicles vehicle where vehicle.tenant_id = ${tenantId}
  and vehicle.id = any(appointments.vehicle_ids)`

const vehicleVersions = (tenantId: RawBuilder<string>) =>
  sql`coalesce((select string_agg(vehicle.id || ' ' || vehicle.version, ' ' order by vehicle.id) ${vehicles(tenantId)}), '')`

const content = (tenantId: RawBuilder<string>) =>
  [
    'topic',
    sql<string | null>`(select string_agg(concat_ws(' ', vehicle.name, '(' || vehicle.plate || ')'), ', '
      order by array_position(appointments.vehicle_ids, vehicle.id)) ${vehicles(tenantId)})`.as('vehicles'),
  ] as const

const feedLessons = jsonList(
  {
    from: 'appointments',
    orderedBy: { start_at: 'timestamp', id: 'uuid' },
    versionedBy: ({
      tenantId,
    }) => sql`version || ' ' || coalesce((select student.version ${student(tenantId)})::text, '') || ' '
      || (select lesson_type.updated_at ${lessonType(tenantId)}) || ' ' || ${branchVersion(tenantId)}
      || ' ' || ${vehicleVersions(tenantId)}`,
  },
  (db, { tenantId, instructor_id, from, to }: Parameters<FeedQuery>) =>
    db
      .selectFrom('appointments')
      .select(['id', startAt, endAt, 'status', 'title', 'notes', 'version'])
      .select([
        utcText(sql`greatest(updated_at, (select student.updated_at ${student(tenantId)}),
          (select lesson_type.updated_at ${lessonType(tenantId)}), (select branch.updated_at ${branch(tenantId)}),
          (select max(vehicle.updated_at) ${vehicles(tenantId)}))`).as('changed_at'),
        place(tenantId),
        ...content(tenantId),
        sql<string>`(select name ${lessonType(tenantId)})`.as('lesson_type'),
        sql<string[]>`(select former_names ${lessonType(tenantId)})`.as('former_names'),
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
  readonly place: string | null
  readonly is_single: boolean
  readonly is_confirmed: boolean
  readonly cancelled_by: Cancellation['by'] | null
  /** The fee of a cancellation or a no-show; null if there is neither. */
  readonly fee_percent: number | null
} & Content

type StudentQuery = {
  readonly tenantId: string
  readonly student_id: string
  readonly from: string
}

export function listStudentLessons(db: Database, { tenantId, ...lessons }: StudentQuery): JsonList {
  return studentLessons(db, tenantId, lessons)
}

const instructor = (
  tenantId: RawBuilder<string>,
) => sql`from instructors instructor where instructor.tenant_id = ${tenantId}
  and instructor.id = appointments.instructor_id`

const charges = [
  sql<Cancellation['by'] | null>`cancellation ->> 'by'`.as('cancelled_by'),
  sql<number | null>`coalesce((cancellation ->> 'fee_percent')::integer, no_show_fee_percent)`.as(
    'fee_percent',
  ),
] as const

const studentLessons = jsonList(
  {
    from: 'appointments',
    orderedBy: { start_at: 'timestamp', id: 'uuid' },
    versionedBy: ({ tenantId }) => sql`version || ' ' || (select instructor.version ${instructor(tenantId)})
      || ' ' || ${branchVersion(tenantId)} || ' ' || ${vehicleVersions(tenantId)}`,
  },
  (db, { tenantId, student_id, from }: Parameters<StudentQuery>) =>
    db
      .selectFrom('appointments')
      .select(['id', startAt, endAt, 'status', 'version', 'lesson_type_id', 'pickup_place'])
      .select([
        utcText(sql`greatest(updated_at, (select instructor.updated_at ${instructor(tenantId)}),
          (select branch.updated_at ${branch(tenantId)}), (select max(vehicle.updated_at) ${vehicles(tenantId)}))`).as(
          'changed_at',
        ),
        place(tenantId),
        ...content(tenantId),
        sql<string>`(select first_name ${instructor(tenantId)})`.as('instructor'),
        sql<boolean>`student_id is not null`.as('is_single'),
        sql<boolean>`confirmed_at is not null`.as('is_confirmed'),
        ...charges,
      ])
      .where('tenant_id', '=', tenantId)
      .where('deleted_at', 'is', null)
      .where('status', 'in', ['planned', 'cancelled'])
      .where(isLessonOf(student_id))
      .where(endsAfter(from)),
)

export type OwnLesson = Pick<Appointment, 'id' | 'start_at' | 'end_at' | 'instructor_id' | 'lesson_type_id'>

/** Returns a student's own planned lessons that are not over, by start; not the classes that the student attends. */
export function readComingLessons(
  db: Database,
  { tenantId, student_id, from }: StudentQuery,
): Promise<readonly OwnLesson[]> {
  return db
    .selectFrom('appointments')
    .select(['id', startAt, endAt, 'instructor_id', 'lesson_type_id'])
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .where('status', '=', 'planned')
    .where('student_id', '=', student_id)
    .where(endsAfter(from))
    .orderBy('start_at')
    .execute()
}

/** A lesson as the student's calendar shows it, deleted ones included. */
export type InvitedLesson = Pick<
  StudentLesson,
  'id' | 'version' | 'lesson_type_id' | 'instructor' | 'place'
> &
  Content

export async function readInvitedLessons(
  db: Database,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, InvitedLesson>> {
  if (ids.length === 0) return new Map()
  const tenant = sql<string>`${tenantId}`
  const rows = await db
    .selectFrom('appointments')
    .select(['id', 'version', 'lesson_type_id', place(tenant), ...content(tenant)])
    .select(sql<string>`(select first_name ${instructor(tenant)})`.as('instructor'))
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export type MissedLesson = Pick<
  StudentLesson,
  'start_at' | 'end_at' | 'status' | 'lesson_type_id' | 'cancelled_by' | 'fee_percent'
>

/** Returns a student's missed lessons and late cancellations since a time, without the coming ones, the latest first. */
export function readMissedLessons(
  db: Database,
  { tenantId, student_id, from }: StudentQuery,
  { now, limit }: { readonly now: LocalDateTime; readonly limit: number },
): Promise<readonly MissedLesson[]> {
  return db
    .selectFrom('appointments')
    .select([startAt, endAt, 'status', 'lesson_type_id', ...charges])
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`student_id = ${student_id} and start_at >= ${from}::timestamp`)
    .where(isMissed)
    .where(sql<boolean>`(status = 'no_show' or end_at <= ${now}::timestamp)`)
    .orderBy('start_at', 'desc')
    .limit(limit)
    .execute()
}
