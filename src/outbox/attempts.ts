import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'

/** The attempts at a time: those that are not slow, all (slow ones only wait for their receivers), and those of a school. */
export type AttemptBounds = { readonly active: number; readonly most: number; readonly ofSchool: number }

const SLOW_AFTER_MS = 1_000
const MAX_SERVED = 1_000

type Attempt = { readonly school: string; readonly receiver: string; isSlow: boolean }

/** The attempts in progress, one for each receiver: one that does not answer delays no others. */
export class Attempts {
  readonly #bounds: AttemptBounds
  readonly #running = new Map<Attempt, Promise<void>>()
  readonly #served = new LRUCache<string, true>({ max: MAX_SERVED })
  #version = 0
  #changed = Promise.withResolvers<void>()

  constructor(bounds: AttemptBounds) {
    this.#bounds = bounds
  }

  get size(): number {
    return this.#running.size
  }

  get isFull(): boolean {
    const active = [...this.#running.keys()].filter(({ isSlow }) => !isSlow).length
    return active >= this.#bounds.active || this.#running.size >= this.#bounds.most
  }

  claimOrder() {
    const running = [...this.#running.keys()]
    const bySchool = Map.groupBy(running, ({ school }) => school)
    return {
      served: [...this.#served.rkeys()],
      schools: [...bySchool].flatMap(([school, own]) =>
        own.length >= this.#bounds.ofSchool ? [school] : [],
      ),
      receivers: running.map(({ receiver }) => receiver),
    }
  }

  serve(school: string): void {
    this.#served.set(school, true)
  }

  get version(): number {
    return this.#version
  }

  start(attempted: Omit<Attempt, 'isSlow'>, work: () => Promise<void>): void {
    const attempt: Attempt = { ...attempted, isSlow: false }
    const slow = setTimeout(() => {
      attempt.isSlow = true
      this.#change()
    }, SLOW_AFTER_MS)
    const ended = work().finally(() => {
      clearTimeout(slow)
      this.#running.delete(attempt)
      this.#change()
    })
    this.#running.set(attempt, ended)
  }

  #change(): void {
    this.#version += 1
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }

  async changedSince(version: number, milliseconds: number, signal: AbortSignal): Promise<void> {
    if (version !== this.#version) return
    const waiting = new AbortController()
    const either = AbortSignal.any([signal, waiting.signal])
    const rest = pause(milliseconds, undefined, { signal: either }).catch(() => undefined)
    await Promise.race([this.#changed.promise, rest])
    waiting.abort()
  }

  async ended(): Promise<void> {
    await Promise.all(this.#running.values())
  }
}
