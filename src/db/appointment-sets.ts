import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../contract/actor.ts'
import type { Appointment } from '../contract/appointment.ts'
import { LESSON_TEXTS, type LessonTextName, NOTED_FIELDS } from '../domain/appointment-fields.ts'
import { bySchool, type Cancellation } from '../domain/cancellation.ts'
import type { LocalDate } from '../domain/local-time.ts'
import { localNow } from '../domain/time-zone.ts'
import { type AppointmentValues, appointmentColumns } from './appointments.ts'
import { loadCancellationAssessment } from './cancellation-assessment.ts'
import { PAGE_SIZE } from './json-list.ts'
import { withoutNotes } from './lesson-notes.ts'
import { changeEntryAfter, changeEntryFor, recordChanges } from './log/changes.ts'
import type { FormerLesson } from './personal-data.ts'
import { confirmedAt, nextVersion, startAt } from './schema/columns.ts'
import type { Transaction } from './schema/tables.ts'

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
  studentId: string,
): Promise<void> {
  const now = localNow(actor.now, actor.tenant.timezone)
  const those = sql<boolean>`student_id = ${studentId} and start_at > ${now}::timestamp`
  await cancelPlanned(db, actor, those, { cancelled_with_student: true })
}

/** Cancels the planned lessons of a series from the date on and returns them by start. Undefined if the series is unknown. */
export async function cancelSeriesFrom(
  db: Transaction,
  actor: Actor,
  { series_id, from }: { readonly series_id: string; readonly from: LocalDate },
): Promise<Appointment[] | undefined> {
  const known = await db
    .selectFrom('appointments')
    .select('id')
    .where('tenant_id', '=', actor.tenant.id)
    .where('series_id', '=', series_id)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (!known) return undefined
  const those = sql<boolean>`series_id = ${series_id} and start_at >= ${from}::timestamp`
  const cancelled = await cancelPlanned(db, actor, those, { cancelled_with_student: false })
  return cancelled.sort((a, b) => (a.start_at < b.start_at ? -1 : 1))
}

async function cancelPlanned(
  db: Transaction,
  actor: Actor,
  those: RawBuilder<boolean>,
  values: { readonly cancelled_with_student: boolean },
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
  const act = bySchool(actor.now)
  const cancellations = new Map(planned.map((lesson) => [lesson.id, assess(lesson, act)]))
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
  const erased = await db
    .updateTable('appointments')
    .set({
      student_id: null,
      ...withoutTexts(actor, LESSON_TEXTS),
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
      const texts = withoutTexts(actor, LESSON_TEXTS)
      const fields = { student_id: null, ...texts, title, cancellation, exam_result }
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
