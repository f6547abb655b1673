import { LRUCache } from 'lru-cache'

const MAX_FAILING = 1_000

/** The pause after the first failure. Each further one doubles it, up to `longestPause`. */
export type Pauses = { readonly firstPause: number; readonly longestPause: number }

export function pauseAfter(failures: number, { firstPause, longestPause }: Pauses): number {
  return Math.min(firstPause * 2 ** (failures - 1), longestPause)
}

export class FailingReceivers {
  readonly #pauses: Pauses
  readonly #failing = new LRUCache<string, { readonly failures: number; readonly until: number }>({
    max: MAX_FAILING,
  })

  constructor(pauses: Pauses) {
    this.#pauses = pauses
  }

  failed(receiver: string): void {
    const failures = (this.#failing.get(receiver)?.failures ?? 0) + 1
    this.#failing.set(receiver, {
      failures,
      until: performance.now() + pauseAfter(failures, this.#pauses),
    })
  }

  answered(receiver: string): void {
    this.#failing.delete(receiver)
  }

  get resting(): readonly string[] {
    const now = performance.now()
    return [...this.#failing].flatMap(([receiver, { until }]) => (until > now ? [receiver] : []))
  }
}
