import { AsyncLocalStorage } from 'node:async_hooks'

/** The deadline of the request behind a write. A refused request must not commit. */
export type Deadline = {
  /** Restarts the deadline for uncommitted work. Throws `unavailable` if it has passed. */
  readonly start: () => void
  /** Stops the deadline right before a commit. Throws `unavailable` if it has passed. */
  readonly stop: () => void
}

const deadlines = new AsyncLocalStorage<Deadline>()

export function underDeadline(deadline: Deadline, work: () => void): void {
  deadlines.run(deadline, work)
}

/** Starts the deadline of the current request, if any. Throws `unavailable` if it has passed. */
export function startDeadline(): void {
  deadlines.getStore()?.start()
}

/** Stops it right before a commit. Throws `unavailable` if it has passed. */
export function stopDeadline(): void {
  deadlines.getStore()?.stop()
}
