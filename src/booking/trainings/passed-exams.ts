import type { Actor } from '../../contract/actor.ts'
import type { StoredAppointment } from '../../db/appointments/appointments.ts'
import type { Database, Transaction } from '../../db/schema/tables.ts'
import { findLessonType } from '../../db/school/lesson-types.ts'
import { findEnrolment, findTemplate, isEndedBy } from '../../db/students/enrolments.ts'
import { isCounted } from '../../domain/counted.ts'
import { isOpen } from '../../domain/enrolments.ts'
import { JOINT_COURSES } from '../../domain/lesson-vehicles.ts'
import { dateOf, type LocalDate } from '../../domain/local-time.ts'
import { localToday } from '../../domain/time-zone.ts'
import type { Decision } from '../decide.ts'
import { changeLocked, type LockedEnrolment, lockEnrolment } from './enrolments.ts'

/** An appointment before and after a change; `before` is undefined if it is new. */
type ExamChange = { readonly before?: StoredAppointment | undefined; readonly after: StoredAppointment }

/** Lets the training of a student follow the exam that a decision writes. */
export function withTraining(
  actor: Actor,
  { seen, write }: Decision<StoredAppointment>,
  before?: StoredAppointment,
): Decision<StoredAppointment> {
  return {
    seen,
    isCompound: true,
    write: async (db) => {
      const after = await write(db)
      if (after) await followExam(db as Transaction, actor, { before, after })
      return after
    },
  }
}

/**
 * Ends a training on the day of its passed practical test. If the exam no longer is one, opens the training again, unless somebody has
 * ended it in another way. Leaves joint courses alone, which have two exams.
 */
export async function followExam(
  db: Transaction,
  actor: Actor,
  { before, after }: ExamChange,
): Promise<void> {
  const passed = await passIn(db, actor, after)
  const known = before && (await passIn(db, actor, before))
  if (known && known.enrolment_id !== passed?.enrolment_id) await setEnd(db, actor, known, null)
  const isSame = known?.enrolment_id === passed?.enrolment_id && known?.day === passed?.day
  if (passed && !isSame) await setEnd(db, actor, passed, passed.day)
}

type Pass = { readonly appointment_id: string; readonly enrolment_id: string; readonly day: LocalDate }

async function passIn(
  db: Database,
  { tenant }: Actor,
  { id, lesson_type_id, enrolment_id, start_at, ...exam }: StoredAppointment,
): Promise<Pass | undefined> {
  if (!exam.exam_result?.passed || !isCounted(exam) || enrolment_id === null) return undefined
  const lessonType = await findLessonType(db, tenant.id, lesson_type_id)
  if (lessonType?.category !== 'practical_exam') return undefined
  return { appointment_id: id, enrolment_id, day: dateOf(start_at) }
}

async function setEnd(db: Transaction, actor: Actor, pass: Pass, day: LocalDate | null): Promise<void> {
  if (!(await findEnrolment(db, actor.tenant.id, pass.enrolment_id))) return
  const locked = await lockEnrolment(db, actor, pass.enrolment_id)
  if (!isOpen(locked.stored) && !(await hasEnded(db, actor, locked, pass))) return
  if (day === null && (isOpen(locked.stored) || hasOther(locked))) return
  if (day !== null && !(await mayEnd(db, actor, locked, day))) return
  await changeLocked(db, actor, locked, { outcome: day === null ? null : 'passed', ends_on: day })
}

async function hasEnded(
  db: Database,
  { tenant }: Actor,
  { stored: { id, outcome } }: LockedEnrolment,
  { appointment_id }: Pass,
): Promise<boolean> {
  return outcome === 'passed' && (await isEndedBy(db, tenant.id, { id, appointment_id }))
}

function hasOther({ held, stored }: LockedEnrolment): boolean {
  return held.enrolments.some((one) => isOpen(one) && one.license_class === stored.license_class)
}

async function mayEnd(
  db: Database,
  { tenant, now }: Actor,
  { stored: { begins_on, template_id } }: LockedEnrolment,
  day: LocalDate,
): Promise<boolean> {
  if (day < begins_on || day > localToday(now, tenant.timezone)) return false
  const template = await findTemplate(db, tenant.id, template_id)
  return template !== undefined && !JOINT_COURSES.has(template.code)
}
