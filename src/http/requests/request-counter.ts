import { LRUCache } from 'lru-cache'
import { Problem } from '../../contract/problem.ts'

const MAX_KEYS = 10_000

/** Counts requests by network or link, in this process, within a window that begins with the first. */
export class RequestCounter {
  readonly #most: number
  readonly #counts: LRUCache<string, { count: number }>

  constructor(most: number, minutes: number) {
    this.#most = most
    this.#counts = new LRUCache({ max: MAX_KEYS, ttl: minutes * 60_000 })
  }

  /** Throws `too_many_requests` if the limit is reached. */
  requireBelowLimit(key: string): void {
    if ((this.#counts.get(key)?.count ?? 0) < this.#most) return
    const retryAfterSeconds = Math.ceil(this.#counts.getRemainingTTL(key) / 1000)
    throw new Problem('too_many_requests', {
      params: { retry_after_seconds: retryAfterSeconds },
      retryAfterSeconds,
    })
  }

  count(key: string): void {
    const known = this.#counts.get(key)
    if (known) known.count += 1
    else this.#counts.set(key, { count: 1 })
  }
}
