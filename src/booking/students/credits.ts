import { lockSession } from '../../auth/lock-session.ts'
import type { Actor } from '../../contract/actor.ts'
import type { Credits, NewCredits } from '../../contract/credit.ts'
import { notFound } from '../../contract/problem.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import { updateRow } from '../../db/resource-rows.ts'
import type { Transaction } from '../../db/schema/tables.ts'
import { ENROLMENTS } from '../../db/students/enrolments.ts'
import { readEnrolmentProgress } from '../../db/students/progress.ts'
import { type EnrolmentCredits, findCredits, findRecordedEnrolment } from '../../db/students/records.ts'
import { updateStudent } from '../../db/students/students.ts'
import { OPENING_UNITS } from '../../domain/ranges.ts'
import { localToday } from '../../domain/time-zone.ts'
import { type ExpectedVersion, requireExpected } from '../expected-version.ts'
import { requireLessonTypes } from './change-student.ts'
import { lockEnrolment } from './enrolments.ts'

type Replacement = { readonly credits: NewCredits; readonly isExpected: ExpectedVersion }

/**
 * Replaces the units that a student had elsewhere for an enrolment. Those of the current one leave the opening balance.
 * Throws `not_found` and `stale`.
 */
export async function replaceCredits(
  database: DatabasePool,
  actor: Actor,
  id: string,
  { credits, isExpected }: Replacement,
): Promise<EnrolmentCredits> {
  return inTransaction(database, async (db) => {
    const { held, stored } = await lockEnrolment(db, actor, id)
    requireExpected(isExpected, stored)
    const next =
      'from_enrolment_id' in credits
        ? await sumsOf(db, actor, { id: credits.from_enrolment_id, student_id: stored.student_id })
        : credits.map(storedCredit)
    await requireLessonTypes(db, actor.tenant.id, next)
    await lockSession(db, actor)
    await updateRow(db, actor, ENROLMENTS, { stored, next: { ...stored, credits: next } })
    const { student } = held
    if (stored.is_current)
      await updateStudent(db, actor, { stored: student, next: { ...student, opening_balance: [] } })
    return requireCredits(db, actor, id)
  })
}

async function requireCredits(db: Transaction, actor: Actor, id: string): Promise<EnrolmentCredits> {
  const found = await findCredits(db, actor.tenant.id, id)
  if (!found) throw notFound()
  return found
}

type Entry = Exclude<NewCredits, { readonly from_enrolment_id: string }>[number]

function storedCredit(entry: Entry): Credits[number] {
  const { lesson_type_id, units, minutes = null, date, school, document = null, topics = [] } = entry
  return { lesson_type_id, units, minutes, date, school, document, topics }
}

/** Returns the units done in another enrolment of the student, without theory that counts for every class anyway. */
async function sumsOf(
  db: Transaction,
  { tenant, now }: Actor,
  source: { readonly id: string; readonly student_id: string },
): Promise<Credits> {
  const enrolment = await findRecordedEnrolment(db, tenant.id, source.id, {})
  if (enrolment?.student_id !== source.student_id) throw notFound()
  const shared = enrolment.requirements.filter((one) => one.shared).map((one) => one.lesson_type_id)
  const { requirements, other } = await readEnrolmentProgress(db, tenant, source)
  const date = localToday(now, tenant.timezone)
  return [...requirements, ...other]
    .map(({ lesson_type_id, done_units }) => ({ lesson_type_id, units: Math.floor(done_units) }))
    .filter(({ lesson_type_id, units }) => units > 0 && !shared.includes(lesson_type_id))
    .map(({ lesson_type_id, units }) =>
      storedCredit({ lesson_type_id, units: Math.min(units, OPENING_UNITS.max), date, school: tenant.name }),
    )
}
