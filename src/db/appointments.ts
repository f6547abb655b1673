import { type AliasedRawBuilder, sql } from 'kysely'
import type { Actor } from '../contract/actor.ts'
import type { Appointment } from '../contract/appointment.ts'
import type { LocalDateTime } from '../domain/local-time.ts'
import {
  type CalendarVersion,
  type SeenCalendars,
  seenCalendars,
  unmovedCalendars,
} from './calendar-locks.ts'
import { type ChangeValues, changedFields, changeValues, deedOf, recordedChange } from './changes.ts'
import { actualEndAt, actualStartAt, createdAt, endAt, startAt, updatedAt } from './columns.ts'
import { type IdempotencyKey, type KeyValues, keptAnswer, keyValues } from './idempotency-keys.ts'
import { type JsonList, jsonList } from './json-list.ts'
import { type Parameters, statement } from './statement.ts'
import type { Database, Transaction } from './tables.ts'

/** The columns of an `Appointment`. */
export const appointmentColumns = [
  'id',
  'instructor_id',
  'student_id',
  'lesson_type_id',
  startAt,
  endAt,
  'title',
  'status',
  'notes',
  'practised',
  actualStartAt,
  actualEndAt,
  'overrides_used',
  'series_id',
  'version',
  createdAt,
  updatedAt,
] as const

/** An appointment as stored, with what the wire does not show. */
export type StoredAppointment = Appointment & {
  readonly deleted: boolean
  /** Deleting the student cancelled it: restoring the student finds it again. */
  readonly cancelled_with_student: boolean
}

/** What a booking writes. */
export type AppointmentValues = Omit<Appointment, 'id' | 'version' | 'created_at' | 'updated_at'>

/** Which appointments to list: those that overlap `[from, to)`, of an instructor, of a student, of a series. */
export type AppointmentFilter = {
  readonly from?: LocalDateTime
  readonly to?: LocalDateTime
  readonly instructor_id?: string
  readonly student_id?: string
  readonly series_id?: string
  /** Only of this instructor, whatever else is asked for. */
  readonly own?: string
}

/** The columns of a `StoredAppointment`. */
export const stored = [
  ...appointmentColumns,
  sql<boolean>`deleted_at is not null`.as('deleted'),
  'cancelled_with_student',
] as const
const written = selectionOf(stored)
const shown = selectionOf(appointmentColumns)

/** Texts are made of times where a row is read: on a worker of a cluster, what writes it may not. */
function selectionOf(columns: readonly (string | AliasedRawBuilder<unknown, string>)[]) {
  return sql.join(columns.map((one) => (typeof one === 'string' ? sql.ref(one) : one)))
}

/** The tenant's appointments by start, cancelled ones included. */
export function listAppointments(db: Database, tenantId: string, filter: AppointmentFilter): JsonList {
  return appointments(db, { ...filter, tenantId })
}

const BY_START = {
  from: 'appointments',
  orderedBy: { start_at: 'timestamp', id: 'uuid' },
  versionedBy: 'version',
} as const

const appointments = jsonList(
  BY_START,
  (db, values: Parameters<AppointmentFilter & { tenantId: string }>) => {
    const { tenantId, from, to, instructor_id, student_id, series_id, own } = values
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
        .$if(instructor_id !== undefined, (rest) =>
          rest.where(sql<boolean>`instructor_id = ${instructor_id}`),
        )
        .$if(own !== undefined, (rest) => rest.where(sql<boolean>`instructor_id = ${own}`))
        .$if(student_id !== undefined, (rest) => rest.where(sql<boolean>`student_id = ${student_id}`))
        .$if(series_id !== undefined, (rest) => rest.where(sql<boolean>`series_id = ${series_id}`))
    )
  },
)

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

/**
 * Stores an appointment that was decided on calendars as they were seen, and notes it, in one statement that locks and
 * compares them. Nothing if one of them has moved. With a key it keeps the answer too, and fails if the key is taken.
 */
export async function insertAppointment(
  db: Database,
  actor: Actor,
  appointment: AppointmentValues & { readonly id: string },
  { seen, key }: { readonly seen: readonly CalendarVersion[]; readonly key: IdempotencyKey | undefined },
): Promise<StoredAppointment | undefined> {
  const [row] = await insertOne(db, {
    ...appointment,
    ...seenCalendars(seen),
    ...changeValues(actor, deedOf('appointment', undefined, appointment)),
    ...keyValues(actor, key),
  })
  return row
}

/** What a booking or a change writes, and its types in SQL. */
const WRITTEN = Object.entries({
  instructor_id: 'uuid',
  student_id: 'uuid',
  lesson_type_id: 'uuid',
  start_at: 'timestamp',
  end_at: 'timestamp',
  title: 'text',
  status: 'text',
  notes: 'text',
  practised: 'text',
  actual_start_at: 'timestamp',
  actual_end_at: 'timestamp',
  overrides_used: 'text[]',
  series_id: 'uuid',
} satisfies Record<keyof AppointmentValues, string>) as [keyof AppointmentValues, string][]

type InsertedRow = AppointmentValues & SeenCalendars & ChangeValues & KeyValues & { readonly id: string }

const insertOne = statement((db, row: Parameters<InsertedRow>) => {
  const { tenant_id, id } = row
  const { locks, unmoved } = unmovedCalendars(tenant_id, row)
  const columns = sql.join(WRITTEN.map(([name]) => sql.ref(name)))
  const values = sql.join(WRITTEN.map(([name, type]) => sql`${row[name]}::${sql.raw(type)}`))
  return sql<StoredAppointment>`
    with ${locks} written as (
      insert into appointments (tenant_id, id, ${columns})
      select ${tenant_id}::uuid, ${id}::uuid, ${values}
      where ${unmoved}
      returning *),
    noted as (${recordedChange(row, 'written')}) ${keptAnswer(tenant_id, row, sql`select ${shown} from written`)}
    select ${written} from written`.compile(db)
})

/** An appointment as it was read, and as it shall be. */
export type Replacement = { readonly stored: StoredAppointment; readonly next: StoredAppointment }

/**
 * Gives an appointment that is still as it was read its next values, and notes what has changed, in one statement that
 * locks and compares the calendars that were decided on, if any. Nothing if it or one of them has moved. Where nothing
 * differs nothing is written.
 */
export async function updateAppointment(
  db: Database,
  actor: Actor,
  { stored, next }: Replacement,
  seen: readonly CalendarVersion[] = [],
): Promise<StoredAppointment | undefined> {
  if (isSame(stored, next)) return stored
  const [row] = await updateOne(db, {
    ...next,
    deleted_at: next.deleted ? actor.now : null,
    read_version: stored.version,
    ...seenCalendars(seen),
    ...changeValues(actor, deedOf('appointment', stored, next)),
  })
  return row
}

type UpdatedRow = AppointmentValues &
  SeenCalendars &
  ChangeValues & {
    readonly id: string
    readonly cancelled_with_student: boolean
    readonly deleted_at: Date | null
    readonly read_version: number
  }

const updateOne = statement((db, row: Parameters<UpdatedRow>) => {
  const { tenant_id, id } = row
  const { locks, unmoved } = unmovedCalendars(tenant_id, row)
  const values = WRITTEN.map(([name, type]) => sql`${sql.ref(name)} = ${row[name]}::${sql.raw(type)}`)
  return sql<StoredAppointment>`
    with ${locks} written as (
      update appointments set ${sql.join(values)},
        cancelled_with_student = ${row.cancelled_with_student}, deleted_at = ${row.deleted_at}::timestamptz,
        version = version + 1, updated_at = now()
      where tenant_id = ${tenant_id} and id = ${id} and version = ${row.read_version} and ${unmoved}
      returning *),
    noted as (${recordedChange(row, 'written')})
    select ${written} from written`.compile(db)
})

function isSame(stored: StoredAppointment, next: StoredAppointment): boolean {
  const hasMoved =
    stored.deleted !== next.deleted || stored.cancelled_with_student !== next.cancelled_with_student
  return !hasMoved && changedFields(stored, next) === undefined
}
