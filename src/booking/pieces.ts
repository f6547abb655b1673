import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { unavailable } from '../contract/problem.ts'
import type { Steps } from '../domain/steps.ts'

/** The longest time in milliseconds that one computation may block the event loop. */
const PIECE_MS = 5

/** Resolves one turn of the event loop after the last waiting piece may start. */
let line: Promise<void> = Promise.resolve()

/** Splits a request's computation into pieces. Only one piece runs per turn of the event loop, however many computations wait. */
export class Pieces {
  readonly #isWanted: () => boolean
  #end = 0

  constructor(isWanted: () => boolean = () => true) {
    this.#isWanted = isWanted
  }

  /** Yields if the piece has used up its time. Throws `unavailable` if the result is no longer wanted. */
  readonly rest = async (): Promise<void> => {
    if (performance.now() < this.#end) return
    const before = line
    line = before.then(() => turnOfLoop())
    await before
    if (!this.#isWanted()) throw unavailable()
    this.#end = performance.now() + PIECE_MS
  }

  async run<T>(steps: Steps<T>): Promise<T> {
    for (;;) {
      await this.rest()
      do {
        const step = steps.next()
        if (step.done) return step.value
      } while (performance.now() < this.#end)
    }
  }
}
