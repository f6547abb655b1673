import { hash } from 'node:crypto'
import { seenStudentsOf } from '../../auth/permissions.ts'
import type { Actor } from '../../contract/actor.ts'
import { canonicalJson } from '../../contract/canonical-json.ts'
import { notFound } from '../../contract/problem.ts'
import type { StoredAppointment } from '../../db/appointments/appointments.ts'
import type { Database } from '../../db/schema/tables.ts'
import {
  findRecordedEnrolment,
  listRecordedEnrolments,
  type RecordedEnrolment,
  type RecordFilter,
  type RecordPeriod,
  readRecordLessons,
  type TaughtLesson,
} from '../../db/students/records.ts'
import { darknessFor } from '../../domain/daylight.ts'
import {
  recordRetainedUntil,
  recordRowsOf,
  recordStateOf,
  recordTotalsOf,
  signedContentOf,
} from '../../domain/record-content.ts'
import type { RecordRules } from '../../domain/record-facts.ts'
import { recordGapsOf } from '../../domain/record-gaps.ts'
import { localNow, localToday } from '../../domain/time-zone.ts'
import type { ListedRecord, RecordSignature } from '../../domain/training-record.ts'
import { examRulesOf, retentionRulesOf } from '../packs/packs.ts'
import { lawfulSigners, type RecordForm, recordLawOf, trainingFormOn } from '../packs/record-law.ts'

export type ReadInTurn = <T>(part: () => Promise<T>) => Promise<T>

/** Returns the record of an enrolment. Throws `not_found`. */
export async function recordOf(
  db: Database,
  actor: Actor,
  id: string,
  read: ReadInTurn,
): Promise<ListedRecord> {
  const record = await findRecord(db, actor, id, read)
  if (!record) throw notFound()
  return record
}

/** Yields the records of a period, by last name, first name and begin. */
export async function* recordsOf(
  db: Database,
  actor: Actor,
  period: RecordPeriod,
  read: ReadInTurn,
): AsyncGenerator<ListedRecord> {
  for (const { id } of await enrolmentsIn(db, actor, period, read)) {
    const record = await findRecord(db, actor, id, read)
    if (record && isTaughtBy(record, period.instructor_id)) yield record
  }
}

type RecordsPage = {
  readonly items: readonly ListedRecord[]
  readonly next: number | undefined
}

/** Returns a page of the records of a period, and the place after it among the period's trainings; undefined at the end. */
export async function recordsPage(
  db: Database,
  actor: Actor,
  { period, start, limit }: { readonly period: RecordPeriod; readonly start: number; readonly limit: number },
  read: ReadInTurn,
): Promise<RecordsPage> {
  const all = await enrolmentsIn(db, actor, period, read)
  const items: ListedRecord[] = []
  let next = start
  for (const { id } of all.slice(start)) {
    if (items.length === limit) return { items, next }
    const record = await findRecord(db, actor, id, read)
    if (record && isTaughtBy(record, period.instructor_id)) items.push(record)
    next += 1
  }
  return { items, next: undefined }
}

function enrolmentsIn(db: Database, actor: Actor, period: RecordPeriod, read: ReadInTurn) {
  return read(() => listRecordedEnrolments(db, actor.tenant.id, period, filterFor(actor)))
}

function isTaughtBy({ instructors }: ListedRecord, id: string | undefined): boolean {
  return id === undefined || instructors.some(({ instructor_id }) => instructor_id === id)
}

function filterFor(actor: Actor): RecordFilter {
  const isOwner = actor.role === 'owner' || actor.role === 'operator'
  return { ...seenStudentsOf(actor), ...(isOwner && { withRestricted: true }) }
}

export async function findRecord(
  db: Database,
  actor: Actor,
  id: string,
  read: ReadInTurn,
): Promise<ListedRecord | undefined> {
  return read(() => findRecordWith(db, actor, id))
}

/** Returns a record, with a changed lesson as if it were stored. */
export async function findRecordWith(
  db: Database,
  actor: Actor,
  id: string,
  changed?: StoredAppointment,
): Promise<ListedRecord | undefined> {
  const { id: tenantId } = actor.tenant
  const enrolment = await findRecordedEnrolment(db, tenantId, id, filterFor(actor))
  if (!enrolment) return undefined
  const of = { id, student_id: enrolment.student_id, ...(changed && { changed }) }
  return recordFor(actor, enrolment, await readRecordLessons(db, tenantId, of))
}

function recordFor(
  actor: Actor,
  enrolment: RecordedEnrolment,
  lessons: readonly TaughtLesson[],
): ListedRecord {
  const instructors = [...new Map(lessons.map(({ instructor }) => [instructor.id, instructor])).values()]
  const overlaps = lessons.flatMap(({ id, overlaps }) => overlaps.map((other) => ({ id, with: other })))
  const { tenant, now } = actor
  const { license_class, prior_classes, cooperation, student_id, requirements } = enrolment
  const form = trainingFormOn(
    tenant.country,
    enrolment.ends_on ?? localToday(now, tenant.timezone),
    enrolment.template_code,
  )
  const { timezone, unit_minutes, name, address, responsible } = tenant
  const held = { license_class, prior_classes, cooperation }
  const facts = {
    ...{ lessons, instructors },
    ...held,
    ...{ timezone, unit_minutes, requirements, codes: form.codes, credits: enrolment.credits },
  }
  const rows = recordRowsOf(facts)
  const credits = enrolment.credits.map(({ requirement_key: _, ...credit }) => credit)
  const state = recordStateOf(enrolment)
  const digest = digestOf(signedContentOf(student_id, rows, { ...held, credits }))
  const judged = {
    ...{
      state,
      school: { name, address, responsible },
      student: enrolment.student,
      ...held,
      ...rows,
      credits,
    },
    ...{
      totals: recordTotalsOf(facts),
      signatures: enrolment.signatures.map((one) => recordSignatureOf(one, digest)),
    },
  }
  const rules = rulesFor(actor, enrolment, form)
  const gaps = recordGapsOf({ record: judged, facts, ends: enrolment, overlaps, rules })
  return {
    student_id,
    enrolment_id: enrolment.id,
    ends_on: enrolment.ends_on,
    template_code: enrolment.template_code,
    form: form.form,
    law: enrolment.law,
    ...judged,
    gaps,
    is_complete: state !== 'running' && !gaps.some(({ severity }) => severity === 'defect'),
    digest,
    retained_until: recordRetainedUntil(rows, state, retentionRulesOf(tenant.country).record),
  }
}

function recordSignatureOf(
  { id, as, name, at, digest, actor_kind, actor_id, actor_name }: RecordedEnrolment['signatures'][number],
  present: string,
): RecordSignature {
  const by = { kind: actor_kind, id: actor_id, name: actor_name }
  const signer = as === 'student' ? as : 'school'
  return { id, as: signer, name, at, digest, by, state: digest === present ? 'valid' : 'outdated' }
}

function digestOf(content: object): string {
  return `sha256:${hash('sha256', canonicalJson(content) ?? '')}`
}

function rulesFor(
  { tenant, now }: Actor,
  { template_code, license_class, training_years }: RecordedEnrolment,
  form: RecordForm,
): RecordRules {
  return {
    form: form.form,
    now: localNow(now, tenant.timezone),
    content: tenant.record.content,
    signers: lawfulSigners(tenant.country, form, tenant.record.signatures),
    darkness: darknessFor(tenant),
    training_years: training_years ?? examRulesOf(tenant.country).training_years,
    ...recordLawOf(tenant.country, { template_code, license_class }),
  }
}
