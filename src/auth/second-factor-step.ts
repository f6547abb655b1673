import { Problem } from '../contract/problem.ts'
import { listStoredPasskeys } from '../db/accounts/passkeys.ts'
import { findSecondFactor } from '../db/accounts/second-factors.ts'
import type { Login } from '../db/accounts/users.ts'
import type { Database } from '../db/schema/tables.ts'
import { type Ceremony, requestOptions } from './ceremony.ts'
import type { MarkedLogin, SwitchSource } from './challenges.ts'
import { hashOf } from './secret.ts'

/** Returns the error for a right password that needs a second factor, with the ways there are and the passkey options. */
export async function secondFactorRequired(
  db: Database,
  login: Pick<Login, 'id' | 'password_hash'>,
  ceremony: Ceremony,
  beside: SwitchSource,
): Promise<Problem> {
  const known = await listStoredPasskeys(db, login.id)
  const { totp_since, recovery_codes_left } = await findSecondFactor(db, login.id)
  const ways = [
    ...(known.length > 0 ? ['passkey'] : []),
    ...(totp_since === null ? [] : ['totp']),
    ...(recovery_codes_left > 0 ? ['recovery_code'] : []),
  ]
  const marked = { userId: login.id, password: passwordMark(login) }
  const subject = { purpose: 'second_factor', ...marked, ...beside } as const
  return new Problem('second_factor_required', {
    params: { ways, options: await requestOptions(ceremony, subject, known) },
  })
}

export function markedLogin(login: Login): MarkedLogin {
  return { id: login.id, mark: passwordMark(login) }
}

/** Returns a mark that changes with the password without revealing it. */
export function passwordMark({ password_hash }: Pick<Login, 'password_hash'>): string {
  return hashOf(password_hash ?? '').toString('base64url')
}
