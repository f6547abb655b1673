/** Milliseconds from the signal to a forced exit: longer than any response may take to begin. */
const STOP_GRACE_MS = 10_000
/** Milliseconds until unfinished responses are cut off; the rest of the grace is for closing the database. */
const CUT_OFF_MS = 9_500
const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** Signals within this time in milliseconds count as one. */
const ONE_PRESS_MS = 500

/** Undoes a part of the start. `signal` is undefined if the start failed. */
type Undo = (signal?: NodeJS.Signals) => Promise<void>

export type Stopping = {
  readonly isStopping: () => boolean
  readonly before: (undo: Undo) => void
  /** Marks the start as complete: from now on a stop exits with 0. */
  readonly started: () => void
  /** Runs shortly before the grace ends if the stop is not complete. */
  readonly atLast: (cutOff: () => void) => void
  readonly undo: Undo
}

/**
 * Undoes the start, last step first, on a signal. A second signal, or work that outlasts the grace, exits with 1; a signal
 * during the start ends the process by that signal. Under npm, Ctrl-C arrives twice, so a signal that closely follows the
 * first is ignored.
 */
export function onStopSignal(): Stopping {
  const undoing: Undo[] = []
  let cutOff = () => {}
  let stopping = false
  let stoppingSince = 0
  let isStarted = false
  const undo: Undo = async (signal) => {
    for (const one of undoing.toReversed()) await one(signal)
  }
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) {
      if (performance.now() - stoppingSince > ONE_PRESS_MS) process.exit(1)
      return
    }
    stopping = true
    stoppingSince = performance.now()
    setTimeout(() => cutOff(), CUT_OFF_MS)
    setTimeout(() => process.exit(1), STOP_GRACE_MS)
    await undo(signal)
    if (!isStarted) exitBySignal(signal)
    process.exit(0)
  }
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => void stop(signal).catch(() => process.exit(1)))
  }
  return {
    isStopping: () => stopping,
    before: (one) => void undoing.push(one),
    started: () => {
      isStarted = true
    },
    atLast: (one) => {
      cutOff = one
    },
    undo,
  }
}

/** Ends the process by the signal: during the start, `process.exit` can hang on a thread that waits for it (nodejs/node#54918). */
function exitBySignal(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

/** Runs work that a stop signal aborts, together with this process. */
export async function endedBySignal(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const abort = new AbortController()
  const end = (signal: NodeJS.Signals) => {
    abort.abort()
    exitBySignal(signal)
  }
  for (const signal of STOP_SIGNALS) process.once(signal, end)
  await work(abort.signal)
  for (const signal of STOP_SIGNALS) process.off(signal, end)
}
