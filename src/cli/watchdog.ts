import { Worker } from 'node:worker_threads'

const BEAT_MS = 1_000

/** The longest tolerated block of the event loop in seconds. A vacuum after 100,000 changes takes 7 s on a busy machine. */
const PATIENCE_SECONDS = 60

/** `EX_SOFTWARE` of `sysexits.h`. */
const STUCK_EXIT_CODE = 70

export type Watched = {
  readonly beats: Int32Array
  readonly dataDir: string
  readonly seconds: number
  readonly exitCode: number
}

/**
 * Ends this process if its event loop is blocked for that many seconds: the embedded database can hang forever, and then no
 * signal or timer is handled.
 */
export function watchEventLoop(dataDir: string, seconds = PATIENCE_SECONDS): void {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const watched: Watched = { beats, dataDir, seconds, exitCode: STUCK_EXIT_CODE }
  new Worker(new URL('watchdog-thread.ts', import.meta.url), { workerData: watched }).unref()
  setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref()
}
