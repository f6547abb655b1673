import { lockSession } from '../../auth/lock-session.ts'
import { ownOf, seenStudentsOf, visibleTo } from '../../auth/permissions.ts'
import type { Actor } from '../../contract/actor.ts'
import { newId } from '../../contract/new-id.ts'
import { type Fault, invalidRequest, notFound, Problem } from '../../contract/problem.ts'
import type { NewLessonSignature, Signature } from '../../contract/signature.ts'
import {
  findStoredAppointment,
  lockAppointment,
  type StoredAppointment,
} from '../../db/appointments/appointments.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction, Outdated } from '../../db/connection/transaction.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import type { Database, Transaction } from '../../db/schema/tables.ts'
import { insertSignature, listLessonSignatures, type StoredSignature } from '../../db/students/signatures.ts'
import { findStudent, lockStudent } from '../../db/students/students.ts'
import { attendeeIdsOf } from '../../domain/occupants.ts'
import {
  type DrawnLines,
  isCompletedFor,
  type LessonDocument,
  lessonChangesSince,
  lessonDigestOf,
  lessonDocumentFor,
  MAX_STROKES_BYTES,
  type SignedAs,
  type SignedWarning,
} from '../../domain/signatures.ts'
import { commitOnce } from '../idempotent.ts'

type Signing = {
  readonly signature: NewLessonSignature
  readonly key?: IdempotencyKey | undefined
}

/**
 * Signs a completed lesson. Throws `not_found`, `forbidden` if another than the instructor signs as such, `invalid_request`,
 * `body_too_large`, `not_completed`, and `record_changed` unless the digest is that of the lesson. Fails if the key is taken.
 */
export async function signLesson(
  database: DatabasePool,
  actor: Actor,
  id: string,
  { signature, key }: Signing,
): Promise<Signature> {
  requireSmall(signature.strokes)
  return inTransaction(database, async (db, commitWith) => {
    const { lesson, student_id } = await lockLesson(db, actor, id, signature)
    const { as, digest, name, strokes } = signature
    if (as === 'instructor' && lesson.instructor_id !== actor.instructor_id) throw new Problem('forbidden')
    if (!isCompletedFor(lesson, student_id)) throw new Problem('not_completed')
    const document = lessonDocumentFor(lesson, student_id, actor.tenant.timezone)
    if (!document) throw notFound()
    const present = await lessonDigestOf(document)
    if (present !== digest) throw new Problem('record_changed', { params: { digest: present } })
    await lockSession(db, actor)
    const row = { id: newId(), student_id, enrolment_id: null, appointment_id: id, as, name, digest }
    const written = await insertSignature(db, actor, { ...row, strokes, document })
    const shown = shownSignature(actor, written, lesson)
    return commitOnce({ db, actor, commitWith }, key, Promise.resolve(shown))
  })
}

/** Lists the signatures of a lesson with their states, oldest first. Throws `not_found`. */
export async function listSignaturesOfLesson(
  db: Database,
  actor: Actor,
  id: string,
): Promise<readonly Signature[]> {
  const lesson = await findStoredAppointment(db, actor.tenant.id, id)
  if (!lesson || lesson.deleted) throw notFound()
  visibleTo(actor, lesson)
  const rows = await listLessonSignatures(db, actor.tenant.id, [id])
  return rows.map((row) => shownSignature(actor, row, lesson))
}

/** Returns the warning of a lesson whose newest signatures do not match it; undefined if all do. */
export async function signedWarningFor(
  db: Database,
  actor: Actor,
  lesson: StoredAppointment,
): Promise<SignedWarning | undefined> {
  const rows = await listLessonSignatures(db, actor.tenant.id, [lesson.id])
  const newest = new Map(rows.map((row) => [`${row.as} ${row.student_id}`, row]))
  const outdated = [...newest.values()].filter(
    (row) => shownSignature(actor, row, lesson).state === 'outdated',
  )
  if (outdated.length === 0) return undefined
  return { code: 'signed', params: { as: [...new Set(outdated.map(({ as }): SignedAs => as))] } }
}

export function requireSmall(strokes: DrawnLines | null): void {
  if (JSON.stringify(strokes).length > MAX_STROKES_BYTES) throw new Problem('body_too_large')
}

/** Locks the student, then the lesson, in the order of bookings. */
async function lockLesson(
  db: Transaction,
  actor: Actor,
  id: string,
  { as, student_id: named }: NewLessonSignature,
): Promise<{ readonly lesson: StoredAppointment; readonly student_id: string }> {
  const seen = await findStoredAppointment(db, actor.tenant.id, id)
  if (!seen || seen.deleted) throw notFound()
  if (as === 'student') await requireSigner(db, actor, seen, named)
  else visibleTo(actor, seen)
  const student_id = studentOf(seen, named)
  const student = await lockStudent(db, actor.tenant.id, student_id)
  if (!student || student.deleted) throw notFound()
  const lesson = await lockAppointment(db, actor.tenant.id, id)
  if (!lesson || lesson.deleted) throw notFound()
  if (lesson.instructor_id !== seen.instructor_id || studentOf(lesson, named) !== student_id)
    throw new Outdated()
  return { lesson, student_id }
}

/** Requires a lesson or a student whom the actor sees: instructors take the signatures of their students for other instructors' lessons. */
async function requireSigner(
  db: Transaction,
  actor: Actor,
  lesson: StoredAppointment,
  named = lesson.student_id,
): Promise<void> {
  const { own = lesson.instructor_id } = ownOf(actor)
  if (lesson.instructor_id === own) return
  const student = named && (await findStudent(db, actor.tenant.id, named, seenStudentsOf(actor)))
  if (!student) throw notFound()
}

const UNNAMED: Fault = {
  pointer: '/student_id',
  code: 'required',
  detail: 'student_id is required for a lesson of several students or of none.',
}

function studentOf(lesson: StoredAppointment, named: string | undefined): string {
  const ids = lesson.student_id === null ? attendeeIdsOf(lesson) : [lesson.student_id]
  const [only, ...others] = ids
  if (named === undefined && (only === undefined || others.length > 0)) throw invalidRequest([UNNAMED])
  const student_id = named ?? only
  if (student_id === undefined || !ids.includes(student_id)) throw notFound()
  return student_id
}

function shownSignature(actor: Actor, row: StoredSignature, lesson: StoredAppointment): Signature {
  const { document, actor_kind: kind, actor_id: id, actor_name: name, ...fields } = row
  const changed = lessonChangesSince(document as LessonDocument, lesson, actor.tenant.timezone)
  const state = changed.length === 0 ? 'valid' : 'outdated'
  return { ...fields, by: { kind, id, name }, state, changed: [...changed] }
}
