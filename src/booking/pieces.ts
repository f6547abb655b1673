import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { unavailable } from '../contract/problem.ts'
import type { Steps } from '../domain/steps.ts'

/** The longest time in milliseconds that one computation keeps the event loop. */
const PIECE_MS = 5

/** Ends when the next piece may begin: one turn of the loop after the last one in the line began. */
let line: Promise<void> = Promise.resolve()

/**
 * The pieces of one request's computation. Between two of them the event loop serves whatever else has come, and one piece
 * of each other computation: in one turn of the loop only one piece runs, however many are waiting.
 */
export class Pieces {
  readonly #isWanted: () => boolean
  #end = 0

  /** `isWanted` returns whether anybody still waits for the result. */
  constructor(isWanted: () => boolean = () => true) {
    this.#isWanted = isWanted
  }

  /** Ends the piece if its time is up, and waits for the next. Throws `unavailable` if nobody waits for the result. */
  readonly rest = async (): Promise<void> => {
    if (performance.now() < this.#end) return
    const before = line
    line = before.then(() => turnOfLoop())
    await before
    if (!this.#isWanted()) throw unavailable()
    this.#end = performance.now() + PIECE_MS
  }

  /** Runs the steps in pieces. Throws as `rest` does. */
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
