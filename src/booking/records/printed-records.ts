import type { Actor } from '../../contract/actor.ts'
import { notFound, Problem } from '../../contract/problem.ts'
import type { RecordSummary } from '../../contract/record-summary.ts'
import type { Database } from '../../db/schema/tables.ts'
import {
  readChangedAt,
  readLessonTypeNames,
  readPartRequirements,
  readStrokes,
} from '../../db/students/printed-records.ts'
import { type RecordPeriod, readRecordedInstructors } from '../../db/students/records.ts'
import { listRecordSignatures } from '../../db/students/signatures.ts'
import { type ConfirmedPart, gapsOfPart, hasPart, totalsOfPart } from '../../domain/confirmation.ts'
import { namedClass, type PrintedRecord, printedChangesSince } from '../../domain/printed-record.ts'
import type { ListedRecord, RecordSigner, TrainingRecord } from '../../domain/training-record.ts'
import { recordOf, recordsOf, recordsPage } from './training-record.ts'

/** Runs a part of the work when it is the school's turn. */
type Read = <T>(part: () => Promise<T>) => Promise<T>

/** The names of lesson types, by id and by code. */
type Names = Readonly<Record<string, string>>

/** Returns a record to print. Throws `not_found`. */
export async function printedRecord(
  db: Database,
  actor: Actor,
  id: string,
  read: Read,
): Promise<{ readonly names: Names; readonly record: PrintedRecord }> {
  const record = await recordOf(db, actor, id, read)
  return {
    names: await read(() => readLessonTypeNames(db, actor.tenant.id)),
    record: await read(() => printed(db, actor, record)),
  }
}

type Part = { readonly id: string; readonly part: ConfirmedPart }

/**
 * Returns a record with the totals of a part, to confirm that part. Throws `not_found`, also if the class has no such part, and
 * `not_complete` with the defects that concern it.
 */
export async function confirmedRecord(db: Database, actor: Actor, { id, part }: Part, read: Read) {
  const { names, record } = await printedRecord(db, actor, id, read)
  const requirements = await read(() => readPartRequirements(db, actor.tenant.id, id))
  if (!hasPart(part, requirements)) throw notFound()
  const gaps = gapsOfPart(part, record, requirements)
  if (gaps.length > 0)
    throw new Problem('not_complete', {
      params: { part },
      errors: gaps.map((gap) => ({ pointer: '', detail: `The record has the gap ${gap.code}.`, ...gap })),
    })
  return { names, record: { ...record, totals: totalsOfPart(part, record.totals, requirements) } }
}

/** Returns the records of a period to print, by last name, first name and begin. */
export async function printedRecords(db: Database, actor: Actor, period: RecordPeriod, read: Read) {
  async function* all(): AsyncGenerator<PrintedRecord> {
    for await (const record of recordsOf(db, actor, period, read))
      yield await read(() => printed(db, actor, record))
  }
  return { names: await read(() => readLessonTypeNames(db, actor.tenant.id)), records: all() }
}

type Page = { readonly period: RecordPeriod; readonly start: number; readonly limit: number }

/** Returns a page of the gaps and signatures of the records of a period, by last name, first name and begin. */
export async function recordSummaries(db: Database, actor: Actor, page: Page, read: Read) {
  const { items, next } = await recordsPage(db, actor, page, read)
  return { items: items.map(summaryOf), next }
}

async function printed(db: Database, { tenant }: Actor, record: ListedRecord): Promise<PrintedRecord> {
  const { enrolment_id, student_id, template_code, ends_on: _, signatures, ...content } = record
  const instructor_ids = content.instructors.map(({ instructor_id }) => instructor_id)
  const recorded = await readRecordedInstructors(db, tenant.id, instructor_ids)
  const numbers = new Map(recorded.map(({ id, number }) => [id, number]))
  const rows = [...content.theory, ...content.practice, ...content.exams]
  const changed_at = await readChangedAt(db, {
    ...{ tenant_id: tenant.id, enrolment_id, student_id },
    appointment_ids: rows.map(({ appointment_id }) => appointment_id),
    instructor_ids,
  })
  const strokes = signatures.length > 0 ? await readStrokes(db, tenant.id, enrolment_id) : undefined
  const isOutdated = signatures.some(({ state }) => state === 'outdated')
  const signed = isOutdated ? await listRecordSignatures(db, tenant.id, enrolment_id) : []
  const documents = new Map(signed.map(({ id, document }) => [id, document as TrainingRecord]))
  const changesSince = (id: string) => {
    const document = documents.get(id)
    return document ? printedChangesSince(document, record) : []
  }
  return {
    ...content,
    license_class: namedClass(content.license_class, template_code),
    instructors: content.instructors.map((one) => ({
      ...one,
      number: numbers.get(one.instructor_id) ?? null,
    })),
    signatures: signatures.map((one) => ({
      ...one,
      strokes: strokes?.get(one.id) ?? null,
      changes: one.state === 'outdated' ? changesSince(one.id) : [],
    })),
    changed_at: [changed_at, ...signatures.map(({ at }) => at)].reduce((a, b) => (a > b ? a : b)),
  }
}

function summaryOf(record: ListedRecord): RecordSummary {
  const { enrolment_id, student_id, student, license_class, state, ends_on, gaps, signatures } = record
  const stateFor = (as: RecordSigner) => signatures.findLast((one) => one.as === as)?.state ?? null
  return {
    enrolment_id,
    student_id,
    name: `${student.last_name}, ${student.first_name}`,
    license_class,
    state,
    ends_on,
    gaps: [...gaps],
    signatures: { school: stateFor('school'), student: stateFor('student') },
  }
}
