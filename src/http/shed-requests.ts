import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import { unavailable } from '../contract/problem.ts'

/** What a request is refused with for which there is no turn: one for all, because it is said when there is no time. */
export const SHED = unavailable()

const MINUTE_MS = 60_000
const MOST_SCHOOLS = 1_000

/** Counts the requests that were refused for want of a turn, and logs that a school's were: a line a minute and school. */
export class ShedRequests {
  readonly #log: FastifyBaseLogger
  readonly #unlogged = new LRUCache<string, number>({ max: MOST_SCHOOLS })
  readonly #logged = new LRUCache<string, true>({ max: MOST_SCHOOLS, ttl: MINUTE_MS })
  #count = 0

  constructor(log: FastifyBaseLogger) {
    this.#log = log
  }

  /** How many there have been since the start. */
  get count(): number {
    return this.#count
  }

  /** Notes one of the school, and answers what it is refused with. */
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
