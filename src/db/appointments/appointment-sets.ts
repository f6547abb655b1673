import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import type { Appointment } from '../../contract/appointment.ts'
import { LESSON_TEXTS, type LessonTextName, NOTED_FIELDS } from '../../domain/appointment-fields.ts'
import { bySchool, type Cancellation } from '../../domain/cancellation.ts'
import type { LocalDate, LocalDateTime } from '../../domain/local-time.ts'
import { TEXTS_BESIDE_RECORD } from '../../domain/retention.ts'
import type { Run, Steps } from '../../domain/steps.ts'
import { localNow } from '../../domain/time-zone.ts'
import { PAGE_SIZE } from '../json-list.ts'
import { changeEntryAfter, changeEntryFor, recordChanges } from '../log/changes.ts'
import { confirmedAt, nextVersion, startAt } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'
import type { FormerLesson } from '../students/personal-data.ts'
import { type CountedUse, findCountedUse } from './appointment-conditions.ts'
import { type AppointmentValues, appointmentColumns, type StoredAppointment, stored } from './appointments.ts'
import { isLessonOf } from './attendees.ts'
import { type AssessCancellation, loadCancellationAssessment } from './cancellation-assessment.ts'
import { withoutNotes } from './lesson-notes.ts'

export async function insertAppointments(
  db: Transaction,
  actor: Actor,
  appointments: readonly (AppointmentValues & { readonly id: string })[],
): Promise<void> {
  const rows = appointments.map((appointment) => ({
    ...appointment,
    attendees: JSON.stringify(appointment.attendees),
    tenant_id: actor.tenant.id,
    deleted_at: null,
  }))
  for (let at = 0; at < rows.length; at += PAGE_SIZE) {
    await db
      .insertInto('appointments')
      .values(rows.slice(at, at + PAGE_SIZE))
      .execute()
  }
  await recordChanges(
    db,
    actor,
    appointments.map((appointment) => changeEntryFor('appointment', undefined, appointment)),
  )
}

/** Cancels a student's future planned appointments and marks them, so that restoring the student restores them. */
export async function cancelFutureAppointmentsOf(
  db: Transaction,
  actor: Actor,
  { student_id, run }: { readonly student_id: string; readonly run: Run },
): Promise<void> {
  const now = localNow(actor.now, actor.tenant.timezone)
  const those = sql<boolean>`student_id = ${student_id} and start_at > ${now}::timestamp`
  await cancelPlanned(db, actor, those, { values: { cancelled_with_student: true }, run })
}

/** Returns the number and first start of a student's counted lessons and seats that begin after a time; undefined if there are none. */
export function findComingLessons(
  db: Database,
  tenantId: string,
  { student_id, after }: { readonly student_id: string; readonly after: LocalDateTime },
): Promise<CountedUse | undefined> {
  const those = sql<boolean>`start_at > ${after}::timestamp and ${isLessonOf(sql`${student_id}`)}`
  return findCountedUse(db, tenantId, those)
}

/** Cancels the planned lessons of a series from the date on and returns them by start. Undefined if the series is unknown. */
export async function cancelSeriesFrom(
  db: Transaction,
  actor: Actor,
  { series_id, from, run }: { readonly series_id: string; readonly from: LocalDate; readonly run: Run },
): Promise<Appointment[] | undefined> {
  if (!(await isSeries(db, actor.tenant.id, series_id))) return undefined
  const those = sql<boolean>`series_id = ${series_id} and start_at >= ${from}::timestamp`
  const cancelled = await cancelPlanned(db, actor, those, {
    values: { cancelled_with_student: false },
    run,
  })
  return cancelled.sort((a, b) => (a.start_at < b.start_at ? -1 : 1))
}

/** Returns the planned lessons of a series from the date on, by start. Undefined if the series is unknown. */
export async function listSeriesFrom(
  db: Database,
  tenantId: string,
  { series_id, from }: { readonly series_id: string; readonly from: LocalDate },
): Promise<readonly StoredAppointment[] | undefined> {
  if (!(await isSeries(db, tenantId, series_id))) return undefined
  return db
    .selectFrom('appointments')
    .select(stored)
    .where('tenant_id', '=', tenantId)
    .where('series_id', '=', series_id)
    .where('deleted_at', 'is', null)
    .where('status', '=', 'planned')
    .where(sql<boolean>`start_at >= ${from}::timestamp`)
    .orderBy('appointments.start_at')
    .orderBy('id')
    .execute()
}

async function isSeries(db: Database, tenantId: string, series_id: string): Promise<boolean> {
  const known = await db
    .selectFrom('appointments')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('series_id', '=', series_id)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return known !== undefined
}

async function cancelPlanned(
  db: Transaction,
  actor: Actor,
  those: RawBuilder<boolean>,
  { values, run }: { readonly values: { readonly cancelled_with_student: boolean }; readonly run: Run },
): Promise<Appointment[]> {
  const planned = await db
    .selectFrom('appointments')
    .select(['id', startAt, 'lesson_type_id', confirmedAt])
    .where('tenant_id', '=', actor.tenant.id)
    .where('deleted_at', 'is', null)
    .where('status', '=', 'planned')
    .where(those)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  if (planned.length === 0) return []
  const assess = await loadCancellationAssessment(db, actor.tenant)
  const cancellations = await run(assessed(planned, assess, actor.now))
  const confirmations = new Map(planned.map(({ id, confirmed_at }) => [id, confirmed_at]))
  const ids = [...cancellations.keys()]
  const texts = [...cancellations.values()].map((one) => JSON.stringify(one))
  const cancelled = await db
    .with('written', (query) =>
      query
        .updateTable('appointments')
        .from(
          sql<{
            given_id: string
            recorded: Cancellation
          }>`unnest(${ids}::uuid[], ${texts}::json[])`.as<'given'>(sql`given(given_id, recorded)`),
        )
        .set({
          ...values,
          status: 'cancelled',
          cancellation: sql<Cancellation>`given.recorded`,
          confirmed_at: null,
          ...nextVersion,
        })
        .where('tenant_id', '=', actor.tenant.id)
        .whereRef('appointments.id', '=', 'given.given_id')
        .returningAll('appointments'),
    )
    .selectFrom('written')
    .select(appointmentColumns)
    .execute()
  await recordChanges(
    db,
    actor,
    cancelled.map(({ id, version }) => {
      const confirmed_at = confirmations.get(id)
      return {
        resource: 'appointment',
        resource_id: id,
        action: 'changed',
        before: {
          status: 'planned',
          cancellation: null,
          ...(confirmed_at && { confirmed_at }),
          version: version - 1,
        },
        after: {
          status: 'cancelled',
          cancellation: cancellations.get(id),
          ...(confirmed_at && { confirmed_at: null }),
          version,
        },
      }
    }),
  )
  return cancelled
}

function* assessed(
  planned: readonly (Pick<Appointment, 'id'> & Parameters<AssessCancellation>[0])[],
  assess: AssessCancellation,
  at: Date,
): Steps<ReadonlyMap<string, Cancellation>> {
  const act = bySchool(at)
  const cancellations = new Map<string, Cancellation>()
  for (const lesson of planned) {
    cancellations.set(lesson.id, assess(lesson, act))
    yield
  }
  return cancellations
}

/** The version after an erasure. A deleted appointment keeps its version and is not logged. */
const counted = sql<number>`version + case when deleted_at is null then 1 else 0 end`
const isDeleted = sql<boolean>`deleted_at is not null`.as('is_deleted')

/** Selects the lesson type's name, the default title. Fails if two rows match, while a join would use either. */
function nameOfType(tenantId: string) {
  return sql<string>`(select name from lesson_types
    where lesson_types.tenant_id = ${tenantId} and lesson_types.id = appointments.lesson_type_id)`
}

/** Returns the values after an erasure: the lesson type's name as the title, null for other texts. */
export function withoutTexts({ tenant }: Actor, names: readonly LessonTextName[]) {
  const values = names.map((name) => [name, name === 'title' ? nameOfType(tenant.id) : null])
  return Object.fromEntries(values) as {
    readonly [Name in LessonTextName]?: Name extends 'title' ? RawBuilder<string> : null
  }
}

/** Removes a student and the texts about them from all lessons, but keeps the times, and records it. */
export async function eraseFromAppointments(db: Transaction, actor: Actor, studentId: string): Promise<void> {
  await emptyLessons(db, actor, studentId, {
    texts: LESSON_TEXTS,
    next: { student_id: null, enrolment_id: null },
  })
}

/** Removes the texts that the record does not need from a student's lessons, which stay the student's, and records it. */
export async function emptyBesideRecord(db: Transaction, actor: Actor, studentId: string): Promise<void> {
  await emptyLessons(db, actor, studentId, { texts: TEXTS_BESIDE_RECORD, next: {} })
}

type Emptied = {
  readonly texts: readonly LessonTextName[]
  readonly next: { readonly student_id?: null; readonly enrolment_id?: null }
}

async function emptyLessons(
  db: Transaction,
  actor: Actor,
  studentId: string,
  { texts, next }: Emptied,
): Promise<void> {
  const without = withoutTexts(actor, texts)
  const erased = await db
    .updateTable('appointments')
    .set({
      ...next,
      ...without,
      ...withoutNotes(),
      cancelled_with_student: false,
      version: counted,
      updated_at: sql<Date>`now()`,
    })
    .where('tenant_id', '=', actor.tenant.id)
    .where('student_id', '=', studentId)
    .returning(['id', 'version', 'title', ...NOTED_FIELDS, isDeleted])
    .execute()
  const entries = erased
    .filter(({ is_deleted }) => !is_deleted)
    .map(({ id, version, title, cancellation, exam_result }) => {
      const fields = { ...next, ...without, title, cancellation, exam_result }
      return changeEntryAfter('appointment', { id, version, fields })
    })
  await recordChanges(db, actor, entries)
}

export async function eraseFromLeftLessons(
  db: Transaction,
  actor: Actor,
  lessons: readonly FormerLesson[],
): Promise<void> {
  for (const { id, ...isOlder } of lessons) {
    const noted = NOTED_FIELDS.filter((name) => isOlder[name])
    const erased = withoutTexts(
      actor,
      LESSON_TEXTS.filter((name) => isOlder[name]),
    )
    const written = await db
      .updateTable('appointments')
      .set({
        ...erased,
        ...withoutNotes(noted),
        version: counted,
        updated_at: sql<Date>`now()`,
      })
      .where('tenant_id', '=', actor.tenant.id)
      .where('id', '=', id)
      .returning(['version', 'title', ...NOTED_FIELDS, isDeleted])
      .executeTakeFirst()
    if (!written || written.is_deleted) continue
    const { version, title } = written
    const left = Object.fromEntries(noted.map((name) => [name, written[name]]))
    const fields = { ...erased, ...(isOlder.title && { title }), ...left }
    await recordChanges(db, actor, [changeEntryAfter('appointment', { id, version, fields })])
  }
}
