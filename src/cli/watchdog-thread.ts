import { writeSync } from 'node:fs'
import { Session } from 'node:inspector'
import { workerData } from 'node:worker_threads'
import { freeBytes, inMebibytes } from '../db/upkeep/disk-space.ts'
import type { Watched } from './watchdog.ts'

const TICK_MS = 1_000
const LAST_RESORT_MS = 5_000
const STANDARD_ERROR = 2

const { beats, dataDir, seconds, exitCode }: Watched = workerData
const clock = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))

watch()

/** Counts its own ticks instead of reading a clock: if the machine sleeps or the process is stopped, both threads pause. */
function watch(): void {
  let missed = 0
  let seen = -1
  while (missed < seconds) {
    pause(TICK_MS)
    const beat = Atomics.load(beats, 0)
    missed = beat === seen ? missed + 1 : 0
    seen = beat
  }
  writeSync(STANDARD_ERROR, `${lastText()}\n`)
  end()
}

function lastText(): string {
  return `Fahrplan is stuck: its event loop has been blocked for ${seconds} seconds, so it ends with exit code ${exitCode}. The usual cause is a full disk (${spaceLeft()} free for ${dataDir}), which stops the embedded database for ever; others are damaged files, a disk that no longer answers, and a machine that has no memory or time left.`
}

function spaceLeft(): string {
  try {
    return inMebibytes(freeBytes(dataDir))
  } catch {
    return 'an unknown number of bytes'
  }
}

/**
 * Ends the process through the inspector, because a thread can only end itself. Kills it if the main thread hangs in a system call.
 */
function end(): void {
  const session = new Session()
  session.connectToMainThread()
  session.post('Runtime.evaluate', { expression: `process.reallyExit(${exitCode})` })
  pause(LAST_RESORT_MS)
  process.kill(process.pid, 'SIGKILL')
}

function pause(milliseconds: number): void {
  Atomics.wait(clock, 0, 0, milliseconds)
}
