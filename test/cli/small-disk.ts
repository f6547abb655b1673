import { execFileSync } from 'node:child_process'
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { freeBytes } from '../../src/db/upkeep/disk-space.ts'

/** A file system of its own, in memory, that can be filled. */
export type SmallDisk = {
  /** Writes until no more than so many bytes are free. */
  readonly fillUpTo: (free: number) => void
  readonly empty: () => void
  /** Lets nobody write there any more. */
  readonly seal: () => void
  readonly unmount: () => void
}

const CHUNK = Buffer.alloc(1024 * 1024, 1)

/** Mounts a file system of so many mebibytes on an empty folder. Throws where this user may not: no test of a full disk can do without. */
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
