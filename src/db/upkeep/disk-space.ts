import { statfsSync } from 'node:fs'
import { sql } from 'kysely'
import type { DatabasePool } from '../connection/pool.ts'

/** The size of four log files. If the next does not fit, the embedded database hangs forever. A second fills less than one. */
export const FLOOR_BYTES = 4 * 16 * 1024 * 1024

const MEBIBYTE = 1024 * 1024

export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

export function inMebibytes(bytes: number): string {
  return `${Math.floor(bytes / MEBIBYTE)} MiB`
}

export function requireSpace(folder: string): void {
  const free = freeBytes(folder)
  if (free >= FLOOR_BYTES) return
  throw new Error(
    `The disk is almost full: ${inMebibytes(free)} are free for ${folder}, and the database needs ${inMebibytes(FLOOR_BYTES)}. Free some space, or choose another DATA_DIR.`,
  )
}

/** Makes the embedded database accept or reject writes. Uses the only connection, so as not to interrupt transactions. */
export async function allowWrites(db: DatabasePool, allow: boolean): Promise<void> {
  await sql`select set_config('default_transaction_read_only', ${allow ? 'off' : 'on'}, false)`.execute(db)
}
