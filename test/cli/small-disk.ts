import { execFileSync } from 'node:child_process'
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { freeBytes } from '../../src/db/upkeep/disk-space.ts'

/** A file system in memory that a test can fill. */
export type SmallDisk = {
  /** Writes until this many bytes are free, or at most a mebibyte more. */
  readonly fillUpTo: (free: number) => void
  readonly empty: () => void
  /** Makes the file system read-only. */
  readonly seal: () => void
  readonly unmount: () => void
}

const CHUNK = Buffer.alloc(1024 * 1024, 1)

/** Mounts a file system on an empty folder. Throws if the user may not mount: a full disk cannot be tested otherwise. */
export function mountSmallDisk(folder: string, mebibytes: number): SmallDisk {
  asRoot('mount', '-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=0777`, 'fahrplan-test', folder)
  const ballast = join(folder, 'ballast')
  return {
    fillUpTo: (free) => {
      while (freeBytes(folder) > free + CHUNK.length) appendFileSync(ballast, CHUNK)
    },
    empty: () => rmSync(ballast),
    seal: () => asRoot('mount', '-o', 'remount,ro', folder),
    unmount: () => asRoot('umount', '--lazy', folder),
  }
}

function asRoot(...words: readonly string[]): void {
  const [program = '', ...rest] = process.getuid?.() === 0 ? words : ['sudo', '-n', ...words]
  execFileSync(program, rest, { stdio: 'pipe' })
}
