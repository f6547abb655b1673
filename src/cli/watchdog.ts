import { Worker } from 'node:worker_threads'

const BEAT_MS = 1_000

/**
 * The seconds for which the event loop may stand still. Every statement of the embedded database blocks it; the longest legal one
 * is the hourly vacuum: 7 s for 100,000 changed lessons on a busy machine.
 */
const PATIENCE_SECONDS = 60

/** The exit code of a process whose event loop was stuck: `EX_SOFTWARE` of `sysexits.h`. */
const STUCK_EXIT_CODE = 70

/** The data that the thread gets. */
export type Watched = {
  readonly beats: Int32Array
  readonly dataDir: string
  readonly seconds: number
  readonly exitCode: number
}

/**
 * Ends this process when its event loop has not turned for so many seconds. Inside the embedded database the loop can stand
 * still for ever, and then neither a signal nor a time-out of this thread is heard: another thread counts.
 */
export function watchEventLoop(dataDir: string, seconds = PATIENCE_SECONDS): void {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const watched: Watched = { beats, dataDir, seconds, exitCode: STUCK_EXIT_CODE }
  new Worker(new URL('watchdog-thread.ts', import.meta.url), { workerData: watched }).unref()
  setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref()
}
