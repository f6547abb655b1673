import { LRUCache } from 'lru-cache'
import { Problem } from '../../contract/problem.ts'

/** Links that open nothing, of one network, in the window: a calendar that polls an ended feed stays far below. */
const MOST_MISSES = 60
const WINDOW_MS = 15 * 60_000
const MOST_NETWORKS = 10_000

/**
 * Counts links that open nothing, by the network that they come from. A secret of 256 bits is not found by trying; what is
 * saved is the database. Each process counts for itself.
 */
export class LinkMisses {
  readonly #misses = new LRUCache<string, { count: number }>({ max: MOST_NETWORKS, ttl: WINDOW_MS })

  /** Throws `too_many_requests` where a network has tried too many. */
  requireFewOf(network: string): void {
    if ((this.#misses.get(network)?.count ?? 0) < MOST_MISSES) return
    const retryAfterSeconds = Math.ceil(this.#misses.getRemainingTTL(network) / 1000)
    throw new Problem('too_many_requests', {
      params: { retry_after_seconds: retryAfterSeconds },
      retryAfterSeconds,
    })
  }

  /** Counts one more; the window begins with the first. */
  note(network: string): void {
    const misses = this.#misses.get(network)
    if (misses) misses.count += 1
    else this.#misses.set(network, { count: 1 })
  }
}
