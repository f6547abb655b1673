import { lockSession } from '../../auth/lock-session.ts'
import type { Actor } from '../../contract/actor.ts'
import type { Enquiry, NewEnquiry, StoredEnquiry } from '../../contract/enquiry.ts'
import { newId } from '../../contract/new-id.ts'
import { notFound, Problem } from '../../contract/problem.ts'
import type { Student } from '../../contract/student.ts'
import type { Tenant } from '../../contract/tenant.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import { finishedLaterList, type JsonList } from '../../db/json-list.ts'
import { putMail } from '../../db/messages/mails.ts'
import { blankOf } from '../../db/resource-rows.ts'
import type { Database, Transaction } from '../../db/schema/tables.ts'
import { findTemplateOfClass } from '../../db/school/license-class-templates.ts'
import {
  countNewEnquiries,
  insertEnquiry,
  listEnquiries,
  lockEnquiry,
  updateEnquiry,
} from '../../db/students/enquiries.ts'
import { insertStudent, readIdentities } from '../../db/students/students.ts'
import { WISHES } from '../../db/students/wishes.ts'
import { type EnquiryState, MAX_NEW_ENQUIRIES } from '../../domain/enquiries.ts'
import { minuteOfDay } from '../../domain/local-time.ts'
import type { StudentLanguage } from '../../domain/page-languages.ts'
import { someSameAmong } from '../../domain/same-person.ts'
import type { Steps } from '../../domain/steps.ts'
import { localToday } from '../../domain/time-zone.ts'
import { commitOnce } from '../idempotent.ts'
import { insertNew } from '../managed-resource.ts'
import type { TimeSlicer } from '../time-slicer.ts'
import { enrolNew } from '../trainings/choose-class.ts'
import { MANAGED_WISHES } from './wishes.ts'

export function visitorActor(tenant: Tenant, { now, set_id }: Pick<Actor, 'now' | 'set_id'>): Actor {
  const asked = { kind: 'system', id: null, name: 'website', instructor_id: null } as const
  return { ...asked, role: 'operator', tenant, now, set_id }
}

const FULL_SECONDS = 3600
const WORTH_DAYS = 3

type Sent = {
  readonly enquiry: NewEnquiry
  readonly language: StudentLanguage
  readonly form_id: string
  /** The address of the list of enquiries; undefined if no mail can be sent. */
  readonly url: string | undefined
}

/**
 * Stores an enquiry, once for each form, and queues a mail to the office. It looks at no student, so that neither content nor time
 * reveals who is known. Throws `too_many_requests` if too many wait for an answer.
 */
export async function sendEnquiry(database: DatabasePool, actor: Actor, sent: Sent): Promise<void> {
  const { enquiry, language, form_id, url } = sent
  const { first_name, last_name, license_class, phone, email, message } = enquiry
  const { weekdays, time_from, time_to } = enquiry
  const { id: tenantId, name, office_email } = actor.tenant
  await inTransaction(database, async (db) => {
    if ((await countNewEnquiries(db, tenantId)) >= MAX_NEW_ENQUIRIES)
      throw new Problem('too_many_requests', {
        params: { retry_after_seconds: FULL_SECONDS },
        retryAfterSeconds: FULL_SECONDS,
      })
    const isNew = await insertEnquiry(db, actor, {
      ...{ id: newId(), form_id, first_name, last_name, license_class, language },
      ...{ phone: phone || null, email: email || null, message: message || null },
      weekdays: weekdays?.toSorted((a, b) => a - b) ?? null,
      time_from: time_from ?? null,
      time_to: time_to ?? null,
    })
    if (!isNew || !url || !office_email) return
    const worth_until = new Date(actor.now.getTime() + WORTH_DAYS * 86_400_000)
    const to = { address: office_email, name }
    await putMail(db, tenantId, { template: 'enquiry', params: { url }, to, worth_until })
  })
}

export function listEnquiriesWithSame(
  db: Database,
  { tenant }: Actor,
  { state, slicer }: { readonly state?: EnquiryState; readonly slicer: TimeSlicer },
): JsonList {
  const stored = listEnquiries(db, tenant.id, state ? { state } : {})
  return finishedLaterList<StoredEnquiry>(stored, async (rows) => enquiriesWithSame(db, tenant, rows, slicer))
}

export async function enquiriesWithSame(
  db: Database,
  { id, country }: Tenant,
  rows: readonly StoredEnquiry[],
  slicer: TimeSlicer,
): Promise<readonly Enquiry[]> {
  const isCompared = rows.some(({ state }) => state !== 'enrolled')
  const students = isCompared ? await readIdentities(db, id) : []
  return slicer.run(comparedWith(students, rows, country))
}

function* comparedWith(
  students: Awaited<ReturnType<typeof readIdentities>>,
  rows: readonly StoredEnquiry[],
  country: string,
): Steps<readonly Enquiry[]> {
  const sameAs = yield* someSameAmong(students, country)
  const compared: Enquiry[] = []
  for (const row of rows) {
    yield
    const same = row.state === 'enrolled' ? [] : sameAs(row)
    compared.push({ ...row, same_as: same.map(({ person }) => person.id) })
  }
  return compared
}

/**
 * Makes a student of an enquiry, with the class and the wished times, in one set. Throws `not_found`, and `already_decided` if it
 * has been enrolled or closed. Fails if the key is taken.
 */
export async function enrolEnquiry(
  database: DatabasePool,
  actor: Actor,
  id: string,
  key?: IdempotencyKey,
): Promise<Student> {
  return inTransaction(database, async (db, commitWith) => {
    const stored = await lockNew(db, actor, id)
    await lockSession(db, actor)
    return commitOnce({ db, actor, commitWith }, key, enrolLocked(db, actor, stored))
  })
}

/** Closes an enquiry. Closing it again changes nothing. Throws `not_found`, and `already_decided` if it has been enrolled. */
export async function closeEnquiry(database: DatabasePool, actor: Actor, id: string): Promise<StoredEnquiry> {
  return inTransaction(database, async (db) => {
    const stored = await lockEnquiry(db, actor.tenant.id, id)
    if (stored?.state === 'closed') return stored
    const enquiry = await lockNew(db, actor, id)
    await lockSession(db, actor)
    return updateEnquiry(db, actor, enquiry, { state: 'closed', student_id: null })
  })
}

async function lockNew(db: Transaction, { tenant }: Actor, id: string): Promise<StoredEnquiry> {
  const stored = await lockEnquiry(db, tenant.id, id)
  if (!stored) throw notFound()
  const { state } = stored
  if (state !== 'new') throw new Problem('already_decided', { params: { status: state } })
  return stored
}

async function enrolLocked(db: Transaction, actor: Actor, stored: StoredEnquiry): Promise<Student> {
  const { tenant, now } = actor
  const { first_name, last_name, phone, email, language, message, license_class } = stored
  const today = localToday(now, tenant.timezone)
  const template = await findTemplateOfClass(db, tenant.id, { license_class, today })
  const isSchools = new Intl.Locale(tenant.locale).language === language
  const known = {
    ...{ id: newId(), first_name, last_name, phone, email },
    ...{ notes: message, language: isSchools ? null : language },
    license_class_template_id: template ?? null,
  }
  const student = await insertStudent(db, actor, { ...known, contacts: [] })
  await enrolNew(db, actor, [known])
  await wishFor(db, actor, known.id, stored)
  await updateEnquiry(db, actor, stored, { state: 'enrolled', student_id: known.id })
  return student
}

async function wishFor(
  db: Transaction,
  actor: Actor,
  student_id: string,
  { weekdays, time_from, time_to }: StoredEnquiry,
): Promise<void> {
  if (!weekdays && !time_from && !time_to) return
  const longest = minuteOfDay(time_to ?? '24:00') - minuteOfDay(time_from ?? '00:00')
  const minutes = Math.min(2 * actor.tenant.unit_minutes, longest)
  const wish = { ...blankOf(WISHES), student_id, weekdays, time_from, time_to, minutes }
  await insertNew(db, actor, MANAGED_WISHES, wish)
}
