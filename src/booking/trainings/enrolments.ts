import { lockSession } from '../../auth/lock-session.ts'
import type { Actor } from '../../contract/actor.ts'
import {
  type Enrolment,
  type EnrolmentChange,
  enrolmentDayFaultsFor,
  type NewEnrolment,
  storedPriorClasses,
} from '../../contract/enrolment.ts'
import { newId } from '../../contract/new-id.ts'
import { type Fault, invalidRequest, notFound, Problem } from '../../contract/problem.ts'
import { moveLessons } from '../../db/appointments/lesson-enrolments.ts'
import { lockCalendars } from '../../db/calendars/calendar-locks.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import { insertRow, updateRow } from '../../db/resource-rows.ts'
import type { Transaction } from '../../db/schema/tables.ts'
import {
  ENROLMENTS,
  findEnrolment,
  isEnrolmentUsed,
  lockEnrolmentsOf,
  type StoredEnrolment,
} from '../../db/students/enrolments.ts'
import { lockStudent, type StoredStudent } from '../../db/students/students.ts'
import { isOpen, mayBeCurrent, type Template } from '../../domain/enrolments.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import { localToday } from '../../domain/time-zone.ts'
import { type ExpectedVersion, type Intent, requireExpected } from '../expected-version.ts'
import { commitOnce } from '../idempotent.ts'
import { requireTemplate, takeWaiting, withCredits, writeEnrolled } from './choose-class.ts'

const BLANK = {
  prior_classes: null,
  ends_on: null,
  outcome: null,
  theory_ended_on: null,
  practice_ended_on: null,
  cooperation: null,
  note: null,
}

/**
 * Begins the training of a student for a class. Throws `not_found`, `invalid_request`, `template_not_valid`,
 * `already_enrolled` and `enrolment_ended`. Fails if the key is taken.
 */
export async function addEnrolment(
  database: DatabasePool,
  actor: Actor,
  student_id: string,
  { enrolment, key }: { readonly enrolment: NewEnrolment; readonly key?: IdempotencyKey | undefined },
): Promise<Enrolment> {
  const today = localToday(actor.now, actor.tenant.timezone)
  return inTransaction(database, async (db, commitWith) => {
    const held = await lockEnrolments(db, actor, student_id)
    const { begins_on = today } = enrolment
    const template = await requireTemplate(db, actor.tenant.id, enrolment.template_id, [begins_on])
    const begun = { ...BLANK, begins_on: today, student_id, id: newId(), is_current: false }
    const wanted = mergedWith({ ...begun, ...classOf(template) }, enrolment, today)
    requirePossibleDays(wanted, today)
    requireOnlyOpen(held, wanted)
    const isOnlyOpen = !held.enrolments.some(isOpen)
    if (enrolment.is_current && !isOpen(wanted)) throw new Problem('enrolment_ended')
    const is_current = isOpen(wanted) && (enrolment.is_current !== false || isOnlyOpen)
    await lockSession(db, actor)
    if (is_current) await leaveCurrent(db, actor, held)
    const credits = is_current ? await takeWaiting(db, actor, student_id) : []
    const row = shown(await insertRow(db, actor, ENROLMENTS, { ...wanted, is_current, credits }))
    if (is_current) await writeClass(db, actor, held.student, row.template_id)
    if (is_current && isOnlyOpen)
      await moveLessons(db, actor, {
        student_id,
        from: [null],
        to: row,
        withPast: held.enrolments.length === 0,
      })
    return commitOnce({ db, actor, commitWith }, key, Promise.resolve(row))
  })
}

/** Changes an enrolment. Throws as `addEnrolment` does, and `stale`. */
export async function changeEnrolment(
  database: DatabasePool,
  actor: Actor,
  id: string,
  { change, isExpected }: Intent<EnrolmentChange>,
): Promise<Enrolment> {
  return inTransaction(database, async (db) => {
    const { held, stored } = await lockEnrolment(db, actor, id)
    requireExpected(isExpected, stored)
    return changeLocked(db, actor, { held, stored }, change)
  })
}

/** Changes a locked enrolment. Throws as `changeEnrolment` does. */
export async function changeLocked(
  db: Transaction,
  actor: Actor,
  { held, stored }: LockedEnrolment,
  change: EnrolmentChange,
): Promise<Enrolment> {
  const today = localToday(actor.now, actor.tenant.timezone)
  const { begins_on = stored.begins_on, template_id = stored.template_id } = change
  const template =
    template_id === stored.template_id
      ? undefined
      : await requireTemplate(db, actor.tenant.id, template_id, [begins_on, today])
  const wanted = mergedWith({ ...stored, ...(template && classOf(template)) }, change, today)
  requirePossibleDays(wanted, today)
  requireOnlyOpen(held, wanted)
  const next = { ...wanted, is_current: isCurrentAfter(held, stored, { wanted, change }) }
  await lockSession(db, actor)
  const becomesCurrent = next.is_current && !stored.is_current
  if (becomesCurrent) await leaveCurrent(db, actor, held)
  const waiting = becomesCurrent ? await takeWaiting(db, actor, stored.student_id) : []
  const row = shown(await updateRow(db, actor, ENROLMENTS, withCredits({ stored, next }, waiting)))
  if (next.is_current || stored.is_current)
    await writeClass(db, actor, held.student, next.is_current ? next.template_id : null)
  if (next.license_class !== stored.license_class)
    await moveLessons(db, actor, { student_id: stored.student_id, from: [stored.id], to: next })
  return row
}

/** Deletes an enrolment. Throws `not_found`, `stale`, and `in_use` if it has a lesson or a credit. */
export async function deleteEnrolment(
  database: DatabasePool,
  actor: Actor,
  id: string,
  isExpected: ExpectedVersion,
): Promise<void> {
  await inTransaction(database, async (db) => {
    const { held, stored } = await lockEnrolment(db, actor, id)
    requireExpected(isExpected, stored)
    if (await isEnrolmentUsed(db, actor.tenant.id, stored)) throw new Problem('in_use')
    await lockSession(db, actor)
    await updateRow(db, actor, ENROLMENTS, { stored, next: { ...stored, deleted: true } })
    if (stored.is_current) await writeClass(db, actor, held.student, null)
  })
}

function shown({ credits: _, ...row }: Omit<StoredEnrolment, 'deleted'>): Enrolment {
  return row
}

type Held = { readonly student: StoredStudent; readonly enrolments: readonly StoredEnrolment[] }

export type LockedEnrolment = { readonly held: Held; readonly stored: StoredEnrolment }

/** Locks a student with all enrolments, in the order of bookings: calendars first. Throws `not_found`. */
export async function lockEnrolments(db: Transaction, { tenant }: Actor, student_id: string): Promise<Held> {
  await lockCalendars(db, tenant.id, [student_id])
  const student = await lockStudent(db, tenant.id, student_id)
  if (!student || student.deleted) throw notFound()
  return { student, enrolments: await lockEnrolmentsOf(db, tenant.id, [student_id]) }
}

/** Locks an enrolment with all of its student. Throws `not_found`. */
export async function lockEnrolment(db: Transaction, actor: Actor, id: string): Promise<LockedEnrolment> {
  const seen = await findEnrolment(db, actor.tenant.id, id)
  if (!seen) throw notFound()
  const held = await lockEnrolments(db, actor, seen.student_id)
  const stored = held.enrolments.find((one) => one.id === id)
  if (!stored) throw notFound()
  return { held, stored }
}

function classOf({ id, license_class, law }: Template) {
  return { template_id: id, license_class, law }
}

type EnrolmentFields = Omit<Enrolment, 'version' | 'created_at' | 'updated_at'>

/** Merges a request. An outcome without a day ends the enrolment today; no outcome opens it. */
function mergedWith<One extends EnrolmentFields>(known: One, given: EnrolmentChange, today: LocalDate): One {
  const { prior_classes, cooperation, template_id: _, is_current: __, ...fields } = given
  const merged = { ...known, ...fields }
  const { outcome, ends_on = outcome === null ? null : (known.ends_on ?? today) } = given
  return {
    ...merged,
    ...(outcome !== undefined && { ends_on }),
    ...(prior_classes !== undefined && { prior_classes: storedPriorClasses(prior_classes) }),
    ...(cooperation !== undefined && {
      cooperation: cooperation && {
        role: cooperation.role,
        school: cooperation.school ?? null,
        address: cooperation.address ?? null,
      },
    }),
  }
}

function requirePossibleDays(wanted: EnrolmentFields, today: LocalDate): void {
  const faults = enrolmentDayFaultsFor(wanted, today)
  if (faults.length > 0) throw invalidRequest([...faults])
}

/** Throws `already_enrolled` if the student trains for the class in another enrolment. */
function requireOnlyOpen({ enrolments }: Held, wanted: EnrolmentFields): void {
  if (!isOpen(wanted)) return
  const { id, license_class } = wanted
  const other = enrolments.find((one) => isOpen(one) && one.license_class === license_class && one.id !== id)
  if (other) throw new Problem('already_enrolled', { params: { license_class, enrolment_id: other.id } })
}

const NOT_NONE: Fault = {
  pointer: '/is_current',
  code: 'still_needed',
  detail: 'is_current cannot become false: make another enrolment the current one instead.',
}

/** Whether an enrolment is current after a change. One that opens again is, if no other is open. */
function isCurrentAfter(
  { enrolments }: Held,
  stored: StoredEnrolment,
  { wanted, change }: { readonly wanted: EnrolmentFields; readonly change: EnrolmentChange },
): boolean {
  if (change.is_current === false && stored.is_current) throw invalidRequest([NOT_NONE])
  const may = mayBeCurrent(wanted, stored.is_current)
  if (change.is_current && !may) throw new Problem('enrolment_ended')
  const isOpened = !isOpen(stored) && !enrolments.some((one) => isOpen(one))
  return may && (change.is_current ?? (stored.is_current || isOpened))
}

async function leaveCurrent(db: Transaction, actor: Actor, { enrolments }: Held): Promise<void> {
  const stored = enrolments.find(({ is_current }) => is_current)
  if (stored) await updateRow(db, actor, ENROLMENTS, { stored, next: { ...stored, is_current: false } })
}

/** Writes the template of the current enrolment into the student's row, where bookings read it. */
async function writeClass(
  db: Transaction,
  actor: Actor,
  stored: StoredStudent,
  license_class_template_id: string | null,
): Promise<void> {
  await writeEnrolled(db, actor, { stored, next: { ...stored, license_class_template_id } })
}
