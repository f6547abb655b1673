import type { Actor } from '../../contract/actor.ts'
import { type Credits, creditsFor } from '../../contract/credit.ts'
import { type NewPriorClasses, storedPriorClasses } from '../../contract/enrolment.ts'
import { newId } from '../../contract/new-id.ts'
import { notFound, Problem } from '../../contract/problem.ts'
import type { Student } from '../../contract/student.ts'
import { moveLessons } from '../../db/appointments/lesson-enrolments.ts'
import { updateRow } from '../../db/resource-rows.ts'
import type { Database, Transaction } from '../../db/schema/tables.ts'
import {
  ENROLMENTS,
  findTemplate,
  insertEnrolments,
  isEnrolmentUsed,
  listValidTemplates,
  lockEnrolmentsOf,
  type StoredEnrolment,
  setEnrolmentsDeleted,
} from '../../db/students/enrolments.ts'
import { takeWaitingBalance } from '../../db/students/opening-balances.ts'
import { lockStudent, type StudentUpdate, updateStudent } from '../../db/students/students.ts'
import { choiceOf, isOpen, type Template } from '../../domain/enrolments.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import { localToday } from '../../domain/time-zone.ts'

/** Returns a template. Throws `not_found`, and `template_not_valid` unless it is valid on one of the days. */
export async function requireTemplate(
  db: Database,
  tenantId: string,
  id: string,
  days: readonly LocalDate[],
): Promise<Template> {
  const template = await findTemplate(db, tenantId, id)
  if (!template) throw notFound()
  const { valid_from, valid_to } = template
  if (days.some((day) => (valid_from ?? day) <= day && day <= (valid_to ?? day))) return template
  const valid_ids = await listValidTemplates(db, tenantId, { id, day: days[0] ?? '' })
  throw new Problem('template_not_valid', { params: { template_id: id, valid_from, valid_to, valid_ids } })
}

type NewClass = {
  readonly id: string
  readonly license_class_template_id?: string | null | undefined
  readonly prior_classes?: NewPriorClasses | undefined
}

/** Begins an enrolment today for each new student with a class. Throws `template_not_valid`. */
export async function enrolNew(db: Transaction, actor: Actor, students: readonly NewClass[]): Promise<void> {
  const today = localToday(actor.now, actor.tenant.timezone)
  const begun = students.flatMap(({ id, license_class_template_id: template_id, prior_classes }) =>
    template_id
      ? [
          {
            id: newId(),
            student_id: id,
            template_id,
            prior_classes: storedPriorClasses(prior_classes ?? null),
            credits: [],
          },
        ]
      : [],
  )
  for (const template of new Set(begun.map(({ template_id }) => template_id)))
    await requireTemplate(db, actor.tenant.id, template, [today])
  await insertEnrolments(db, actor, begun, today)
}

/** Changes, ends or begins enrolments so that the student's class is that of the template, and moves lessons along. Lock the student's calendar and row first. */
export async function chooseClass(
  db: Transaction,
  actor: Actor,
  student_id: string,
  template_id: string | null,
): Promise<void> {
  const { tenant, now } = actor
  const today = localToday(now, tenant.timezone)
  const enrolments = await lockEnrolmentsOf(db, tenant.id, [student_id])
  const template = template_id === null ? null : await findTemplate(db, tenant.id, template_id)
  if (template === undefined) throw notFound()
  const current = enrolments.find(({ is_current }) => is_current)
  const isCurrentUsed = current !== undefined && (await isEnrolmentUsed(db, tenant.id, current))
  const choice = choiceOf(enrolments, template, { today, isUsed: () => isCurrentUsed })
  const begun = choice.begun && { id: newId(), student_id, template_id: choice.begun.id, prior_classes: null }
  const waiting = (choice.begun ?? choice.changed) ? await takeWaiting(db, actor, student_id) : []
  if (choice.deleted) await setEnrolmentsDeleted(db, actor, [choice.deleted], true)
  if (choice.left) await updateRow(db, actor, ENROLMENTS, choice.left)
  if (choice.changed) await updateRow(db, actor, ENROLMENTS, withCredits(choice.changed, waiting))
  if (begun) await insertEnrolments(db, actor, [{ ...begun, credits: waiting }], today)
  const chosen = choice.changed?.next.id ?? begun?.id
  const to = chosen && template ? { id: chosen, license_class: template.license_class } : null
  const isLeft = choice.deleted !== undefined || (choice.left !== undefined && !isOpen(choice.left.next))
  const from = current ? (isLeft ? [current.id] : []) : [null]
  if (from.length > 0)
    await moveLessons(db, actor, { student_id, from, to, withPast: enrolments.length === 0 })
}

/** Takes the units that wait for an enrolment of a student. The one that becomes the current one has to get them. */
export async function takeWaiting(db: Transaction, { tenant }: Actor, student_id: string): Promise<Credits> {
  return creditsFor(await takeWaitingBalance(db, tenant.id, student_id))
}

export type EnrolmentWrite = { readonly stored: StoredEnrolment; readonly next: StoredEnrolment }

/** Adds credits before those of an enrolment. */
export function withCredits({ stored, next }: EnrolmentWrite, credits: Credits): EnrolmentWrite {
  return { stored, next: { ...next, credits: [...credits, ...next.credits] } }
}

/** Writes a student after the enrolments, and records that the current one shows another opening balance. */
export async function writeEnrolled(
  db: Transaction,
  actor: Actor,
  { stored, next }: StudentUpdate,
): Promise<Student> {
  const { opening_balance } = (await lockStudent(db, actor.tenant.id, stored.id)) ?? stored
  return updateStudent(db, actor, { stored, next: { ...next, opening_balance } })
}
