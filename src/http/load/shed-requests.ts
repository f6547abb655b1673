import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import { unavailable } from '../../contract/problem.ts'

/** One shared problem for all shed requests, because it is sent under load. */
export const SHED = unavailable()

/** The problem of a service that is about to stop. */
export const STOPPING = unavailable()

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

/** The number of refusals that take less than a twentieth of a second. */
const MAX_AT_ONCE = 500
const MAX_SCHOOLS = 1_000

/** Counts requests rejected because of load, and logs them once a minute per school. */
export class ShedRequests {
  readonly #log: FastifyBaseLogger
  readonly #unlogged = new LRUCache<string, number>({ max: MAX_SCHOOLS })
  readonly #logged = new LRUCache<string, true>({ max: MAX_SCHOOLS, ttl: MINUTE_MS })
  #count = 0
  #second = 0
  #atOnce = 0

  constructor(log: FastifyBaseLogger) {
    this.#log = log
  }

  get count(): number {
    return this.#count
  }

  /** Rejects a request at once, or after `milliseconds` if there were many in this second: some clients ignore `Retry-After`. */
  refuseAtOnce(school: string, milliseconds: number, refuse: (problem: typeof SHED) => void): void {
    const problem = this.record(school)
    const second = Math.floor(Date.now() / SECOND_MS)
    if (second !== this.#second) {
      this.#second = second
      this.#atOnce = 0
    }
    this.#atOnce += 1
    if (this.#atOnce <= MAX_AT_ONCE) refuse(problem)
    else setTimeout(refuse, milliseconds, problem)
  }

  record(school: string): typeof SHED {
    this.#count += 1
    const requests = (this.#unlogged.get(school) ?? 0) + 1
    if (this.#logged.has(school)) this.#unlogged.set(school, requests)
    else {
      this.#logged.set(school, true)
      this.#unlogged.delete(school)
      this.#log.warn({ event: 'load_shed', tenant_id: school, requests }, 'load shed')
    }
    return SHED
  }
}
