import { type RawBuilder, sql } from 'kysely'
import type { Appointment } from '../../contract/appointment.ts'
import { APPOINTMENT_FIELDS } from '../../domain/appointment-fields.ts'
import { type NameOf, namesOf, type OfKind } from '../../domain/fields.ts'
import type { LocalDateTime } from '../../domain/local-time.ts'
import { type Parameters, statement } from '../connection/statement.ts'
import { jsonList } from '../json-list.ts'
import {
  actualEndAt,
  actualStartAt,
  confirmedAt,
  createdAt,
  endAt,
  startAt,
  updatedAt,
} from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'
import { endsAfter } from './appointment-conditions.ts'
import { isLessonOf, UNASSIGNED } from './attendees.ts'

type Field = NameOf<typeof APPOINTMENT_FIELDS>
type WallClock = OfKind<typeof APPOINTMENT_FIELDS, 'wall_clock'>

const enrolmentId = sql<string | null>`nullif(enrolment_id, ${UNASSIGNED})`.as('enrolment_id')

/** Returns the value to write for an enrolment. Null does not replace `NIL`, because the write may concern other fields. */
export function writtenEnrolment(id: RawBuilder<unknown> | string | null): RawBuilder<string | null> {
  return sql`case when enrolment_id = ${UNASSIGNED} then coalesce(${id}::uuid, enrolment_id) else ${id}::uuid end`
}

const SELECTED = {
  enrolment_id: enrolmentId,
  start_at: startAt,
  end_at: endAt,
  actual_start_at: actualStartAt,
  actual_end_at: actualEndAt,
} satisfies Record<WallClock | 'enrolment_id', unknown>

export const appointmentFields = namesOf(APPOINTMENT_FIELDS).map((name) =>
  name in SELECTED
    ? SELECTED[name as keyof typeof SELECTED]
    : (name as Exclude<Field, keyof typeof SELECTED>),
)

export const appointmentColumns = [
  'id',
  ...appointmentFields,
  'overrides_used',
  'series_id',
  'license_class',
  'cancellation',
  'no_show_fee_percent',
  confirmedAt,
  'version',
  createdAt,
  updatedAt,
] as const

export type StoredAppointment = Appointment & {
  readonly deleted: boolean
  readonly cancelled_with_student: boolean
}

export type AppointmentValues = Omit<Appointment, 'id' | 'version' | 'created_at' | 'updated_at'>

/** The criteria of a list; `[from, to)` selects the appointments that overlap it. */
export type AppointmentFilter = {
  readonly from?: LocalDateTime
  readonly to?: LocalDateTime
  readonly instructor_id?: string
  readonly student_id?: string
  readonly series_id?: string
  readonly status?: Appointment['status']
  readonly missed?: true
  readonly own?: string
}

export const stored = [
  ...appointmentColumns,
  sql<boolean>`deleted_at is not null`.as('deleted'),
  'cancelled_with_student',
] as const

export const isMissed = sql<boolean>`(status = 'no_show' or status = 'cancelled'
  and (cancellation ->> 'charged' = 'true'
    or cancellation ->> 'is_late' = 'true' and cancellation ->> 'by' = 'student'))`

const BY_START = {
  from: 'appointments',
  orderedBy: { start_at: 'timestamp', id: 'uuid' },
  versionedBy: 'version',
} as const

export const listAppointments = jsonList(
  BY_START,
  (db, values: Parameters<AppointmentFilter & { tenantId: string }>) => {
    const { tenantId, from, to, instructor_id, student_id, series_id, status, missed, own } = values
    return db
      .selectFrom('appointments')
      .select(appointmentColumns)
      .where('tenant_id', '=', tenantId)
      .where('deleted_at', 'is', null)
      .$if(to !== undefined, (rest) => rest.where(sql<boolean>`start_at < ${to}::timestamp`))
      .$if(from !== undefined, (rest) => rest.where(endsAfter(sql`${from}`)))
      .$if(from !== undefined && to !== undefined, (rest) =>
        rest.where(sql<boolean>`${from}::timestamp < ${to}::timestamp`),
      )
      .$if(instructor_id !== undefined, (rest) => rest.where(sql<boolean>`instructor_id = ${instructor_id}`))
      .$if(own !== undefined, (rest) => rest.where(sql<boolean>`instructor_id = ${own}`))
      .$if(student_id !== undefined, (rest) => rest.where(isLessonOf(sql`${student_id}`)))
      .$if(series_id !== undefined, (rest) => rest.where(sql<boolean>`series_id = ${series_id}`))
      .$if(status !== undefined, (rest) => rest.where(sql<boolean>`status = ${status}`))
      .$if(missed !== undefined, (rest) => rest.where(isMissed))
  },
)

export async function findStoredAppointment(
  db: Database,
  tenantId: string,
  id: string,
): Promise<StoredAppointment | undefined> {
  return withId(db, tenantId, id).executeTakeFirst()
}

/** Locks and returns an appointment. Lock its instructor and student first. */
export async function lockAppointment(
  db: Transaction,
  tenantId: string,
  id: string,
): Promise<StoredAppointment | undefined> {
  return withId(db, tenantId, id).forNoKeyUpdate().executeTakeFirst()
}

/** Locks and returns appointments, deleted or not. Lock their instructors and students first. */
export async function lockAppointments(
  db: Transaction,
  tenantId: string,
  ids: readonly string[],
): Promise<StoredAppointment[]> {
  return withIds(db, tenantId, ids).orderBy('id').forNoKeyUpdate().execute()
}

export async function listStoredAppointments(
  db: Database,
  tenantId: string,
  ids: readonly string[],
): Promise<StoredAppointment[]> {
  return withIds(db, tenantId, ids).execute()
}

export type ChosenAppointments = {
  readonly instructor_id: string
  readonly ids: readonly string[]
  readonly first: LocalDateTime
  readonly last: LocalDateTime
}

export async function listChosenAppointments(
  db: Database,
  tenantId: string,
  choice: ChosenAppointments,
): Promise<Appointment[]> {
  return selectChosen(db, { tenantId, ...choice })
}

/** A query with a time range, which allows an index: by ids alone, PostgreSQL would read all of the tenant's rows. */
const selectChosen = statement(
  (
    db,
    {
      tenantId,
      instructor_id,
      ids,
      first,
      last,
    }: Parameters<ChosenAppointments & { readonly tenantId: string }>,
  ) =>
    db
      .selectFrom('appointments')
      .select(appointmentColumns)
      .where('tenant_id', '=', tenantId)
      .where('instructor_id', '=', instructor_id)
      .where(sql<boolean>`start_at between ${first}::timestamp and ${last}::timestamp`)
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .where('deleted_at', 'is', null)
      .orderBy('appointments.start_at')
      .orderBy('id')
      .compile(),
)

/** Selects by a subquery, which looks up the ids one by one: with `= any`, PostgreSQL would read all of the school's rows. */
function withIds(db: Database, tenantId: string, ids: readonly string[]) {
  return db
    .selectFrom('appointments')
    .select(stored)
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`id in (select unnest(${ids}::uuid[]))`)
}

function withId(db: Database, tenantId: string, id: string) {
  return db.selectFrom('appointments').select(stored).where('tenant_id', '=', tenantId).where('id', '=', id)
}
