import { LRUCache } from 'lru-cache'
import type { User } from '../contract/auth.ts'
import type { Tenant } from '../contract/tenant.ts'
import { noteUse } from '../db/accounts/own-sessions.ts'
import { findLiveSession } from '../db/accounts/refresh-tokens.ts'
import { findUser } from '../db/accounts/users.ts'
import type { Database } from '../db/schema/tables.ts'
import { findTenant } from '../db/tenants.ts'
import type { Claims } from './access-token.ts'

/** The longest time in milliseconds until another process notices that a session has ended. */
const TRUST_MS = 5_000
const MOST_SESSIONS = 10_000

/** The user and the school of a session. */
export type Session = { readonly user: User; readonly tenant: Tenant; readonly familyId: string }

/** Runs what reads the database when its turn has come. */
type Within = (read: () => Promise<Session | undefined>) => Promise<Session | undefined>

/** The sessions that may act. An ended one is forgotten at once here, and within five seconds elsewhere. */
export class Sessions {
  readonly #db: Database
  readonly #known = new LRUCache<string, Session>({ max: MOST_SESSIONS, ttl: TRUST_MS })
  /** Readings under way: requests that need the same session share one. */
  readonly #reading = new Map<string, Promise<Session | undefined>>()
  /** Counts endings: what was read before one may not be remembered after it. */
  #endings = 0

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * The session that the claims speak of, if its family stands and its user may still log in. `within` runs the reading,
   * where it is needed; what that throws is thrown.
   */
  async find(claims: Claims, within: Within): Promise<Session | undefined> {
    const session = this.#known.get(claims.sid) ?? (await this.#readOnce(claims.sid, within))
    const isTheirs = session?.user.id === claims.sub && session.tenant.id === claims.tid
    return isTheirs ? session : undefined
  }

  /** Whether a session is remembered as it is: it has not ended or changed, as far as this process has heard. */
  isCurrent(session: Session): boolean {
    return this.#known.get(session.familyId) === session
  }

  /**
   * The session as it is now, if it may still act. Reads at once if it is not remembered: the caller has a turn, and must not
   * wait for another caller who has none.
   */
  async findAgain({ familyId, user, tenant }: Session): Promise<Session | undefined> {
    const session = this.#known.get(familyId) ?? (await this.#read(familyId))
    return session?.user.id === user.id && session.tenant.id === tenant.id ? session : undefined
  }

  /** Forgets sessions that have ended. */
  forget(familyIds: readonly string[]): void {
    this.#endings += 1
    for (const id of familyIds) {
      this.#known.delete(id)
      this.#reading.delete(id)
    }
  }

  /** Forgets what sessions know of a school that has changed. Other processes hear of it within five seconds. */
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
    // Nobody waits for it, and a database that takes no writes goes on serving what is read.
    if (live.is_use_due) void noteUse(this.#db, familyId).catch(() => undefined)
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
