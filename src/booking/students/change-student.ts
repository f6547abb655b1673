import type { Actor } from '../../contract/actor.ts'
import { newId } from '../../contract/new-id.ts'
import { invalidRequest, notFound, Problem } from '../../contract/problem.ts'
import type { NewStudent, Student, StudentChange } from '../../contract/student.ts'
import { findComingLessons } from '../../db/appointments/appointment-sets.ts'
import { lockCalendars } from '../../db/calendars/calendar-locks.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import type { Database, Transaction } from '../../db/schema/tables.ts'
import { hasInstructor } from '../../db/school/instructors.ts'
import { hasLicenseClassTemplate } from '../../db/school/license-class-templates.ts'
import {
  insertStudent,
  lockStudent,
  type StoredStudent,
  type StudentUpdate,
  updateStudent,
} from '../../db/students/students.ts'
import { languagesOf } from '../../domain/page-languages.ts'
import { contactOf } from '../../domain/student-contacts.ts'
import { localNow, localToday } from '../../domain/time-zone.ts'
import { birthFaultFor } from '../../domain/typed-date.ts'
import { type Intent, requireExpected } from '../expected-version.ts'
import { commitOnce } from '../idempotent.ts'
import { chooseClass, enrolNew, requireTemplate, writeEnrolled } from '../trainings/choose-class.ts'

/** Enrols a student. Throws `invalid_request` for a birthday in the future and `not_found`. Fails if the key is taken. */
export async function enrolStudent(
  database: DatabasePool,
  actor: Actor,
  student: NewStudent,
  key?: IdempotencyKey,
): Promise<Student> {
  requirePossibleBirth(actor, student)
  requireOfferedLanguage(actor, student)
  await requireReferences(database, actor.tenant.id, student)
  return inTransaction(database, (db, commitWith) =>
    commitOnce({ db, actor, commitWith }, key, insertEnrolled(db, actor, { ...student, id: newId() })),
  )
}

async function insertEnrolled(
  db: Transaction,
  actor: Actor,
  { prior_classes, contacts, ...student }: NewStudent & { readonly id: string },
): Promise<Student> {
  const stored = await insertStudent(db, actor, { ...student, contacts: contacts?.map(contactOf) ?? [] })
  await enrolNew(db, actor, [{ ...student, prior_classes }])
  return stored
}

export async function changeStudent(
  database: DatabasePool,
  actor: Actor,
  id: string,
  { change: { archived, contacts, ...change }, isExpected }: Intent<StudentChange>,
): Promise<Student> {
  const { now } = actor
  requirePossibleBirth(actor, change)
  requireOfferedLanguage(actor, change)
  return inTransaction(database, async (db, commitWith) => {
    // The lock order of bookings: calendars before the student's row.
    if (change.license_class_template_id !== undefined || archived)
      await lockCalendars(db, actor.tenant.id, [id])
    const stored = await lockStudent(db, actor.tenant.id, id)
    if (!stored || stored.deleted) throw notFound()
    await requireReferences(db, actor.tenant.id, change)
    requireExpected(isExpected, stored)
    const archived_at =
      archived === false ? null : (stored.archived_at ?? (archived ? now.toISOString() : null))
    await requireArchivable(db, actor, { stored, next: { ...stored, archived_at } })
    const next = {
      ...stored,
      ...change,
      ...(contacts && { contacts: contacts.map(contactOf) }),
      archived_at,
    }
    const { license_class_template_id: chosen } = next
    if (chosen === stored.license_class_template_id)
      return commitWith(updateStudent(db, actor, { stored, next }))
    const today = localToday(actor.now, actor.tenant.timezone)
    if (chosen !== null) await requireTemplate(db, actor.tenant.id, chosen, [today])
    return writeStudent(db, actor, { stored, next })
  })
}

/** Throws `in_use` if a student who is put away has lessons that begin later. Lock the calendar first. */
export async function requireArchivable(
  db: Transaction,
  { tenant }: Actor,
  { stored, next }: StudentUpdate,
): Promise<void> {
  const { id, archived_at } = next
  if (!archived_at || archived_at === stored.archived_at) return
  const after = localNow(new Date(archived_at), tenant.timezone)
  const use = await findComingLessons(db, tenant.id, { student_id: id, after })
  if (use) throw new Problem('in_use', { params: use })
}

export async function writeStudent(
  db: Transaction,
  actor: Actor,
  { stored, next }: { readonly stored: StoredStudent; readonly next: StoredStudent },
): Promise<Student> {
  const isRetaught = next.license_class_template_id !== stored.license_class_template_id
  if (!isRetaught) return updateStudent(db, actor, { stored, next })
  await chooseClass(db, actor, stored.id, next.license_class_template_id)
  return writeEnrolled(db, actor, { stored, next })
}

function requirePossibleBirth({ now, tenant }: Actor, { birth_date }: StudentChange): void {
  if (!birth_date || birthFaultFor(birth_date, localToday(now, tenant.timezone)) !== 'in_the_future') return
  const detail = 'birth_date must not be in the future.'
  throw invalidRequest([{ pointer: '/birth_date', code: 'in_the_future', detail }])
}

function requireOfferedLanguage({ tenant }: Actor, { language }: StudentChange): void {
  const offered = languagesOf(tenant.country)
  if (!language || offered.includes(language)) return
  const detail = `language must be one of ${offered.join(', ')}, or null: these are the languages of pages in the school's country.`
  throw invalidRequest([{ pointer: '/language', code: 'not_offered', detail }])
}

async function requireReferences(db: Database, tenantId: string, student: StudentChange): Promise<void> {
  const { license_class_template_id: templateId, preferred_instructor_id: instructorId } = student
  if (templateId && !(await hasLicenseClassTemplate(db, tenantId, templateId))) throw notFound()
  if (instructorId && !(await hasInstructor(db, tenantId, instructorId))) throw notFound()
}
