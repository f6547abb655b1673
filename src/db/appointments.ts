import { sql } from 'kysely'
import type { Appointment } from '../contract/appointment.ts'
import type { LocalDateTime } from '../domain/local-time.ts'
import type { CalendarVersions } from './agenda.ts'
import { createdAt, endAt, startAt, updatedAt } from './columns.ts'
import { type JsonList, jsonList, PAGE_SIZE } from './json-list.ts'
import { statement } from './statement.ts'
import type { Database, Transaction } from './tables.ts'

const appointmentColumns = [
  'id',
  'instructor_id',
  'student_id',
  'lesson_type_id',
  startAt,
  endAt,
  'title',
  'status',
  'notes',
  'overrides_used',
  'version',
  createdAt,
  updatedAt,
] as const

/** An appointment as stored, with what the wire does not show. */
export type StoredAppointment = Appointment & { readonly deleted: boolean }

/** What a booking writes. */
export type AppointmentValues = Omit<Appointment, 'id' | 'version' | 'created_at' | 'updated_at'>

/** Which appointments to list: those that overlap `[from, to)`, of an instructor, of a student. */
export type AppointmentFilter = {
  readonly from?: LocalDateTime
  readonly to?: LocalDateTime
  readonly instructor_id?: string
  readonly student_id?: string
}

const stored = [...appointmentColumns, sql<boolean>`deleted_at is not null`.as('deleted')] as const

/** The tenant's appointments by start, cancelled ones included. */
export function listAppointments(db: Database, tenantId: string, filter: AppointmentFilter): JsonList {
  return appointments(db, { ...filter, tenantId })
}

const BY_START = { orderedBy: ['start_at', 'id'], versionedBy: 'version' } as const

const appointments = jsonList(BY_START, (db, values: AppointmentFilter & { tenantId: string }, after) => {
  const { tenantId, from, to, instructor_id, student_id } = values
  return (
    db
      .selectFrom('appointments')
      .select(appointmentColumns)
      .where('tenant_id', '=', tenantId)
      .where('deleted_at', 'is', null)
      .$if(to !== undefined, (rest) => rest.where(sql<boolean>`start_at < ${to}::timestamp`))
      // Nothing lasts more than 24 hours: the second bound lets the index on start_at do the work of the first.
      .$if(from !== undefined, (rest) =>
        rest.where(
          sql<boolean>`end_at > ${from}::timestamp and start_at > ${from}::timestamp - interval '24 hours'`,
        ),
      )
      .$if(from !== undefined && to !== undefined, (rest) =>
        rest.where(sql<boolean>`${from}::timestamp < ${to}::timestamp`),
      )
      .$if(instructor_id !== undefined, (rest) => rest.where('instructor_id', '=', instructor_id ?? ''))
      .$if(student_id !== undefined, (rest) => rest.where('student_id', '=', student_id ?? ''))
      .$if(after !== undefined, (rest) =>
        rest.where(sql<boolean>`(start_at, id) > (${after?.[0]}::timestamp, ${after?.[1]}::uuid)`),
      )
      .orderBy('appointments.start_at')
      .orderBy('id')
  )
})

/** The appointment, deleted or not. */
export async function findStoredAppointment(
  db: Database,
  tenantId: string,
  id: string,
): Promise<StoredAppointment | undefined> {
  return withId(db, tenantId, id).executeTakeFirst()
}

/** The same, locked. Comes after the locks of its instructor and student. */
export async function lockAppointment(
  db: Transaction,
  tenantId: string,
  id: string,
): Promise<StoredAppointment | undefined> {
  return withId(db, tenantId, id).forNoKeyUpdate().executeTakeFirst()
}

function withId(db: Database, tenantId: string, id: string) {
  return db.selectFrom('appointments').select(stored).where('tenant_id', '=', tenantId).where('id', '=', id)
}

/** Stores an appointment that the rules have accepted. */
export async function insertAppointment(
  db: Transaction,
  tenantId: string,
  appointment: AppointmentValues & { id: string },
): Promise<StoredAppointment> {
  const [row] = await insertOne(db, { ...appointment, tenant_id: tenantId })
  if (!row) throw new Error('nothing was stored')
  return row
}

const insertOne = statement((db, row: AppointmentValues & { id: string; tenant_id: string }) => {
  const { tenant_id, id, instructor_id, student_id, lesson_type_id, start_at, end_at } = row
  const { title, status, notes, overrides_used } = row
  const who = { tenant_id, id, instructor_id, student_id, lesson_type_id }
  return db
    .insertInto('appointments')
    .values({ ...who, start_at, end_at, title, status, notes, overrides_used, deleted_at: null })
    .returning(stored)
    .compile()
})

/**
 * Stores an appointment that the rules have accepted, if nobody has touched the calendars since: locks them in the order
 * of `lockParticipants`, compares their versions and counts them on, all in one statement. Nothing if one has moved.
 */
export async function insertIfUnmoved(
  db: Database,
  tenantId: string,
  appointment: AppointmentValues & { id: string },
  calendars: CalendarVersions,
): Promise<StoredAppointment | undefined> {
  const [row] = await insertComparing(db, {
    ...appointment,
    tenant_id: tenantId,
    instructor_calendar: calendars.instructor,
    student_calendar: calendars.student,
  })
  return row
}

type ComparedRow = AppointmentValues & {
  readonly id: string
  readonly tenant_id: string
  readonly instructor_calendar: number
  readonly student_calendar: number | null
}

const insertComparing = statement((db, row: ComparedRow) => {
  const { tenant_id, id, instructor_id, student_id, lesson_type_id, start_at, end_at } = row
  const returned = sql.join(stored.map((one) => (typeof one === 'string' ? sql.ref(one) : one)))
  return sql<StoredAppointment>`
    with instructor as (
      update instructors set calendar_version = calendar_version + 1
      where tenant_id = ${tenant_id} and id = ${instructor_id} and calendar_version = ${row.instructor_calendar}
      returning id),
    student as (
      update students set calendar_version = calendar_version + 1
      where tenant_id = ${tenant_id} and id = ${student_id}::uuid and calendar_version = ${row.student_calendar}::integer
        and exists (select from instructor)
      returning id)
    insert into appointments (tenant_id, id, instructor_id, student_id, lesson_type_id,
      start_at, end_at, title, status, notes, overrides_used)
    select ${tenant_id}::uuid, ${id}::uuid, ${instructor_id}::uuid, ${student_id}::uuid, ${lesson_type_id}::uuid,
      ${start_at}::timestamp, ${end_at}::timestamp, ${row.title}, ${row.status}, ${row.notes}, ${row.overrides_used}::text[]
    from instructor
    where ${student_id}::uuid is null or exists (select from student)
    returning ${returned}`.compile(db)
})

/** Stores many appointments at once; whoever calls has asked the rules. */
export async function insertAppointments(
  db: Database,
  tenantId: string,
  appointments: readonly (AppointmentValues & { id: string })[],
): Promise<void> {
  const rows = appointments.map((appointment) => ({ ...appointment, tenant_id: tenantId, deleted_at: null }))
  for (let at = 0; at < rows.length; at += PAGE_SIZE) {
    await db
      .insertInto('appointments')
      .values(rows.slice(at, at + PAGE_SIZE))
      .execute()
  }
}

/** Changes an appointment that is locked. */
export async function updateAppointment(
  db: Transaction,
  tenantId: string,
  id: string,
  change: Partial<AppointmentValues> & { deleted_at?: Date | null },
): Promise<StoredAppointment> {
  return db
    .updateTable('appointments')
    .set({
      ...change,
      ...(change.status || change.student_id !== undefined ? { cancelled_with_student: false } : {}),
      version: sql<number>`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .returning(stored)
    .executeTakeFirstOrThrow()
}

/** Cancels a student's planned appointments that start later than now; a restore of the student finds them again. */
export async function cancelFutureAppointmentsOf(
  db: Transaction,
  tenantId: string,
  studentId: string,
  now: LocalDateTime,
): Promise<void> {
  await db
    .updateTable('appointments')
    .set({
      status: 'cancelled',
      cancelled_with_student: true,
      version: sql<number>`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('tenant_id', '=', tenantId)
    .where('student_id', '=', studentId)
    .where('deleted_at', 'is', null)
    .where('status', '=', 'planned')
    .where(sql<boolean>`start_at > ${now}::timestamp`)
    .execute()
}

/** What the deletion of the student cancelled, earliest first. */
export async function listCancelledWithStudent(
  db: Database,
  tenantId: string,
  studentId: string,
): Promise<StoredAppointment[]> {
  return db
    .selectFrom('appointments')
    .select(stored)
    .where('tenant_id', '=', tenantId)
    .where('student_id', '=', studentId)
    .where('deleted_at', 'is', null)
    .where('cancelled_with_student', '=', true)
    .orderBy('appointments.start_at')
    .orderBy('id')
    .execute()
}
