import { setTimeout as pause } from 'node:timers/promises'
import type { Attempts } from './attempts.ts'

export type Queue = {
  readonly attempts: Attempts
  readonly look: number
  readonly stopping: AbortSignal
  readonly startNext: () => Promise<boolean>
  readonly rest?: () => number
  readonly isBlocked?: () => boolean
  readonly report: (error: unknown) => void
}

/** Works through a queue until the signal aborts, then waits for the attempts in progress. */
export async function workThrough(queue: Queue): Promise<void> {
  const { attempts, look, stopping, startNext, rest = () => 0, isBlocked = () => false, report } = queue
  const reported = (error: unknown) => {
    report(error)
    return false
  }
  while (!stopping.aborted) {
    const { version } = attempts
    const resting = rest()
    if (resting > 0) await pause(resting, undefined, { signal: stopping }).catch(() => undefined)
    else if (attempts.isFull || isBlocked()) await attempts.changedSince(version, look, stopping)
    else if (!(await startNext().catch(reported))) await attempts.changedSince(version, look, stopping)
  }
  await attempts.ended()
}
