import { claimTotpStep, findTotpSecret } from '../db/accounts/totp-secrets.ts'
import type { Database, Transaction } from '../db/schema/tables.ts'
import { stepOfCode } from './totp.ts'
import type { TotpSecrets } from './totp-secrets.ts'

/** The secrets of authenticator apps, and the clock that decides about their codes. */
export type TotpContext = { readonly secrets: TotpSecrets; readonly now: Date }

/** Returns a function that uses up the code and returns whether it was unused; undefined for a wrong code. */
export async function totpClaim(
  db: Database,
  userId: string,
  code: string,
  { secrets, now }: TotpContext,
): Promise<((tx: Transaction) => Promise<boolean>) | undefined> {
  const sealed = await findTotpSecret(db, userId)
  const secret = sealed && secrets.open(userId, sealed)
  const step = secret === undefined ? undefined : stepOfCode(secret, code, now)
  if (sealed === undefined || step === undefined) return undefined
  return (tx) => claimTotpStep(tx, userId, { sealed, step })
}
