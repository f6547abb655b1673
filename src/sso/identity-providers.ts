import { lockSession } from '../auth/lock-session.ts'
import { requireProof } from '../auth/proof.ts'
import type { Session } from '../auth/session.ts'
import type { Actor } from '../contract/actor.ts'
import type { NewIdentityProvider } from '../contract/identity-provider.ts'
import { invalidRequest, notFound, Problem } from '../contract/problem.ts'
import { unlinkSchool } from '../db/accounts/identities.ts'
import {
  deleteProvider,
  findProvider,
  lockUsersOfSchool,
  putProvider,
  revokeOtherLogins,
  type StoredProvider,
} from '../db/accounts/identity-providers.ts'
import { findSecondFactor } from '../db/accounts/second-factors.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import { recordChanges } from '../db/log/changes.ts'
import type { Transaction } from '../db/schema/tables.ts'
import { lockTenant } from '../db/school/tenants.ts'
import type { Issuers } from './issuers.ts'
import type { ProviderSecrets } from './provider-secrets.ts'

export type SsoContext = { readonly issuers: Issuers; readonly secrets: ProviderSecrets }

type Put = { readonly provider: StoredProvider; readonly revoked: readonly string[] }

/**
 * Sets the school's identity provider. If it becomes required, sessions that began elsewhere end; another issuer ends all links
 * to people. Returns it with the ended families. Throws `proof_required`, `no_second_factor` for an actor who would be shut out, and
 * `invalid_request` for a missing secret and an issuer that cannot be read.
 */
export async function setProvider(
  database: DatabasePool,
  actor: Actor,
  { session, ...given }: NewIdentityProvider & { readonly session: Session },
  { issuers, secrets }: SsoContext,
): Promise<Put> {
  await requireProof(database, session)
  const tenant_id = actor.tenant.id
  const before = await findProvider(database, tenant_id)
  const client_secret = given.client_secret ?? keptSecret(before, given, secrets)
  if (client_secret === undefined) throw faultOf('/client_secret', 'required')
  const { issuer, client_id, required } = given
  const isKnown = issuers.require({ tenant_id, issuer, client_id, client_secret })
  await isKnown.catch(() => Promise.reject(faultOf('/issuer', 'unreachable')))
  return inTransaction(database, async (db) => {
    await lockTenant(db, tenant_id)
    await lockUsersOfSchool(db, tenant_id)
    await lockSession(db, actor)
    await requireProof(db, session)
    if (required && !(await findSecondFactor(db, session.user.id)).enabled)
      throw new Problem('no_second_factor')
    const stored = await findProvider(db, tenant_id)
    if (stored && stored.issuer !== issuer) await unlinkSchool(db, tenant_id)
    const sealed_secret = secrets.seal(tenant_id, client_secret)
    await putProvider(db, { tenant_id, issuer, client_id, required, sealed_secret })
    const revoked = required ? await revokeOtherLogins(db, tenant_id, issuer) : []
    await recordProvider(db, actor, stored, { issuer, client_id, required })
    const provider = await findProvider(db, tenant_id)
    if (!provider) throw new Error('it has been stored')
    return { provider, revoked: revoked.filter((id) => id !== actor.session_id) }
  })
}

/** Removes the identity provider and all links to people there. Throws `not_found` and `proof_required`. */
export async function removeProvider(database: DatabasePool, actor: Actor, session: Session): Promise<void> {
  await inTransaction(database, async (db) => {
    await lockTenant(db, actor.tenant.id)
    await lockSession(db, actor)
    const stored = await findProvider(db, actor.tenant.id)
    if (!stored) throw notFound()
    await requireProof(db, session)
    await unlinkSchool(db, actor.tenant.id)
    await deleteProvider(db, actor.tenant.id)
    await recordProvider(db, actor, stored, undefined)
  })
}

/** Returns the stored secret, unless it would go to another issuer or belong to another client. */
function keptSecret(
  stored: StoredProvider | undefined,
  { issuer, client_id }: NewIdentityProvider,
  secrets: ProviderSecrets,
): string | undefined {
  if (stored?.issuer !== issuer || stored.client_id !== client_id) return undefined
  return secrets.open(stored.tenant_id, stored.sealed_secret)
}

type Recorded = Pick<StoredProvider, 'issuer' | 'client_id' | 'required'>

function recordProvider(
  db: Transaction,
  actor: Actor,
  before: Recorded | undefined,
  after: Recorded | undefined,
): Promise<void> {
  const sideOf = (one: Recorded | undefined) => ({
    identity_provider: one ? { issuer: one.issuer, client_id: one.client_id, required: one.required } : null,
  })
  return recordChanges(db, actor, [
    {
      ...{ resource: 'tenant', resource_id: actor.tenant.id, action: 'changed' },
      before: sideOf(before),
      after: sideOf(after),
    },
  ])
}

const FAULTS = {
  required: 'client_secret is required for another issuer or client.',
  unreachable:
    'issuer must have metadata at /.well-known/openid-configuration that name it, at public addresses.',
} as const

function faultOf(pointer: string, code: keyof typeof FAULTS): Problem {
  return invalidRequest([{ pointer, code, detail: FAULTS[code] }])
}
