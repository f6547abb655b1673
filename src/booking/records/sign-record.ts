import { lockSession } from '../../auth/lock-session.ts'
import { seenStudentsOf } from '../../auth/permissions.ts'
import type { Actor } from '../../contract/actor.ts'
import { newId } from '../../contract/new-id.ts'
import { notFound, Problem } from '../../contract/problem.ts'
import type { NewRecordSignature, Signature } from '../../contract/signature.ts'
import { mayUserSign } from '../../db/accounts/users.ts'
import type { StoredAppointment } from '../../db/appointments/appointments.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import type { Database } from '../../db/schema/tables.ts'
import { findEnrolment } from '../../db/students/enrolments.ts'
import {
  findSignedDocument,
  insertSignature,
  listRecordSignatures,
  listSignedEnrolments,
  type StoredSignature,
} from '../../db/students/signatures.ts'
import { lockStudent } from '../../db/students/students.ts'
import { recordChangesSince } from '../../domain/record-changes.ts'
import type { SignedWarning } from '../../domain/signatures.ts'
import type { TrainingRecord } from '../../domain/training-record.ts'
import { commitOnce } from '../idempotent.ts'
import { requireSmall, signedWarningFor } from './sign-lesson.ts'
import { findRecordWith, type ReadInTurn, recordOf } from './training-record.ts'

type Signing = {
  readonly signature: NewRecordSignature
  readonly key?: IdempotencyKey | undefined
}

/**
 * Signs the record of an enrolment whose practice has ended. Throws `not_found`, `forbidden` if the user may not sign for the
 * school, `body_too_large`, `not_ended`, and `record_changed` unless the digest is the record's. Fails if the key is taken.
 */
export async function signRecord(
  database: DatabasePool,
  actor: Actor,
  id: string,
  { signature, key }: Signing,
): Promise<Signature> {
  requireSmall(signature.strokes)
  return inTransaction(database, async (db, commitWith) => {
    const { as, digest, name, strokes } = signature
    const seen = await findEnrolment(db, actor.tenant.id, id, seenStudentsOf(actor))
    if (!seen) throw notFound()
    const student = await lockStudent(db, actor.tenant.id, seen.student_id)
    const enrolment = await findEnrolment(db, actor.tenant.id, id)
    if (!student || !enrolment) throw notFound()
    if (as === 'school') await requireSigner(db, actor)
    if (enrolment.practice_ended_on === null && enrolment.ends_on === null) throw new Problem('not_ended')
    const listed = await recordOf(db, actor, id, readNow)
    const { student_id, enrolment_id, ends_on: _, template_code: __, ...record } = listed
    if (record.digest !== digest) throw new Problem('record_changed', { params: { digest: record.digest } })
    await lockSession(db, actor)
    const row = { id: newId(), student_id, enrolment_id, appointment_id: null, as, name, digest }
    const written = await insertSignature(db, actor, { ...row, strokes, document: record })
    return commitOnce({ db, actor, commitWith }, key, Promise.resolve(shownSignature(written, record)))
  })
}

/** Lists the signatures of a record with their states, oldest first. Throws `not_found`. */
export async function listSignaturesOfRecord(
  db: Database,
  actor: Actor,
  id: string,
  read: ReadInTurn,
): Promise<readonly Signature[]> {
  const record = await recordOf(db, actor, id, read)
  const rows = await listRecordSignatures(db, actor.tenant.id, id)
  return rows.map((row) => shownSignature(row, record))
}

/** Returns a record as it was signed. Throws `not_found` if none with the digest was. */
export async function signedRecord(
  db: Database,
  actor: Actor,
  { id, digest }: { readonly id: string; readonly digest: string },
): Promise<TrainingRecord> {
  await recordOf(db, actor, id, readNow)
  const document = await findSignedDocument(db, actor.tenant.id, { enrolment_id: id, digest })
  if (!document) throw notFound()
  return document as TrainingRecord
}

/**
 * Returns the warning of a lesson, changed or about to be, whose signatures, or those of its record, do not match it then. Give the
 * lesson as it was before if its enrolment may change, for the record that loses it.
 */
export async function warningOfChange(
  db: Database,
  actor: Actor,
  lesson: StoredAppointment,
  before?: StoredAppointment,
): Promise<SignedWarning | undefined> {
  const ids = [...new Set([lesson, before].flatMap((one) => (one ? enrolmentIdsOf(one) : [])))]
  const signed = ids.length > 0 ? await listSignedEnrolments(db, actor.tenant.id, ids) : []
  const as = new Set((await signedWarningFor(db, actor, lesson))?.params.as)
  for (const id of signed) {
    const record = await findRecordWith(db, actor, id, lesson)
    const newest = new Map(record?.signatures.map((one) => [one.as, one.state]))
    for (const [signer, state] of newest) if (state === 'outdated') as.add(signer)
  }
  return as.size > 0 ? { code: 'signed', params: { as: [...as] } } : undefined
}

function enrolmentIdsOf({ enrolment_id, attendees }: StoredAppointment): readonly string[] {
  return [enrolment_id, ...attendees.map((one) => one.enrolment_id)].flatMap((id) => id ?? [])
}

const readNow: ReadInTurn = (part) => part()

async function requireSigner(db: Database, { kind, id, role, tenant }: Actor): Promise<void> {
  if (kind === 'user' && role === 'owner') return
  if (kind !== 'user' || id === null || !(await mayUserSign(db, tenant.id, id)))
    throw new Problem('forbidden')
}

function shownSignature(row: StoredSignature, record: TrainingRecord): Signature {
  const { document, actor_kind: kind, actor_id: id, actor_name: name, ...fields } = row
  const isValid = row.digest === record.digest
  const changed = isValid ? [] : recordChangesSince(document as TrainingRecord, record)
  return { ...fields, by: { kind, id, name }, state: isValid ? 'valid' : 'outdated', changed: [...changed] }
}
