import type { NewLessonSignature, NewRecordSignature, Signature } from '../../contract/signature.ts'
import { COMPUTED } from './computed.ts'
import { fetchApi } from './fetch-api.ts'
import { followedQuery } from './followed-get.ts'
import { postOnce } from './write-queue.ts'

export function signaturesOfLesson(id: string) {
  return followedQuery<readonly Signature[]>([COMPUTED, 'signatures', id], `/appointments/${id}/signatures`)
}

/** A signature on its way, with the key under which it is stored at most once. */
export type SentSignature = { readonly key: string; readonly body: NewLessonSignature }

/** Signs a lesson. Throws `ApiProblem` or `Unreachable`. */
export function signLesson(id: string, { key, body }: SentSignature): Promise<Response> {
  return fetchApi(`/appointments/${id}/signatures`, {
    method: 'POST',
    body,
    headers: { 'idempotency-key': key },
  })
}

/** A name, with the drawing if there is one. */
export type GivenSignature = Pick<NewRecordSignature, 'name' | 'strokes'>

/** Signs the record of a training. Throws `ApiProblem` or `Unreachable`. */
export function signRecord(enrolmentId: string, signature: NewRecordSignature): Promise<Response> {
  return postOnce(`/enrolments/${enrolmentId}/signatures`, signature)
}
