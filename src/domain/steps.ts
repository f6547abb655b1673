/** A long computation in steps of at most a millisecond, between which the caller may do other work. */
export type Steps<T> = Generator<void, T>

/** Runs all steps, possibly with other work between them. */
export type Run = <T>(steps: Steps<T>) => Promise<T>

export function completed<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
