import { requireAllowed } from '../../auth/login.ts'
import {
  CODE_SECONDS,
  isSameText,
  type SentCode,
  type StudentVerifications,
} from '../../auth/student-verifications.ts'
import { isEmail } from '../../contract/formats.ts'
import type { Tenant } from '../../contract/tenant.ts'
import { type LoginAttempt, type LoginLimits, recordFailure } from '../../db/accounts/login-attempts.ts'
import { claimChallenge } from '../../db/accounts/used-challenges.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import { putMail } from '../../db/messages/mails.ts'
import type { Database } from '../../db/schema/tables.ts'
import { countAttempt, type FoundPage, uncountAttempt } from '../../db/students/links.ts'
import { findStudent } from '../../db/students/students.ts'
import { pageLanguageOf } from '../../domain/page-languages.ts'
import { requireMailAllowed } from '../users/hand-out-link.ts'

export type VerificationContext = {
  readonly tenant: Tenant
  readonly page: FoundPage
  readonly network: string
  readonly limits: LoginLimits
  readonly verifications: StudentVerifications
  readonly now: Date
}

export type GivenIdentity = { readonly birth_date: string } | SentCode

/** The result of a verification: right, wrong with the number of tries left for the link, or impossible. */
export type VerificationResult =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong'; readonly left: number }
  | { readonly kind: 'missing' | 'locked' }

/**
 * Compares the given identity with the school's data. Throws `too_many_requests` after too many wrong ones from the network.
 */
export async function verifyStudent(
  database: DatabasePool,
  context: VerificationContext,
  given: GivenIdentity,
): Promise<VerificationResult> {
  const { tenant, page, network, limits } = context
  if (page.is_locked) return { kind: 'locked' }
  const attempt: LoginAttempt = { kind: 'student_page', account: page.id, network }
  await requireAllowed(database, attempt, limits)
  if (!(await expectedIdentity(database, context))) return { kind: 'missing' }
  const left = await countAttempt(database, tenant.id, page.id)
  if (left === undefined) return { kind: 'locked' }
  if (await isRight(database, context, given)) {
    await uncountAttempt(database, tenant.id, page.id)
    return { kind: 'right' }
  }
  await recordFailure(database, attempt)
  return left === 0 ? { kind: 'locked' } : { kind: 'wrong', left }
}

/** Returns the date of birth or e-mail address that the given one is compared with; undefined if the school has none. */
export async function expectedIdentity(
  db: Database,
  { tenant, page }: Pick<VerificationContext, 'tenant' | 'page'>,
): Promise<string | undefined> {
  const student = await findStudent(db, tenant.id, page.student_id)
  const { email, birth_date } = student ?? {}
  if (tenant.student_actions.proof === 'mail_code') return email && isEmail(email) ? email : undefined
  return birth_date ?? undefined
}

async function isRight(
  database: DatabasePool,
  context: VerificationContext,
  given: GivenIdentity,
): Promise<boolean> {
  const { tenant, page, verifications, now } = context
  const known = await expectedIdentity(database, context)
  if (known === undefined) return false
  if (tenant.student_actions.proof !== 'mail_code')
    return 'birth_date' in given && isSameText(given.birth_date, known)
  const id = 'code' in given && verifications.idOfCode({ link_id: page.id, email: known }, given, now)
  return id ? inTransaction(database, (db) => claimChallenge(db, id)) : false
}

/** Mails a code to the student and returns its challenge; undefined if no code can be sent. Throws `too_many_mails`. */
export async function sendCode(
  database: DatabasePool,
  context: VerificationContext,
): Promise<string | undefined> {
  const { tenant, page, verifications, now } = context
  const email = await expectedIdentity(database, context)
  if (email === undefined || tenant.student_actions.proof !== 'mail_code') return undefined
  const { code, challenge } = verifications.codeFor({ link_id: page.id, email }, now)
  await inTransaction(database, async (db) => {
    await requireMailAllowed(db, tenant.id, email)
    const to = { address: email, name: page.first_name }
    const worth_until = new Date(now.getTime() + CODE_SECONDS * 1000)
    const params = { code, language: page.language ?? pageLanguageOf(tenant.locale) }
    await putMail(db, tenant.id, { template: 'student_code', params, to, worth_until })
  })
  return challenge
}
