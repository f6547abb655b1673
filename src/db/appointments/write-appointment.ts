import { sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import { APPOINTMENT_FIELDS } from '../../domain/appointment-fields.ts'
import { isCounted } from '../../domain/counted.ts'
import { isSameAgreement } from '../../domain/messages.ts'
import {
  type CalendarVersion,
  lockUnchanged,
  type SeenCalendars,
  seenCalendars,
  unchangedCalendars,
} from '../calendars/calendar-locks.ts'
import { type Parameters, statement } from '../connection/statement.ts'
import {
  type IdempotencyKey,
  type KeyValues,
  keyValues,
  storedResponsePart,
  storeResponse,
} from '../idempotency-keys.ts'
import {
  type ChangeValues,
  changedFields,
  changeEntryFor,
  changeValues,
  recordChanges,
  recordedCause,
  recordedChange,
} from '../log/changes.ts'
import { selectionOf, sqlTypesOf } from '../schema/columns.ts'
import { type Database, needsSeparateStatements, type Transaction } from '../schema/tables.ts'
import {
  type AppointmentValues,
  appointmentColumns,
  findStoredAppointment,
  type StoredAppointment,
  stored,
} from './appointments.ts'

/** The returned columns of a write. A separate select formats times, because a cluster's worker cannot do so in a write. */
const written = selectionOf(stored)
const shown = selectionOf(appointmentColumns)

/**
 * Locks and compares calendars, inserts an appointment and records it, in one statement. Returns undefined if a calendar has
 * changed. With a key, also stores the response, and throws if the key is taken.
 */
export async function insertAppointment(
  db: Database,
  actor: Actor,
  appointment: AppointmentValues & { readonly id: string },
  { seen, key }: { readonly seen: readonly CalendarVersion[]; readonly key: IdempotencyKey | undefined },
): Promise<StoredAppointment | undefined> {
  if (needsSeparateStatements(db)) return insertInSteps(db, actor, appointment, { seen, key })
  const [row] = await insertOne(db, {
    ...asWritten(appointment),
    ...seenCalendars(seen),
    ...changeValues(actor, changeEntryFor('appointment', undefined, appointment)),
    ...keyValues(actor, key),
  })
  return row
}

type WrittenValues = Omit<AppointmentValues, 'attendees'> & { readonly attendees: string }

function asWritten<T extends AppointmentValues>(
  values: T,
): Omit<T, 'attendees'> & { readonly attendees: string } {
  return { ...values, attendees: JSON.stringify(values.attendees) }
}

const WRITTEN = Object.entries({
  ...sqlTypesOf(APPOINTMENT_FIELDS),
  overrides_used: 'text[]',
  series_id: 'uuid',
  license_class: 'text',
  cancellation: 'json',
  no_show_fee_percent: 'smallint',
  confirmed_at: 'timestamptz',
} satisfies Record<keyof AppointmentValues, string>) as [keyof AppointmentValues, string][]

type InsertedRow = WrittenValues & SeenCalendars & ChangeValues & KeyValues & { readonly id: string }

const insertOne = statement((db, row: Parameters<InsertedRow>) => {
  const { tenant_id, id } = row
  const { locks, unchanged } = unchangedCalendars(tenant_id, row)
  const columns = sql.join(WRITTEN.map(([name]) => sql.ref(name)))
  const values = sql.join(WRITTEN.map(([name, type]) => sql`${row[name]}::${sql.raw(type)}`))
  return sql<StoredAppointment>`
    with ${locks} written as (
      insert into appointments (tenant_id, id, ${columns})
      select ${tenant_id}::uuid, ${id}::uuid, ${values}
      where ${unchanged}
      returning *),
    ${recordedCause(row, 'written')}
    noted as (${recordedChange(row, 'written')}) ${storedResponsePart(tenant_id, row, sql`select ${shown} from written`)}
    select ${written} from written`.compile(db)
})

export type AppointmentUpdate = { readonly stored: StoredAppointment; readonly next: StoredAppointment }

/**
 * Locks and compares calendars, updates an appointment and records it, in one statement. Returns undefined if the appointment
 * or a calendar has changed since it was read. Writes nothing if no value differs.
 */
export async function updateAppointment(
  db: Database,
  actor: Actor,
  { stored, next: wanted }: AppointmentUpdate,
  seen: readonly CalendarVersion[] = [],
): Promise<StoredAppointment | undefined> {
  const next = withConfirmation(stored, wanted)
  if (isSame(stored, next)) return stored
  if (needsSeparateStatements(db)) return updateInSteps(db, actor, { stored, next }, seen)
  const [row] = await updateOne(db, {
    ...asWritten(next),
    deleted_at: next.deleted ? actor.now : null,
    read_version: stored.version,
    keeps_enrolment: next.enrolment_id === stored.enrolment_id,
    ...seenCalendars(seen),
    ...changeValues(actor, changeEntryFor('appointment', stored, next)),
  })
  return row
}

function withConfirmation(stored: StoredAppointment, next: StoredAppointment): StoredAppointment {
  const isGiven = next.confirmed_at !== stored.confirmed_at
  if (isGiven || next.confirmed_at === null) return next
  const isKept = isSameAgreement(stored, next) && next.student_id === stored.student_id && isCounted(next)
  return isKept ? next : { ...next, confirmed_at: null }
}

function replaced(row: Parameters<AloneRow>) {
  const values = WRITTEN.map(([name, type]) =>
    name === 'enrolment_id'
      ? sql`enrolment_id = case when ${row.keeps_enrolment}::boolean then enrolment_id else ${row.enrolment_id}::uuid end`
      : sql`${sql.ref(name)} = ${row[name]}::${sql.raw(type)}`,
  )
  return sql`update appointments set ${sql.join(values)},
      cancelled_with_student = ${row.cancelled_with_student}, deleted_at = ${row.deleted_at}::timestamptz,
      version = version + 1, updated_at = now()
    where tenant_id = ${row.tenant_id} and id = ${row.id} and version = ${row.read_version}`
}

type UpdatedRow = WrittenValues &
  SeenCalendars &
  ChangeValues & {
    readonly id: string
    readonly cancelled_with_student: boolean
    readonly deleted_at: Date | null
    readonly read_version: number
    readonly keeps_enrolment: boolean
  }

const updateOne = statement((db, row: Parameters<UpdatedRow>) => {
  const { tenant_id } = row
  const { locks, unchanged } = unchangedCalendars(tenant_id, row)
  return sql<StoredAppointment>`
    with ${locks} written as (${replaced(row)} and ${unchanged} returning *),
    ${recordedCause(row, 'written')}
    noted as (${recordedChange(row, 'written')})
    select ${written} from written`.compile(db)
})

function isSame(stored: StoredAppointment, next: StoredAppointment): boolean {
  const hasMoved =
    stored.deleted !== next.deleted || stored.cancelled_with_student !== next.cancelled_with_student
  return !hasMoved && changedFields(stored, next) === undefined
}

/** Inserts after it has locked the calendars: otherwise, two concurrent inserts could wait for each other. */
async function insertInSteps(
  db: Transaction,
  actor: Actor,
  appointment: AppointmentValues & { readonly id: string },
  { seen, key }: { readonly seen: readonly CalendarVersion[]; readonly key: IdempotencyKey | undefined },
): Promise<StoredAppointment | undefined> {
  const tenantId = actor.tenant.id
  if (!(await lockUnchanged(db, tenantId, seen))) return undefined
  const [, , row] = await Promise.all([
    db
      .insertInto('appointments')
      .values({ ...asWritten(appointment), tenant_id: tenantId, deleted_at: null })
      .execute(),
    recordChanges(db, actor, [changeEntryFor('appointment', undefined, appointment)]),
    findStoredAppointment(db, tenantId, appointment.id),
  ])
  if (!row) return undefined
  const { deleted: _, cancelled_with_student: __, ...answer } = row
  if (key) await storeResponse(db, actor, key, answer)
  return row
}

async function updateInSteps(
  db: Transaction,
  actor: Actor,
  { stored, next }: AppointmentUpdate,
  seen: readonly CalendarVersion[],
): Promise<StoredAppointment | undefined> {
  const tenantId = actor.tenant.id
  const deleted_at = next.deleted ? actor.now : null
  if (!(await lockUnchanged(db, tenantId, seen))) return undefined
  const updated = await updateAlone(db, {
    ...asWritten(next),
    tenant_id: tenantId,
    deleted_at,
    read_version: stored.version,
    keeps_enrolment: next.enrolment_id === stored.enrolment_id,
  })
  if (updated.length === 0) return undefined
  const [row] = await Promise.all([
    findStoredAppointment(db, tenantId, stored.id),
    recordChanges(db, actor, [changeEntryFor('appointment', stored, next)]),
  ])
  return row
}

type AloneRow = Omit<UpdatedRow, keyof SeenCalendars | keyof ChangeValues> & { readonly tenant_id: string }

const updateAlone = statement((db, row: Parameters<AloneRow>) =>
  sql<{ id: string }>`${replaced(row)} returning id`.compile(db),
)
