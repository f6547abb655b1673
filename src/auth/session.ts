import { LRUCache } from 'lru-cache'
import type { User } from '../contract/auth.ts'
import type { Tenant } from '../contract/tenant.ts'
import { recordSessionUse } from '../db/accounts/own-sessions.ts'
import { findLiveSession } from '../db/accounts/refresh-tokens.ts'
import { findUser } from '../db/accounts/users.ts'
import type { Database } from '../db/schema/tables.ts'
import { findTenant } from '../db/tenants.ts'
import type { Claims } from './access-token.ts'

/** Milliseconds until other processes notice that a session has ended. */
const TRUST_MS = 5_000
const MAX_SESSIONS = 10_000

export type Session = { readonly user: User; readonly tenant: Tenant; readonly familyId: string }

type Within = (read: () => Promise<Session | undefined>) => Promise<Session | undefined>

/** The valid sessions. An ended one is forgotten at once here, and within five seconds elsewhere. */
export class Sessions {
  readonly #db: Database
  readonly #known = new LRUCache<string, Session>({ max: MAX_SESSIONS, ttl: TRUST_MS })
  /** Reads in progress, shared by requests of the same session. */
  readonly #reading = new Map<string, Promise<Session | undefined>>()
  /** Counts endings: a read that began before one must not be cached. */
  #endings = 0

  constructor(db: Database) {
    this.#db = db
  }

  /** Returns the valid session of the claims. Passes a necessary read to `within`, whose errors are thrown. */
  async find(claims: Claims, within: Within): Promise<Session | undefined> {
    const session = this.#known.get(claims.sid) ?? (await this.#readOnce(claims.sid, within))
    const isTheirs = session?.user.id === claims.sub && session.tenant.id === claims.tid
    return isTheirs ? session : undefined
  }

  /** Whether the cached session has neither ended nor changed, as far as this process knows. */
  isCurrent(session: Session): boolean {
    return this.#known.get(session.familyId) === session
  }

  /** Returns the session if it is still valid. Reads at once if it is not cached, because the caller has a turn. */
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

  /** Forgets the cached data of a changed school. Other processes follow within five seconds. */
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
    // Not awaited, and a read-only database keeps serving reads.
    if (live.is_use_due) void recordSessionUse(this.#db, familyId).catch(() => undefined)
    const [user, tenant] = await Promise.all([
      findUser(this.#db, live.user_id),
      findTenant(this.#db, live.tenant_id),
    ])
    if (!user || !tenant) return undefined
    const session = { user, tenant, familyId }
    if (endings === this.#endings) this.#known.set(familyId, session)
    return session
  }
}
