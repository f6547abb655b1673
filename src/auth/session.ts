import { LRUCache } from 'lru-cache'
import type { ApiTokenScope } from '../contract/api-token.ts'
import type { User } from '../contract/auth.ts'
import type { Tenant } from '../contract/tenant.ts'
import { recordSessionUse } from '../db/accounts/own-sessions.ts'
import { findLiveSession } from '../db/accounts/refresh-tokens.ts'
import { findUser } from '../db/accounts/users.ts'
import type { Database } from '../db/schema/tables.ts'
import { findTenant } from '../db/school/tenants.ts'
import type { Claims } from './access-token.ts'

/** The milliseconds until other processes notice that a session has ended. */
const TRUST_MS = 5_000
const MAX_SESSIONS = 10_000

/** A valid session. Its user has the role of the session's API token, if there is one, and `scope` is that token's. */
export type Session = {
  readonly user: User
  readonly tenant: Tenant
  readonly familyId: string
  /** Whether the school requires a second factor that the user has yet to set up. */
  readonly mustSetUp: boolean
  readonly scope: ApiTokenScope | null
}

type Within = (read: () => Promise<Session | undefined>) => Promise<Session | undefined>

/** A cache of valid sessions. Drops an ended one at once in this process, and within five seconds in others. */
export class Sessions {
  readonly #db: Database
  readonly #known = new LRUCache<string, Session>({ max: MAX_SESSIONS, ttl: TRUST_MS })
  /** The reads in progress, shared by requests of the same session. */
  readonly #reading = new Map<string, Promise<Session | undefined>>()
  /** The number of calls of `forget`: a read that began before one must not be cached. */
  #endings = 0

  constructor(db: Database) {
    this.#db = db
  }

  /** Returns the valid session of the claims. If it is not cached, `within` runs the read; its errors are thrown. */
  async find(claims: Claims, within: Within): Promise<Session | undefined> {
    const session = this.#known.get(claims.sid) ?? (await this.#readOnce(claims.sid, within))
    const isTheirs = session?.user.id === claims.sub && session.tenant.id === claims.tid
    return isTheirs ? session : undefined
  }

  /** Whether this session is still the cached one: this process has seen it neither end nor change. */
  isCurrent(session: Session): boolean {
    return this.#known.get(session.familyId) === session
  }

  /** Returns the session if it is still valid. Reads an uncached one directly, because the caller already has its turn. */
  async findAgain({ familyId, user, tenant }: Session): Promise<Session | undefined> {
    const session = this.#known.get(familyId) ?? (await this.#read(familyId))
    return session?.user.id === user.id && session.tenant.id === tenant.id ? session : undefined
  }

  forget(familyIds: readonly string[]): void {
    this.#endings += 1
    for (const id of familyIds) {
      this.#known.delete(id)
      this.#reading.delete(id)
    }
  }

  /** Drops the cached sessions of a changed school. Other processes do so within five seconds. */
  forgetTenant(tenantId: string): void {
    const families = [...this.#known].filter(([, { tenant }]) => tenant.id === tenantId).map(([id]) => id)
    this.forget([...families, ...this.#reading.keys()])
  }

  #readOnce(familyId: string, within: Within): Promise<Session | undefined> {
    const known = this.#reading.get(familyId)
    if (known) return known
    const reading = within(() => this.#read(familyId)).finally(() => {
      if (this.#reading.get(familyId) === reading) this.#reading.delete(familyId)
    })
    this.#reading.set(familyId, reading)
    return reading
  }

  async #read(familyId: string): Promise<Session | undefined> {
    const endings = this.#endings
    const live = await findLiveSession(this.#db, familyId)
    if (!live) return undefined
    // Not awaited, and errors are ignored: a read-only database still serves reads.
    if (live.is_use_due) void recordSessionUse(this.#db, familyId).catch(() => undefined)
    const [user, tenant] = await Promise.all([
      findUser(this.#db, live.user_id),
      findTenant(this.#db, live.tenant_id),
    ])
    if (!user || !tenant) return undefined
    const mustSetUp = tenant.second_factor === 'required' && !live.second_factor && !live.is_sso
    const session = { user: { ...user, role: live.role }, tenant, familyId, mustSetUp, scope: live.scope }
    // Not cached while the second factor is missing, so that every process sees at once that it has been set up.
    if (!mustSetUp && endings === this.#endings) this.#known.set(familyId, session)
    return session
  }
}
