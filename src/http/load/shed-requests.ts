import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import { unavailable } from '../../contract/problem.ts'

/** The refusal of a request that gets no turn: one for all, because it is sent when there is no time. */
export const SHED = unavailable()

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

/** Refusals a second that take less than a twentieth of it. */
const MOST_AT_ONCE = 500
const MOST_SCHOOLS = 1_000

/** Counts the requests that were refused because no turn came free, and logs them: a line per minute and school. */
export class ShedRequests {
  readonly #log: FastifyBaseLogger
  readonly #unlogged = new LRUCache<string, number>({ max: MOST_SCHOOLS })
  readonly #logged = new LRUCache<string, true>({ max: MOST_SCHOOLS, ttl: MINUTE_MS })
  #count = 0
  #second = 0
  #atOnce = 0

  constructor(log: FastifyBaseLogger) {
    this.#log = log
  }

  /** The number of refusals since the start. */
  get count(): number {
    return this.#count
  }

  /**
   * Refuses one of the school, for whose line is full: at once, or, if many were in this second, after the milliseconds that
   * a client in line would wait. Else clients that heed no `Retry-After` would be all that the service has time for.
   */
  refuseAtOnce(school: string, milliseconds: number, refuse: (problem: typeof SHED) => void): void {
    const problem = this.note(school)
    const second = Math.floor(Date.now() / SECOND_MS)
    if (second !== this.#second) {
      this.#second = second
      this.#atOnce = 0
    }
    this.#atOnce += 1
    if (this.#atOnce <= MOST_AT_ONCE) refuse(problem)
    else setTimeout(refuse, milliseconds, problem)
  }

  /** Notes one of the school, and returns what it is refused with. */
  note(school: string): typeof SHED {
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
