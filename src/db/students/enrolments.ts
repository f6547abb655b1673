import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Actor } from '../../contract/actor.ts'
import type { Credits } from '../../contract/credit.ts'
import { type Enrolment, EnrolmentSchema, StoredEnrolmentSchema } from '../../contract/enrolment.ts'
import type { Template } from '../../domain/enrolments.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import { localNow } from '../../domain/time-zone.ts'
import { isLessonOf, UNASSIGNED } from '../appointments/attendees.ts'
import type { Parameters } from '../connection/statement.ts'
import { type JsonList, jsonList } from '../json-list.ts'
import { changeEntryFor, recordChanges } from '../log/changes.ts'
import { resourceRows, type StoredRow } from '../resource-rows.ts'
import { columnsOf, nextVersion, selectionOf } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'
import { isSeenBy, type StudentFilter } from './students.ts'

const columns = columnsOf(EnrolmentSchema)

export const ENROLMENTS = resourceRows({
  table: 'enrolments',
  resource: 'enrolment',
  schema: StoredEnrolmentSchema,
  references: { student_id: 'students', template_id: 'license_class_templates' },
  texts: ['note'],
  listedTexts: { credits: 'school' },
  hasHistory: true,
  startsUnlogged: true,
})

export type StoredEnrolment = StoredRow<Static<typeof StoredEnrolmentSchema>>

/** Lists the enrolments of a student, the one that began last first. */
export function listEnrolments(db: Database, tenantId: string, student_id: string): JsonList {
  return enrolments(db, tenantId, { student_id })
}

const enrolments = jsonList(
  {
    from: 'enrolments',
    orderedBy: { begins_on: 'timestamp', id: 'uuid' },
    isNewestFirst: true,
    versionedBy: 'version',
  },
  (db, { tenantId, student_id }: Parameters<{ tenantId: string; student_id: string }>) =>
    db
      .selectFrom('enrolments')
      .select(columns)
      .where('tenant_id', '=', tenantId)
      .where('student_id', '=', student_id)
      .where('deleted_at', 'is', null),
)

/** Returns an enrolment; undefined if it or its student is deleted, or if the filter leaves the student out. */
export async function findEnrolment(
  db: Database,
  tenantId: string,
  id: string,
  { own, withPreferring }: StudentFilter = {},
): Promise<Enrolment | undefined> {
  const isSeen = own === undefined ? sql<boolean>`true` : isSeenBy(sql`${tenantId}`, own, withPreferring)
  return db
    .selectFrom('enrolments')
    .select(columns)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where(
      sql<boolean>`exists (select from students where students.tenant_id = ${tenantId}
        and students.id = enrolments.student_id and students.deleted_at is null and ${isSeen})`,
    )
    .executeTakeFirst()
}

/** Locks the enrolments of students that are not deleted. Lock the students first. */
export async function lockEnrolmentsOf(
  db: Transaction,
  tenantId: string,
  studentIds: readonly string[],
): Promise<readonly StoredEnrolment[]> {
  const { rows } = await sql<StoredEnrolment>`
    select ${selectionOf(columnsOf(StoredEnrolmentSchema))}, false as deleted from enrolments
    where tenant_id = ${tenantId} and student_id = any(${studentIds}::uuid[]) and deleted_at is null
    order by begins_on, id for no key update`.execute(db)
  return rows
}

type DatedTemplate = Template & {
  readonly code: string
  readonly valid_from: LocalDate | null
  readonly valid_to: LocalDate | null
}

export async function findTemplate(
  db: Database,
  tenantId: string,
  id: string,
): Promise<DatedTemplate | undefined> {
  return db
    .selectFrom('license_class_templates')
    .select(['id', 'code', 'license_class', 'law', 'valid_from', 'valid_to'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Returns the ids of the templates with the same code that are valid on a day. */
export async function listValidTemplates(
  db: Database,
  tenantId: string,
  { id, day }: { readonly id: string; readonly day: LocalDate },
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select template.id from license_class_templates template
    join license_class_templates known on known.tenant_id = ${tenantId} and known.id = ${id} and known.code = template.code
    where template.tenant_id = ${tenantId}
      and daterange(template.valid_from, template.valid_to, '[]') @> ${day}::date
    order by template.id`.execute(db)
  return rows.map((row) => row.id)
}

export type BegunEnrolment = {
  readonly id: string
  readonly student_id: string
  readonly template_id: string
  readonly prior_classes: Enrolment['prior_classes']
  readonly credits: Credits
}

/** Begins current enrolments on a day, for students without a current one, and records it. */
export async function insertEnrolments(
  db: Transaction,
  actor: Actor,
  begun: readonly BegunEnrolment[],
  begins_on: LocalDate,
): Promise<void> {
  if (begun.length === 0) return
  const tenantId = actor.tenant.id
  // With the template's school and an alias for `returning`, a Citus cluster inserts on the school's node.
  const { rows } = await sql<StoredEnrolment>`
    insert into enrolments as begun
      (tenant_id, id, student_id, template_id, license_class, law, prior_classes, credits, begins_on, is_current)
    select template.tenant_id, given.id, given.student_id, template.id, template.license_class, template.law,
      given.prior_classes, given.credits, ${begins_on}::date, true
    from json_to_recordset(${JSON.stringify(begun)}::json)
      given (id uuid, student_id uuid, template_id uuid, prior_classes json, credits json)
    join license_class_templates template
      on template.tenant_id = ${tenantId} and template.id = given.template_id
    returning ${selectionOf(Object.keys(StoredEnrolmentSchema.properties))}`.execute(db)
  await recordChanges(
    db,
    actor,
    rows.map((row) => changeEntryFor('enrolment', undefined, { ...row, version: undefined })),
  )
}

/** Deletes or restores locked enrolments and records it. */
export async function setEnrolmentsDeleted(
  db: Transaction,
  actor: Actor,
  stored: readonly StoredEnrolment[],
  deleted: boolean,
): Promise<void> {
  await db
    .updateTable('enrolments')
    .set({ deleted_at: deleted ? actor.now : null, ...nextVersion })
    .where('tenant_id', '=', actor.tenant.id)
    .where(sql<boolean>`id = any(${stored.map(({ id }) => id)}::uuid[])`)
    .execute()
  await recordChanges(
    db,
    actor,
    stored.map((one) => changeEntryFor('enrolment', one, { ...one, deleted })),
  )
}

/** Whether the set of changes that last ended or opened an enrolment has also written an appointment. */
export async function isEndedBy(
  db: Database,
  tenantId: string,
  { id, appointment_id }: { readonly id: string; readonly appointment_id: string },
): Promise<boolean> {
  const { rows } = await sql<{ is_ended: boolean }>`
    select exists (select from changes
      where tenant_id = ${tenantId} and resource = 'appointment' and resource_id = ${appointment_id}
        and set_id = (select set_id from changes
          where tenant_id = ${tenantId} and resource = 'enrolment' and resource_id = ${id}
            and (after -> 'outcome') is not null
          order by at desc, id desc limit 1)) as is_ended`.execute(db)
  return rows[0]?.is_ended ?? false
}

export type EnrolmentUse = {
  /** The actor of an undo. Coming lessons do not count: they can move. */
  readonly actor?: Actor
  /** The lessons that leave the enrolment together with it. */
  readonly leaving?: readonly string[]
  readonly losesCredits?: boolean
}

/** Whether a lesson, a tick, a credit or a signature belongs to it. */
export async function isEnrolmentUsed(
  db: Database,
  tenantId: string,
  { id, student_id, is_current }: Pick<Enrolment, 'id' | 'student_id' | 'is_current'>,
  { actor, leaving = [], losesCredits = false }: EnrolmentUse = {},
): Promise<boolean> {
  const now = actor ? localNow(actor.now, actor.tenant.timezone) : null
  const isOwn = sql`enrolment_id = ${id} or enrolment_id = ${UNASSIGNED} and ${is_current}::boolean and student_id = ${student_id}
    or exists (select from jsonb_array_elements(attendees) entry where entry ->> 'student_id' = ${student_id}
      and (entry ->> 'enrolment_id' = ${id} or ${is_current}::boolean and not entry ? 'enrolment_id'))`
  const { rows } = await sql<{ is_used: boolean }>`
    select exists (select from appointments
      where tenant_id = ${tenantId} and ${isLessonOf(sql`${student_id}`)} and deleted_at is null
        and (id <> all(${leaving}::uuid[]) or exists (select from signatures
          where signatures.tenant_id = ${tenantId} and signatures.appointment_id = appointments.id))
        and (status <> 'planned' or start_at > ${now}::timestamp is not true) and (${isOwn}))
      or exists (select from enrolments
        where tenant_id = ${tenantId} and id = ${id} and credits::text <> '[]' and not ${losesCredits}::boolean)
      or exists (select from ticks
        where tenant_id = ${tenantId} and enrolment_id = ${id} and deleted_at is null)
      or exists (select from signatures where tenant_id = ${tenantId} and enrolment_id = ${id}) as is_used`.execute(
    db,
  )
  return rows[0]?.is_used ?? false
}
