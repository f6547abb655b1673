import { lockSession } from '../../auth/lock-session.ts'
import type { Actor } from '../../contract/actor.ts'
import { type Credits, creditsFor, type NewCredits, storedCredit } from '../../contract/credit.ts'
import type { OpeningBalance } from '../../contract/opening-balance.ts'
import { notFound } from '../../contract/problem.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import type { Database, Transaction } from '../../db/schema/tables.ts'
import { readLessonTypeNames } from '../../db/school/lesson-types.ts'
import { findOpeningBalance, updateCredits } from '../../db/students/opening-balances.ts'
import { readEnrolmentProgress } from '../../db/students/progress.ts'
import { type EnrolmentCredits, findCredits, findRecordedEnrolment } from '../../db/students/records.ts'
import { OPENING_UNITS } from '../../domain/ranges.ts'
import { localToday } from '../../domain/time-zone.ts'
import { type ExpectedVersion, requireExpected } from '../expected-version.ts'
import { lockEnrolment, lockEnrolments } from './enrolments.ts'

type Replacement = { readonly credits: NewCredits; readonly isExpected: ExpectedVersion }

/** Replaces the units that a student had elsewhere for an enrolment. Throws `not_found` and `stale`. */
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
    await updateCredits(db, actor, [{ student: held.student, enrolment: stored, credits: next }])
    return requireCredits(db, actor, id)
  })
}

type Balance = { readonly balance: OpeningBalance; readonly isExpected: ExpectedVersion }

/**
 * Replaces a student's opening balance, which is the credits of the current enrolment, and returns it with the student's
 * version. Without a current one, it waits for the next. Throws `not_found` and `stale`.
 */
export async function changeOpeningBalance(
  database: DatabasePool,
  actor: Actor,
  id: string,
  { balance, isExpected }: Balance,
): Promise<{ readonly opening_balance: OpeningBalance; readonly version: number }> {
  return inTransaction(database, async (db) => {
    const { student, enrolments } = await lockEnrolments(db, actor, id)
    await requireLessonTypes(db, actor.tenant.id, balance)
    requireExpected(isExpected, student)
    const enrolment = enrolments.find(({ is_current }) => is_current)
    const credits = creditsFor(balance, enrolment?.credits)
    await lockSession(db, actor)
    await updateCredits(db, actor, [{ student, enrolment, credits }])
    const written = await findOpeningBalance(db, actor.tenant.id, id)
    if (!written) throw notFound()
    return written
  })
}

async function requireCredits(db: Transaction, actor: Actor, id: string): Promise<EnrolmentCredits> {
  const found = await findCredits(db, actor.tenant.id, id)
  if (!found) throw notFound()
  return found
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

type OfType = { readonly lesson_type_id: string }

async function requireLessonTypes(db: Database, tenantId: string, balance: readonly OfType[]): Promise<void> {
  const known = await readLessonTypeNames(db, tenantId)
  if (!balance.every(({ lesson_type_id }) => known.has(lesson_type_id))) throw notFound()
}
