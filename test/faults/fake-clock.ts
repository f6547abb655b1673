import { globSync } from 'node:fs'
import type { Environment } from '../support/process.ts'

const LIBRARIES = ['/usr/lib/*/faketime/libfaketime.so.1', '/usr/lib/faketime/libfaketime.so.1']

/**
 * Returns the environment of a process whose clock is off by `+9h`, `-600`, or the content of a file, which may change.
 * Timers are not affected. Throws if the library is missing, because no clock can be tested without it.
 */
export function clockOff(by: string | { readonly file: string }): Environment {
  const [library] = LIBRARIES.flatMap((pattern) => globSync(pattern))
  if (!library) throw new Error('libfaketime is missing (Debian: apt-get install libfaketime)')
  const offset: Environment =
    typeof by === 'string' ? { FAKETIME: by } : { FAKETIME_TIMESTAMP_FILE: by.file, FAKETIME_NO_CACHE: '1' }
  return { LD_PRELOAD: library, FAKETIME_DONT_FAKE_MONOTONIC: '1', ...offset }
}

/** Returns the offset with which a process started now sees this instant. */
export function offsetTo(instant: string): string {
  const seconds = Math.round((Date.parse(instant) - Date.now()) / 1000)
  return `${seconds < 0 ? '' : '+'}${seconds}`
}
