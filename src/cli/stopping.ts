/** The last rung of the timeout ladder, from the signal on: longer than a request may take that was there before it. */
const STOP_GRACE_MS = 10_000
/** The time in milliseconds after which unfinished responses are cut off; the rest of the grace is for closing the database. */
const CUT_OFF_MS = 9_500
const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** Signals that arrive within this time are one. */
const ONE_PRESS_MS = 500

/** Takes back a part of the start; because of a signal, or of none where the start has failed. */
type Undo = (signal?: NodeJS.Signals) => Promise<void>

/** The stop of a service: what to undo, in which order, and until when. */
export type Stopping = {
  readonly isStopping: () => boolean
  readonly before: (undo: Undo) => void
  /** From now on a stop ends in good order, with exit code 0. */
  readonly started: () => void
  /** Runs shortly before the grace ends if stopping is not complete. */
  readonly atLast: (cutOff: () => void) => void
  readonly undo: Undo
}

/**
 * Stops what was started, last first, when a signal asks for it. A second signal, or work that outlasts the grace, ends
 * the process with exit code 1; a signal during the start ends it by that signal. Ctrl-C in a terminal arrives twice
 * under npm, from the terminal and from npm: a signal that closely follows the first is ignored.
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
    if (!isStarted) dieOf(signal)
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

/**
 * Ends the process as if it had never listened for the signal. While code is still being compiled, as it is during the start,
 * `process.exit` can wait for ever for a thread that waits for it (nodejs/node#54918). Returns only to the first process of a container.
 */
function dieOf(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

/** Runs work that a stop signal ends, together with this process. */
export async function endedBySignal(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const abort = new AbortController()
  const end = (signal: NodeJS.Signals) => {
    abort.abort()
    dieOf(signal)
  }
  for (const signal of STOP_SIGNALS) process.once(signal, end)
  await work(abort.signal)
  for (const signal of STOP_SIGNALS) process.off(signal, end)
}
