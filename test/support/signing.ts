import { lessonDigestOf, lessonDocumentFor, type SignedLesson } from '../../src/domain/signatures.ts'
import { type Answer, must } from './client.ts'
import type { Row, School } from './factory.ts'

export const STROKES = [
  [
    [0, 0, 0],
    [10, 5.5, 16],
  ],
  [[4, 4, 90]],
]

/** Returns the digest of a lesson for a student, as a client makes it from the lesson that it shows. */
export async function digestFor(lesson: Row, student_id: unknown = lesson.student_id): Promise<string> {
  const document = lessonDocumentFor(lesson as unknown as SignedLesson, String(student_id), 'Europe/Berlin')
  if (!document) throw new Error('not a lesson of the student')
  return lessonDigestOf(document)
}

/** Books a completed lesson of a student. */
export async function aDrive(
  school: School,
  { instructor_id, student_id }: { readonly instructor_id: string; readonly student_id: string },
  fields: object = {},
): Promise<Row> {
  const times = { start_at: '2026-05-04 08:00', end_at: '2026-05-04 09:30' }
  const { id } = await school.lesson({ instructor_id, student_id, ...times, ...fields })
  return must(200, await school.client.patch(`/appointments/${id}`, { status: 'completed' }))
}

/** Sends the signature of a lesson as it stands. */
export async function sign(
  { client }: Pick<School, 'client'>,
  lesson: Row,
  fields: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const signature = { as: 'student', name: 'Lena Vogt', strokes: STROKES, ...fields }
  const digest = 'digest' in fields ? {} : { digest: await digestFor(lesson) }
  return client.post(`/appointments/${lesson.id}/signatures`, { ...digest, ...signature }, headers)
}
