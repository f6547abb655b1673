import { revokeSsoLogins } from '../db/accounts/identity-providers.ts'
import { claimChallenge } from '../db/accounts/used-challenges.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import { SsoRefusal } from './issuers.ts'
import { requireProvider, type SsoFlow } from './sso-login.ts'
import { idOfToken } from './sso-requests.ts'

/**
 * Ends the sessions that a logout token of the school's issuer names, and returns their families. Throws `SsoRefusal` for a
 * token that is not valid or used, and `not_found` for a school without an issuer.
 */
export async function endBySso(
  database: DatabasePool,
  { school, token }: { readonly school: string; readonly token: string },
  flow: Pick<SsoFlow, 'issuers' | 'secrets' | 'now'>,
): Promise<readonly string[]> {
  const provider = await requireProvider(database, school, flow)
  const { jti, subject, sid } = await flow.issuers.verifyLogout(provider, token, flow.now)
  return inTransaction(database, async (db) => {
    if (!(await claimChallenge(db, idOfToken(school, jti)))) throw new SsoRefusal('used')
    return revokeSsoLogins(db, school, { issuer: provider.issuer, subject, sid })
  })
}
