import { globSync } from 'node:fs'
import type { Environment } from '../support/process.ts'

const LIBRARIES = ['/usr/lib/*/faketime/libfaketime.so.1', '/usr/lib/faketime/libfaketime.so.1']

/**
 * The environment of a process whose clock is off: by `+9h`, `-600`, or what a file says, which may change. Its timers go on as
 * ever. Throws where the library is missing: no test of a clock can do without.
 */
export function clockOff(by: string | { readonly file: string }): Environment {
  const [library] = LIBRARIES.flatMap((pattern) => globSync(pattern))
  if (!library) throw new Error('libfaketime is missing (Debian: apt-get install libfaketime)')
  const offset: Environment =
    typeof by === 'string' ? { FAKETIME: by } : { FAKETIME_TIMESTAMP_FILE: by.file, FAKETIME_NO_CACHE: '1' }
  return { LD_PRELOAD: library, FAKETIME_DONT_FAKE_MONOTONIC: '1', ...offset }
}

/** The offset at which a process started now sees this instant. */
export function offsetTo(instant: string): string {
  const seconds = Math.round((Date.parse(instant) - Date.now()) / 1000)
  return `${seconds < 0 ? '' : '+'}${seconds}`
}
