import type { QueryClient } from '@tanstack/react-query'
import type { DueLesson, DueRecord, DueSignatures } from '../../contract/due-signatures.ts'
import type { NewLessonSignature, NewRecordSignature, Signature } from '../../contract/signature.ts'
import { COMPUTED } from './computed.ts'
import { fetchApi, fetchJson } from './fetch-api.ts'
import { followedQuery } from './followed-get.ts'
import { postOnce } from './write-queue.ts'

export function signaturesOfLesson(id: string) {
  return followedQuery<readonly Signature[]>([COMPUTED, 'signatures', id], `/appointments/${id}/signatures`)
}

/** The text of a lesson or record to sign. A lesson that the service does not know yet has no digest. */
export type DueSignature = (Omit<DueLesson, 'digest'> & { readonly digest?: string }) | DueRecord

/** Returns the lesson, or the enrolment of the record. */
export function idOfDue(item: DueSignature): string {
  return 'appointment_id' in item ? item.appointment_id : item.enrolment_id
}

const DUE = '/signatures/due'
const nothingDue = (student_id: string): DueSignatures => ({ student_id, lessons: [], records: [] })

/** Queries everything that a student has to sign. */
export function dueSignaturesOf(student_id: string) {
  return followedQuery<DueSignatures>(
    [COMPUTED, 'due', student_id],
    `${DUE}?student_id=${student_id}`,
    (body) => {
      const [due = nothingDue(student_id)] = body as readonly DueSignatures[]
      return due
    },
  )
}

/** Loads what students have to sign by one request. Throws `ApiProblem` or `Unreachable`. */
export async function loadDueSignatures(client: QueryClient, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const query = new URLSearchParams(ids.map((id) => ['student_id', id]))
  const due = await fetchJson<readonly DueSignatures[]>(`${DUE}?${query}`)
  for (const id of ids)
    client.setQueryData(
      dueSignaturesOf(id).queryKey,
      due.find((one) => one.student_id === id) ?? nothingDue(id),
    )
}

/** Removes a lesson or record that has been signed from what is due. */
export function dropDueSignature(client: QueryClient, student_id: string, signed: string): void {
  const isLeft = (item: DueSignature) => idOfDue(item) !== signed
  client.setQueryData(
    dueSignaturesOf(student_id).queryKey,
    (due) => due && { ...due, lessons: due.lessons.filter(isLeft), records: due.records.filter(isLeft) },
  )
}

/** A signature on its way, with the key under which it is stored at most once. */
export type SentSignature = {
  readonly key: string
  readonly body: NewLessonSignature
  /** The text that was shown, unless it is that of the entry's own lesson. */
  readonly due?: DueSignature
}

/** Signs a lesson, or what else is due of its student. Throws `ApiProblem` or `Unreachable`. */
export function sendSignature(lessonId: string, { key, body, due }: SentSignature): Promise<Response> {
  const { student_id: _, ...ofRecord } = body
  const isRecord = due && !('appointment_id' in due)
  const path = `/${isRecord ? 'enrolments' : 'appointments'}/${due ? idOfDue(due) : lessonId}/signatures`
  return fetchApi(path, {
    method: 'POST',
    body: isRecord ? ofRecord : body,
    headers: { 'idempotency-key': key },
  })
}

/** A name, with the drawing if there is one. */
export type GivenSignature = Pick<NewRecordSignature, 'name' | 'strokes'>

/** Signs the record of a training. Throws `ApiProblem` or `Unreachable`. */
export function signRecord(enrolmentId: string, signature: NewRecordSignature): Promise<Response> {
  return postOnce(`/enrolments/${enrolmentId}/signatures`, signature)
}
