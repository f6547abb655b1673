import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { unavailable } from '../contract/problem.ts'
import type { Steps } from '../domain/steps.ts'

/** The longest time in milliseconds that one computation may block the event loop. */
const SLICE_MS = 5

/** Resolves one turn of the event loop after the last waiting slice may start. */
let line: Promise<void> = Promise.resolve()

/** Splits a request's computation into slices. Only one slice runs per turn of the event loop, however many computations wait. */
export class TimeSlicer {
  readonly #isWanted: () => boolean
  #end = 0

  constructor(isWanted: () => boolean = () => true) {
    this.#isWanted = isWanted
  }

  /** Yields if the slice has used up its time. Throws `unavailable` if the result is no longer wanted. */
  readonly pause = async (): Promise<void> => {
    if (performance.now() < this.#end) return
    const before = line
    line = before.then(() => turnOfLoop())
    await before
    if (!this.#isWanted()) throw unavailable()
    this.#end = performance.now() + SLICE_MS
  }

  async run<T>(steps: Steps<T>): Promise<T> {
    for (;;) {
      await this.pause()
      do {
        const step = steps.next()
        if (step.done) return step.value
      } while (performance.now() < this.#end)
    }
  }
}
