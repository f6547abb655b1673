import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import type { Attendee } from '../../domain/group.ts'
import type { LocalDateTime } from '../../domain/local-time.ts'
import { isLessonOf, lessonsOf } from '../appointments/attendees.ts'
import { Outdated } from '../connection/transaction.ts'
import { recordChanges } from '../log/changes.ts'
import type { Database, Transaction } from '../schema/tables.ts'

export type MergedPair = { readonly self: string; readonly other: string }

type Conflict = Readonly<Record<'start_at' | 'end_at', LocalDateTime>> & { readonly appointment_id: string }

/** Returns the first lesson of the other student that overlaps one of the student; undefined if there is none. */
export async function findOverlap(
  db: Database,
  tenantId: string,
  { self, other }: MergedPair,
): Promise<Conflict | undefined> {
  const of = (id: string) => lessonsOf(sql`${tenantId}::uuid`, sql`${id}::uuid`)
  const { rows } = await sql<Conflict>`
    select lesson.id as appointment_id, to_char(lesson.start_at, 'YYYY-MM-DD HH24:MI') as start_at,
      to_char(lesson.end_at, 'YYYY-MM-DD HH24:MI') as end_at
    from ${of(other)} lesson join ${of(self)} own on own.start_at < lesson.end_at and lesson.start_at < own.end_at
    where lesson.deleted_at is null and lesson.status <> 'cancelled' and own.deleted_at is null and own.status <> 'cancelled'
    order by lesson.start_at limit 1`.execute(db)
  return rows[0]
}

export async function hasSigned(db: Database, tenantId: string, student_id: string): Promise<boolean> {
  const rows = await db
    .selectFrom('signatures')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('student_id', '=', student_id)
    .limit(1)
    .execute()
  return rows.length > 0
}

export async function hasSignedAny(
  db: Database,
  tenantId: string,
  student_id: string,
  { lessons, enrolments }: { readonly lessons: readonly string[]; readonly enrolments: readonly string[] },
): Promise<boolean> {
  const { rows } = await sql`
    select from signatures where tenant_id = ${tenantId} and student_id = ${student_id}
      and (appointment_id = any(${lessons}::uuid[]) or enrolment_id = any(${enrolments}::uuid[])) limit 1`.execute(
    db,
  )
  return rows.length > 0
}

export type MergedLesson = {
  readonly id: string
  readonly version: number
  readonly student_id: string | null
  readonly enrolment_id: string | null
  readonly attendees: readonly Attendee[]
}

/** Locks a student's lessons and groups, deleted ones too: they may be restored. Lock the calendar first. */
export async function lockLessonsOf(
  db: Transaction,
  tenantId: string,
  student_id: string,
): Promise<readonly MergedLesson[]> {
  return db
    .selectFrom('appointments')
    .select(['id', 'version', 'student_id', 'enrolment_id', 'attendees'])
    .where('tenant_id', '=', tenantId)
    .where(isLessonOf(sql`${student_id}`))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

type Fields = Readonly<Record<string, unknown>>

/** The fields of a row that move between students, with its version before. */
export type RowMove = {
  readonly id: string
  readonly version: number
  readonly before: Fields
  readonly after: Fields
}

/** Writes students, seats and enrolments of unchanged lessons, without their rules, and records it. */
export async function writeLessonMoves(
  db: Transaction,
  actor: Actor,
  moves: readonly RowMove[],
): Promise<void> {
  if (moves.length === 0) return
  const given = moves.map(({ id, version, after }) => ({ id, version, fields: after }))
  const ids = ['student_id', 'enrolment_id'].map(
    (name) => sql`${sql.ref(name)} = case when fields ? ${sql.lit(name)}
      then (fields ->> ${sql.lit(name)})::uuid else ${sql.ref(`appointments.${name}`)} end`,
  )
  const { numAffectedRows } = await sql`
    update appointments set ${sql.join(ids)}, attendees = coalesce(fields -> 'attendees', attendees),
      version = appointments.version + 1, updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) given (id uuid, version integer, fields jsonb)
    where appointments.tenant_id = ${actor.tenant.id} and appointments.id = given.id
      and appointments.version = given.version`.execute(db)
  if (Number(numAffectedRows) !== moves.length) throw new Outdated()
  await recordChanges(
    db,
    actor,
    moves.map(({ id, version, before, after }) => ({
      resource: 'appointment',
      resource_id: id,
      action: 'changed',
      before: { ...before, version },
      after: { ...after, version: version + 1 },
    })),
  )
}

type Undone = { readonly lessons: readonly string[]; readonly set_id: string }

/** Moves rows that no history has: messages, and the links and winners of offers. An undo leaves messages that were sent since the merge. */
export async function moveUnlogged(
  db: Transaction,
  tenantId: string,
  { self, other }: MergedPair,
  undone?: Undone,
): Promise<void> {
  const isMoving = undone
    ? sql<boolean>`appointment_ids ?| ${undone.lessons}::text[]
        and (state = 'waiting' or created_at <= ${await readTimeOfSet(db, tenantId, undone)}::timestamptz)`
    : sql<boolean>`true`
  await db
    .updateTable('messages')
    .set({ student_id: self })
    .where('tenant_id', '=', tenantId)
    .where('student_id', '=', other)
    .where(isMoving)
    .execute()
  const isOfLesson = undone
    ? sql<boolean>`appointment_id = any(${undone.lessons}::uuid[])`
    : sql<boolean>`true`
  await db
    .updateTable('offers')
    .set({ taken_by: self })
    .where('tenant_id', '=', tenantId)
    .where('taken_by', '=', other)
    .where(isOfLesson)
    .execute()
  if (undone) return
  await sql`update offer_links set student_id = ${self} where tenant_id = ${tenantId} and student_id = ${other}
    and not exists (select from offer_links own where own.tenant_id = ${tenantId}
      and own.offer_id = offer_links.offer_id and own.student_id = ${self})`.execute(db)
}

/** Returns the time of a set. The update does not read it itself: a Citus cluster keeps messages on another node. */
async function readTimeOfSet(db: Transaction, tenantId: string, { set_id }: Undone): Promise<string | null> {
  const { rows } = await sql<{ at: string | null }>`
    select min(at)::text as at from changes where tenant_id = ${tenantId} and set_id = ${set_id}`.execute(db)
  return rows[0]?.at ?? null
}

/** Whether lessons or ticks of others than these belong to enrolments, or a student has other lessons. */
export async function isTied(
  db: Database,
  tenantId: string,
  {
    enrolments,
    rows,
    student_id,
  }: {
    readonly enrolments: readonly string[]
    readonly rows: readonly string[]
    readonly student_id: string | null
  },
): Promise<boolean> {
  const { rows: found } = await sql<{ is_tied: boolean }>`
    select exists (select from appointments where tenant_id = ${tenantId} and deleted_at is null
        and id <> all(${rows}::uuid[]) and (enrolment_id = any(${enrolments}::uuid[])
          or ${isLessonOf(sql`${student_id}`)}
          or attendees <> '[]' and exists (select from jsonb_array_elements(attendees) entry
            where (entry ->> 'enrolment_id')::uuid = any(${enrolments}::uuid[]))))
      or exists (select from ticks where tenant_id = ${tenantId} and deleted_at is null
        and id <> all(${rows}::uuid[]) and enrolment_id = any(${enrolments}::uuid[])) as is_tied`.execute(db)
  return found[0]?.is_tied ?? false
}

/** Returns the doubles that are deleted because they became part of a student, and those of these. */
export async function listDoublesOf(db: Database, tenantId: string, id: string): Promise<readonly string[]> {
  const people = [id]
  for (const next of people) {
    const { rows } = await sql<{ id: string }>`
      select double.id from changes mark
        join students double on double.tenant_id = mark.tenant_id and double.id = (mark.after ->> 'merged_id')::uuid
      where mark.tenant_id = ${tenantId} and mark.resource = 'student' and mark.resource_id = ${next}
        and mark.after ->> 'merged_id' is not null and double.deleted_at is not null
        and mark.set_id = ${lastDeletionOf(tenantId, sql`double.id`)}`.execute(db)
    people.push(...rows.map((row) => row.id))
  }
  return people.slice(1)
}

/** Whether a student is deleted because it became part of one who is not erased, since an erasure empties the log. */
export async function isDouble(db: Database, tenantId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from changes mark where mark.tenant_id = ${tenantId} and mark.resource = 'student'
      and mark.after ->> 'merged_id' = ${id} and mark.set_id = ${lastDeletionOf(tenantId, sql`${id}::uuid`)}`.execute(
    db,
  )
  return rows.length > 0
}

/** Selects the set of the last deletion of a student: a double that was given back can be deleted by itself. */
function lastDeletionOf(tenantId: string, id: RawBuilder<unknown>) {
  return sql`(select gone.set_id from changes gone
    where gone.tenant_id = ${tenantId} and gone.resource = 'student' and gone.resource_id = ${id} and gone.action = 'deleted'
    order by gone.at desc, gone.id desc limit 1)`
}
