import { AsyncLocalStorage } from 'node:async_hooks'

/** The deadline of the request that writes are made for. A request that has been refused commits nothing any more. */
export type Deadline = {
  /** Starts the deadline again, for work that is not committed yet. Throws `unavailable` if it has passed. */
  readonly start: () => void
  /** Stops the deadline, right before a commit. Throws `unavailable` if it has passed. */
  readonly stop: () => void
}

const deadlines = new AsyncLocalStorage<Deadline>()

/** Runs work, and everything that it starts, under the deadline. */
export function underDeadline(deadline: Deadline, work: () => void): void {
  deadlines.run(deadline, work)
}

/** Starts the deadline of the current request, if there is one. Throws `unavailable` if it has passed. */
export function startDeadline(): void {
  deadlines.getStore()?.start()
}

/** Stops it, right before a commit. Throws `unavailable` if it has passed. */
export function stopDeadline(): void {
  deadlines.getStore()?.stop()
}
