import { sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import type { Signature } from '../../contract/signature.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import type { DrawnLines, SignedAs, SignedLesson } from '../../domain/signatures.ts'
import { lessonsOf, outcomeFor, UNASSIGNED } from '../appointments/attendees.ts'
import { type Parameters, statement } from '../connection/statement.ts'
import { recordChanges } from '../log/changes.ts'
import { actualEndAt, actualStartAt, endAt, startAt, utc } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'
import { isSeenBy, type StudentFilter } from './students.ts'

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

/** The completed lessons of a student among which those to sign are found. */
const MAX_COMPLETED = 60

/** A student, with a completed lesson or class. */
export type CompletedLesson = SignedLesson & { readonly signer_id: string }
type Completed = {
  readonly tenantId: string
  readonly ids: readonly string[]
  readonly from: LocalDate
} & StudentFilter

/** Returns the completed lessons of students since a day, the newest first, each with its student. */
export function listCompletedLessons(
  db: Database,
  tenantId: string,
  { ids, from }: Pick<Completed, 'ids' | 'from'>,
  seen: StudentFilter,
): Promise<readonly CompletedLesson[]> {
  return selectCompleted(db, { tenantId, ids, from, ...seen })
}

const selectCompleted = statement((db, { tenantId, ids, from, own, withPreferring }: Parameters<Completed>) =>
  sql<CompletedLesson>`
      select students.id as signer_id, lesson.* from students cross join lateral (
        select lesson.id, lesson.student_id, nullif(lesson.enrolment_id, ${UNASSIGNED}) as enrolment_id, lesson.attendees,
          lesson.status, ${startAt}, ${endAt}, ${actualStartAt}, ${actualEndAt}, lesson.lesson_type_id, lesson.topic,
          lesson.instructor_id
        from ${lessonsOf(tenantId, sql`students.id`)} lesson
        where ${outcomeFor(sql`students.id`, 'lesson')} = 'completed' and lesson.deleted_at is null and lesson.start_at >= ${from}::date
          and lesson.start_at < '2100-01-01'
        order by lesson.start_at desc, lesson.id limit ${sql.lit(MAX_COMPLETED)}) lesson
      where students.tenant_id = ${tenantId} and students.id = any(${ids}::uuid[]) and students.deleted_at is null
        ${own ? sql`and ${isSeenBy(tenantId, own, withPreferring)}` : sql``}
      order by lesson.start_at desc, lesson.id`.compile(db),
)

/** Returns the enrolments of students whose practice has ended, by their begin. */
export async function listEndedEnrolments(
  db: Database,
  tenantId: string,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly student_id: string }[]> {
  return db
    .selectFrom('enrolments')
    .select(['id', 'student_id'])
    .where('tenant_id', '=', tenantId)
    .where('student_id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`(practice_ended_on is not null or ends_on is not null)`)
    .orderBy('begins_on')
    .orderBy('id')
    .execute()
}
