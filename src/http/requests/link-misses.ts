import { LRUCache } from 'lru-cache'
import { Problem } from '../../contract/problem.ts'

/** Unknown links of a network per window. A calendar that polls an ended feed stays far below. */
const MOST_MISSES = 60
const WINDOW_MS = 15 * 60_000
const MOST_NETWORKS = 10_000

/** Counts unknown links by network, in each process. Nobody guesses 256 bits; this saves work for the database. */
export class LinkMisses {
  readonly #misses = new LRUCache<string, { count: number }>({ max: MOST_NETWORKS, ttl: WINDOW_MS })

  /** Throws `too_many_requests` after too many. */
  requireFewOf(network: string): void {
    if ((this.#misses.get(network)?.count ?? 0) < MOST_MISSES) return
    const retryAfterSeconds = Math.ceil(this.#misses.getRemainingTTL(network) / 1000)
    throw new Problem('too_many_requests', {
      params: { retry_after_seconds: retryAfterSeconds },
      retryAfterSeconds,
    })
  }

  /** The window begins with the first. */
  count(network: string): void {
    const misses = this.#misses.get(network)
    if (misses) misses.count += 1
    else this.#misses.set(network, { count: 1 })
  }
}
