import { requireAllowed } from '../../auth/login.ts'
import { CODE_SECONDS, isSameText, type SentCode, type StudentProofs } from '../../auth/student-proofs.ts'
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

export type ProofContext = {
  readonly tenant: Tenant
  readonly page: FoundPage
  readonly network: string
  readonly limits: LoginLimits
  readonly proofs: StudentProofs
  readonly now: Date
}

export type GivenProof = { readonly birth_date: string } | SentCode

/** The result of a proof: right, wrong with the number of tries left for the link, or impossible. */
export type ProofResult =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong'; readonly left: number }
  | { readonly kind: 'missing' | 'locked' }

/**
 * Compares a proof with the school's data. Throws `too_many_requests` after too many wrong proofs from the network.
 */
export async function proveStudent(
  database: DatabasePool,
  prover: ProofContext,
  given: GivenProof,
): Promise<ProofResult> {
  const { tenant, page, network, limits } = prover
  if (page.is_locked) return { kind: 'locked' }
  const attempt: LoginAttempt = { kind: 'student_page', account: page.id, network }
  await requireAllowed(database, attempt, limits)
  if (!(await expectedProof(database, prover))) return { kind: 'missing' }
  const left = await countAttempt(database, tenant.id, page.id)
  if (left === undefined) return { kind: 'locked' }
  if (await isRight(database, prover, given)) {
    await uncountAttempt(database, tenant.id, page.id)
    return { kind: 'right' }
  }
  await recordFailure(database, attempt)
  return left === 0 ? { kind: 'locked' } : { kind: 'wrong', left }
}

/** Returns the date of birth or e-mail address that a proof is checked against; undefined if the school has none. */
export async function expectedProof(
  db: Database,
  { tenant, page }: Pick<ProofContext, 'tenant' | 'page'>,
): Promise<string | undefined> {
  const student = await findStudent(db, tenant.id, page.student_id)
  const { email, birth_date } = student ?? {}
  if (tenant.student_actions.proof === 'mail_code') return email && isEmail(email) ? email : undefined
  return birth_date ?? undefined
}

async function isRight(database: DatabasePool, prover: ProofContext, given: GivenProof): Promise<boolean> {
  const { tenant, page, proofs, now } = prover
  const known = await expectedProof(database, prover)
  if (known === undefined) return false
  if (tenant.student_actions.proof !== 'mail_code')
    return 'birth_date' in given && isSameText(given.birth_date, known)
  const id = 'code' in given && proofs.idOfCode({ link_id: page.id, email: known }, given, now)
  return id ? inTransaction(database, (db) => claimChallenge(db, id)) : false
}

/** Mails a code to the student and returns its challenge; undefined if no code can be sent. Throws `too_many_mails`. */
export async function sendCode(database: DatabasePool, prover: ProofContext): Promise<string | undefined> {
  const { tenant, page, proofs, now } = prover
  const email = await expectedProof(database, prover)
  if (email === undefined || tenant.student_actions.proof !== 'mail_code') return undefined
  const { code, challenge } = proofs.codeFor({ link_id: page.id, email }, now)
  await inTransaction(database, async (db) => {
    await requireMailAllowed(db, tenant.id, email)
    const to = { address: email, name: page.first_name }
    const worth_until = new Date(now.getTime() + CODE_SECONDS * 1000)
    const params = { code, language: page.language ?? pageLanguageOf(tenant.locale) }
    await putMail(db, tenant.id, { template: 'student_code', params, to, worth_until })
  })
  return challenge
}
