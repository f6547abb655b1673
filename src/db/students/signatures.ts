import { sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import type { Signature } from '../../contract/signature.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import type { DrawnLines, SignedAs } from '../../domain/signatures.ts'
import { type StoredAppointment, stored } from '../appointments/appointments.ts'
import { isLessonOf } from '../appointments/attendees.ts'
import { recordChanges } from '../log/changes.ts'
import { utc } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'

export type NewSignature = Pick<
  Signature,
  'student_id' | 'enrolment_id' | 'appointment_id' | 'name' | 'digest'
> & {
  readonly id: string
  readonly as: SignedAs
  readonly strokes: DrawnLines | null
  readonly document: unknown
}

const columns = [
  'id',
  'student_id',
  'enrolment_id',
  'appointment_id',
  'as',
  'name',
  'digest',
  'document',
  'actor_kind',
  'actor_id',
  'actor_name',
  utc('at').as('at'),
] as const

export type StoredSignature = Awaited<ReturnType<typeof listLessonSignatures>>[number]

/** Inserts a signature and records it, without the drawing. Returns the row. */
export async function insertSignature(
  db: Transaction,
  actor: Actor,
  { strokes, document, ...signature }: NewSignature,
): Promise<StoredSignature> {
  const by = { actor_kind: actor.kind, actor_id: actor.id, actor_name: actor.name }
  await db
    .insertInto('signatures')
    .values({
      ...signature,
      tenant_id: actor.tenant.id,
      strokes: strokes && JSON.stringify(strokes),
      document: JSON.stringify(document),
      ...by,
      at: actor.now,
    })
    .execute()
  const { id, ...after } = signature
  await recordChanges(db, actor, [
    { resource: 'signature', resource_id: id, action: 'created', before: null, after },
  ])
  return { ...signature, ...by, document, at: actor.now.toISOString() }
}

/** Returns the signatures of lessons, oldest first. */
export async function listLessonSignatures(db: Database, tenantId: string, ids: readonly string[]) {
  return db
    .selectFrom('signatures')
    .select(columns)
    .where('tenant_id', '=', tenantId)
    .where('appointment_id', 'in', ids)
    .orderBy('signatures.at')
    .orderBy('id')
    .execute()
}

/** Returns the signatures of an enrolment's record, oldest first. */
export async function listRecordSignatures(db: Database, tenantId: string, enrolment_id: string) {
  return db
    .selectFrom('signatures')
    .select(columns)
    .where('tenant_id', '=', tenantId)
    .where('enrolment_id', '=', enrolment_id)
    .orderBy('signatures.at')
    .orderBy('id')
    .execute()
}

/** Returns the enrolments among the given ones whose records have been signed. */
export async function listSignedEnrolments(
  db: Database,
  tenantId: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('signatures')
    .select('enrolment_id')
    .distinct()
    .where('tenant_id', '=', tenantId)
    .where('enrolment_id', 'in', ids)
    .execute()
  return rows.flatMap(({ enrolment_id }) => enrolment_id ?? [])
}

/** Returns the record that was signed under a digest. */
export async function findSignedDocument(
  db: Database,
  tenantId: string,
  { enrolment_id, digest }: { readonly enrolment_id: string; readonly digest: string },
): Promise<unknown> {
  const row = await db
    .selectFrom('signatures')
    .select('document')
    .where('tenant_id', '=', tenantId)
    .where('enrolment_id', '=', enrolment_id)
    .where('digest', '=', digest)
    .orderBy('signatures.at')
    .limit(1)
    .executeTakeFirst()
  return row?.document
}

/** The lessons that one page of signatures can show. */
const MAX_COMPLETED = 60

/** Returns the completed lessons of a student since a day, the newest first. */
export async function listCompletedLessons(
  db: Database,
  tenantId: string,
  { student_id, from }: { readonly student_id: string; readonly from: LocalDate },
): Promise<readonly StoredAppointment[]> {
  return db
    .selectFrom('appointments')
    .select(stored)
    .where('tenant_id', '=', tenantId)
    .where(isLessonOf(sql`${student_id}`))
    .where('status', '=', 'completed')
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`start_at >= ${from}::date`)
    .orderBy('appointments.start_at', 'desc')
    .limit(MAX_COMPLETED)
    .execute()
}

/** Returns the enrolments of a student whose practice has ended. */
export async function listEndedEnrolments(
  db: Database,
  tenantId: string,
  student_id: string,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('enrolments')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('student_id', '=', student_id)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`(practice_ended_on is not null or ends_on is not null)`)
    .orderBy('begins_on')
    .execute()
  return rows.map(({ id }) => id)
}
