import { AsyncLocalStorage } from 'node:async_hooks'

/** The deadline of a request that writes. A request that was rejected must not commit. */
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

export function startDeadline(): void {
  deadlines.getStore()?.start()
}

export function stopDeadline(): void {
  deadlines.getStore()?.stop()
}
