import type { Actor } from '../../contract/actor.ts'
import { Problem } from '../../contract/problem.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import type { Database } from '../../db/schema/tables.ts'
import { readRecordedInstructors } from '../../db/students/records.ts'
import {
  listCompletedLessons,
  listEndedEnrolments,
  listLessonSignatures,
} from '../../db/students/signatures.ts'
import { daysLater } from '../../domain/local-time.ts'
import {
  isCompletedFor,
  type LessonDocument,
  lessonChangesSince,
  lessonDigestOf,
  lessonDocumentFor,
} from '../../domain/signatures.ts'
import { localToday } from '../../domain/time-zone.ts'
import { signLesson } from './sign-lesson.ts'
import { signRecord } from './sign-record.ts'
import { findRecord } from './training-record.ts'

/** A lesson that its student has not signed as it is. */
export type DueLesson = LessonDocument & { readonly digest: string; readonly instructor: string }

/** The record of a training that has ended, which the student has not signed as it is. */
export type DueRecord = {
  readonly enrolment_id: string
  readonly license_class: string
  readonly digest: string
}

export type DueSignatures = { readonly lessons: readonly DueLesson[]; readonly records: readonly DueRecord[] }

const DAYS_BACK = 90
const MAX_LESSONS = 20

/** Returns everything that a student has to sign, the newest lessons first. */
export async function listDueSignatures(
  db: Database,
  actor: Actor,
  student_id: string,
): Promise<DueSignatures> {
  const { id: tenantId, timezone } = actor.tenant
  const from = daysLater(localToday(actor.now, timezone), -DAYS_BACK)
  const all = await listCompletedLessons(db, tenantId, { student_id, from })
  const lessons = all.filter((lesson) => isCompletedFor(lesson, student_id))
  const ids = lessons.map(({ id }) => id)
  const signed = ids.length > 0 ? await listLessonSignatures(db, tenantId, ids) : []
  const isSigned = (lesson: (typeof lessons)[number]) =>
    signed.some(
      (one) =>
        one.appointment_id === lesson.id &&
        one.as === 'student' &&
        one.student_id === student_id &&
        lessonChangesSince(one.document as LessonDocument, lesson, timezone).length === 0,
    )
  const unsigned = lessons.filter((lesson) => !isSigned(lesson)).slice(0, MAX_LESSONS)
  const due = unsigned.flatMap((lesson) => lessonDocumentFor(lesson, student_id, timezone) ?? [])
  const teaching = due.map(({ instructor_id }) => instructor_id)
  const instructors = await readRecordedInstructors(db, tenantId, teaching)
  const names = new Map(instructors.map(({ id, name }) => [id, name]))
  return {
    lessons: await Promise.all(
      due.map(async (document) => ({
        ...document,
        digest: await lessonDigestOf(document),
        instructor: names.get(document.instructor_id) ?? '',
      })),
    ),
    records: await listDueRecords(db, actor, student_id),
  }
}

async function listDueRecords(db: Database, actor: Actor, student_id: string): Promise<readonly DueRecord[]> {
  const records: DueRecord[] = []
  for (const id of await listEndedEnrolments(db, actor.tenant.id, student_id)) {
    const record = await findRecord(db, actor, id, (part) => part())
    if (!record) continue
    const { digest, license_class, signatures } = record
    if (!signatures.some(({ as, state }) => as === 'student' && state === 'valid'))
      records.push({ enrolment_id: id, license_class, digest })
  }
  return records
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
  const due = await listDueSignatures(database, actor, student_id)
  for (const { id, digest } of items) {
    const given = { as: 'student', digest, name, strokes: null } as const
    const lesson = due.lessons.find((one) => one.appointment_id === id)
    const record = due.records.find((one) => one.enrolment_id === id)
    if (lesson) await signLesson(database, actor, id, { signature: { ...given, student_id } })
    else if (record) await signRecord(database, actor, id, { signature: given })
  }
}

/** Whether a problem means that something has changed since the page was shown. */
export function isRecordChanged(error: unknown): boolean {
  const codes = ['record_changed', 'not_completed', 'not_ended', 'not_found']
  return error instanceof Problem && codes.includes(error.code)
}
