import type { FastifyRequest } from 'fastify'
import { studentActor } from '../../booking/offers/accept-offer.ts'
import { typeNamer } from '../../booking/packs/type-names.ts'
import { isInTime } from '../../booking/students/student-moves.ts'
import type { Actor } from '../../contract/actor.ts'
import { isUuid } from '../../contract/formats.ts'
import { notFound } from '../../contract/problem.ts'
import { findStoredAppointment, type StoredAppointment } from '../../db/appointments/appointments.ts'
import { loadCancellationAssessment } from '../../db/appointments/cancellation-assessment.ts'
import { requireInstructor } from '../../db/school/instructors.ts'
import { readLessonTypeNames } from '../../db/school/lesson-types.ts'
import { feeOf } from '../../domain/cancellation.ts'
import { localNow } from '../../domain/time-zone.ts'
import { isVerified, neededVerification, type OpenedPage } from '../requests/student-verification.ts'
import type { Service } from '../service.ts'
import type { LessonStep, LessonView, ShownLesson } from './lesson-html.ts'

export type OpenedLesson = OpenedPage & { readonly actor: Actor; readonly lesson: StoredAppointment }

/** Returns the page and one of its lessons that is not over. Throws `not_found`, also if the school permits no action on lessons. */
export async function openLesson(
  request: FastifyRequest,
  { db, now: clock }: Service,
): Promise<OpenedLesson> {
  const { tenant, page } = request.linked ?? {}
  const { lesson: id } = request.params as { readonly lesson: string }
  if (!tenant || !page || !isUuid(id)) throw notFound()
  const { confirm, cancel } = tenant.student_actions
  if (!confirm && !cancel && !tenant.students_may_move) throw notFound()
  const now = clock()
  const actor = studentActor(page, { tenant, now, set_id: request.id })
  const lesson = await findStoredAppointment(db, tenant.id, id)
  if (!lesson || lesson.deleted || lesson.student_id !== page.student_id) throw notFound()
  if (lesson.end_at <= localNow(now, tenant.timezone)) throw notFound()
  return { tenant, page, now, actor, lesson }
}

export async function lessonViewOf(
  request: FastifyRequest,
  service: Service,
  { opened, language }: { readonly opened: OpenedLesson; readonly language: string },
): Promise<LessonView> {
  const { tenant, lesson } = opened
  const [types, { first_name: instructor }, step] = await Promise.all([
    readLessonTypeNames(service.db, tenant.id),
    requireInstructor(service.db, tenant.id, lesson.instructor_id),
    stepOf(request, service, opened),
  ])
  const { start_at, end_at, pickup_place, version, status, cancellation, confirmed_at, lesson_type_id } =
    lesson
  const shown: ShownLesson = {
    start_at,
    end_at,
    pickup_place,
    version,
    instructor,
    lesson_type: typeNamer({ tenant, types }, language)(lesson_type_id),
    status,
    is_confirmed: confirmed_at !== null,
    cancelled_by: cancellation?.by ?? null,
    fee_percent: feeOf(lesson),
  }
  return { lesson: shown, step }
}

async function stepOf(request: FastifyRequest, service: Service, opened: OpenedLesson): Promise<LessonStep> {
  const { tenant, now: at, lesson } = opened
  if (lesson.status !== 'planned') return { kind: 'nothing' }
  if (lesson.start_at <= localNow(at, tenant.timezone)) return { kind: 'begun' }
  if (!isVerified(request, service, opened)) return { kind: await neededVerification(service, opened) }
  const { confirm, cancel } = tenant.student_actions
  const assess = await loadCancellationAssessment(service.db, tenant)
  const { fee_percent } = assess(lesson, { by: 'student', reason: null, note: null, at, charge: null })
  const move = tenant.students_may_move ? (isInTime(assess, { now: at }, lesson) ? 'may' : 'late') : 'off'
  return { kind: 'act', mayConfirm: confirm, mayCancel: cancel, move, fee_percent }
}
