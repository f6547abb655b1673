import type { Enrolment, EnrolmentChange, NewEnrolment } from '../../contract/enrolment.ts'
import type { Progress } from '../../contract/progress.ts'
import type { Student } from '../../contract/student.ts'
import type { NewTick } from '../../contract/tick.ts'
import type { Tick, TickKind } from '../../domain/ticks.ts'
import { COMPUTED } from './computed.ts'
import { fetchApi } from './fetch-api.ts'
import { followedQuery } from './followed-get.ts'
import { postOnce } from './write-queue.ts'

/** A student's enrolments, the one that began last first. */
export function enrolmentsOf(studentId: string) {
  return followedQuery<readonly Enrolment[]>(
    [COMPUTED, 'enrolments', studentId],
    `/students/${studentId}/enrolments`,
  )
}

export function progressOfEnrolment(id: string) {
  return followedQuery<Progress>([COMPUTED, 'progress of enrolment', id], `/enrolments/${id}/progress`)
}

export function ticksOfEnrolment(id: string) {
  return followedQuery<readonly Tick[]>([COMPUTED, 'ticks', id], `/enrolments/${id}/ticks`)
}

type Seen = { readonly id: string; readonly version: number }

// Each write throws `ApiProblem` or `Unreachable`, and `stale` if somebody else has changed the row.

export function beginEnrolment(studentId: string, enrolment: NewEnrolment): Promise<Response> {
  return postOnce(`/students/${studentId}/enrolments`, enrolment)
}

export function changeEnrolment(seen: Seen, change: EnrolmentChange): Promise<Response> {
  return patch('/enrolments', seen, change)
}

export function deleteEnrolment({ id, version }: Seen): Promise<Response> {
  return fetchApi(`/enrolments/${id}`, { method: 'DELETE', headers: { 'if-match': `"${version}"` } })
}

/** Changes a student's class, which ends the current enrolment and begins another if it has lessons or papers. */
export function changeClass(student: Student, templateId: string): Promise<Response> {
  return patch('/students', student, { license_class_template_id: templateId })
}

export function enterTick(enrolmentId: string, kind: TickKind, tick: NewTick): Promise<Response> {
  return fetchApi(`/enrolments/${enrolmentId}/ticks/${kind}`, { method: 'PUT', body: tick })
}

export function removeTick(enrolmentId: string, kind: TickKind): Promise<Response> {
  return fetchApi(`/enrolments/${enrolmentId}/ticks/${kind}`, { method: 'DELETE' })
}

function patch(path: string, { id, version }: Seen, body: object): Promise<Response> {
  return fetchApi(`${path}/${id}`, { method: 'PATCH', headers: { 'if-match': `"${version}"` }, body })
}
