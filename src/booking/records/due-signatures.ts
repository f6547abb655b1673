import { seenStudentsOf } from '../../auth/permissions.ts'
import type { Actor } from '../../contract/actor.ts'
import type { DueLesson, DueRecord, DueSignatures } from '../../contract/due-signatures.ts'
import { Problem } from '../../contract/problem.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import type { Database } from '../../db/schema/tables.ts'
import { readRecordedInstructors } from '../../db/students/records.ts'
import {
  type CompletedLesson,
  listCompletedLessons,
  listEndedEnrolments,
  listLessonSignatures,
} from '../../db/students/signatures.ts'
import { daysLater } from '../../domain/local-time.ts'
import {
  type LessonDocument,
  lessonChangesSince,
  lessonDigestOf,
  lessonDocumentFor,
} from '../../domain/signatures.ts'
import { localToday } from '../../domain/time-zone.ts'
import { signLesson } from './sign-lesson.ts'
import { signRecord } from './sign-record.ts'
import { findRecord, type ReadInTurn } from './training-record.ts'

const DAYS_BACK = 90
const MAX_LESSONS = 20

/** Returns everything that students whom the actor sees have to sign, without those who have nothing to sign. */
export async function listDueSignatures(
  db: Database,
  actor: Actor,
  student_ids: readonly string[],
  read: ReadInTurn,
): Promise<readonly DueSignatures[]> {
  const lessons = await read(() => listDueLessons(db, actor, student_ids))
  const records = await listDueRecords(db, actor, student_ids, read)
  const due = [...new Set(student_ids)].map((student_id) => ({
    student_id,
    lessons: lessons.filter((lesson) => lesson.student_id === student_id),
    records: records.get(student_id) ?? [],
  }))
  return due.filter((one) => one.lessons.length + one.records.length > 0)
}

async function listDueLessons(
  db: Database,
  actor: Actor,
  ids: readonly string[],
): Promise<readonly DueLesson[]> {
  const { id: tenantId, timezone } = actor.tenant
  const from = daysLater(localToday(actor.now, timezone), -DAYS_BACK)
  const completed = await listCompletedLessons(db, tenantId, { ids, from }, seenStudentsOf(actor))
  if (completed.length === 0) return []
  const signatures = await listLessonSignatures(db, tenantId, [...new Set(completed.map(({ id }) => id))])
  const signed = Map.groupBy(signatures, ({ appointment_id }) => appointment_id)
  const isSigned = (lesson: CompletedLesson) =>
    signed
      .get(lesson.id)
      ?.some(
        (one) =>
          one.as === 'student' &&
          one.student_id === lesson.signer_id &&
          lessonChangesSince(one.document as LessonDocument, lesson, timezone).length === 0,
      )
  const unsigned = Map.groupBy(
    completed.filter((lesson) => !isSigned(lesson)),
    ({ signer_id }) => signer_id,
  )
  const due = [...unsigned.values()]
    .flatMap((lessons) => lessons.slice(0, MAX_LESSONS))
    .flatMap((lesson) => lessonDocumentFor(lesson, lesson.signer_id, timezone) ?? [])
  const teaching = [...new Set(due.map(({ instructor_id }) => instructor_id))]
  const instructors = await readRecordedInstructors(db, tenantId, teaching)
  const names = new Map(instructors.map(({ id, name }) => [id, name]))
  return Promise.all(
    due.map(async (document) => ({
      ...document,
      instructor: names.get(document.instructor_id) ?? '',
      digest: await lessonDigestOf(document),
    })),
  )
}

/** Returns the records that students have to sign, by student. */
async function listDueRecords(
  db: Database,
  actor: Actor,
  student_ids: readonly string[],
  read: ReadInTurn,
): Promise<ReadonlyMap<string, DueRecord[]>> {
  const due = new Map<string, DueRecord[]>()
  const ended = await read(() => listEndedEnrolments(db, actor.tenant.id, student_ids))
  for (const { id, student_id } of ended) {
    const record = await findRecord(db, actor, id, read)
    const isDue = record?.gaps.some(
      ({ code, params }) =>
        (code === 'signature_missing' || code === 'signature_outdated') && params.as === 'student',
    )
    if (!record || !isDue) continue
    const { digest, license_class, theory, practice } = record
    const lesson_count = theory.length + practice.length
    const one = { enrolment_id: id, license_class, lesson_count, digest }
    due.set(student_id, [...(due.get(student_id) ?? []), one])
  }
  return due
}

export type DueItem = { readonly id: string; readonly digest: string }

/** Signs lessons and records as their student. What the student has signed already stays. Throws as `signLesson` does. */
export async function signAllDue(
  database: DatabasePool,
  actor: Actor,
  {
    student_id,
    name,
    items,
  }: { readonly student_id: string; readonly name: string; readonly items: readonly DueItem[] },
): Promise<void> {
  const [due] = await listDueSignatures(database, actor, [student_id], (part) => part())
  for (const { id, digest } of items) {
    const given = { as: 'student', digest, name, strokes: null } as const
    const lesson = due?.lessons.find((one) => one.appointment_id === id)
    const record = due?.records.find((one) => one.enrolment_id === id)
    if (lesson) await signLesson(database, actor, id, { signature: { ...given, student_id } })
    else if (record) await signRecord(database, actor, id, { signature: given })
  }
}

/** Whether a problem means that something has changed since the page was shown. */
export function isRecordChanged(error: unknown): boolean {
  const codes = ['record_changed', 'not_completed', 'not_ended', 'not_found']
  return error instanceof Problem && codes.includes(error.code)
}
