/** A long computation in steps of a millisecond at most, between which its caller may do something else. */
export type Steps<T> = Generator<void, T>

/** Runs all steps and resolves with their result; it may let others in between two of them. */
export type Run = <T>(steps: Steps<T>) => Promise<T>

/** Runs all steps at once and returns their result. */
export function completed<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
