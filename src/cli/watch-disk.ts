import type { FastifyBaseLogger } from 'fastify'
import type { DatabasePool } from '../db/connection/pool.ts'
import { allowWrites, FLOOR_BYTES, freeBytes } from '../db/upkeep/disk-space.ts'

const LOOK_MS = 1_000

export type DiskWatch = { readonly isLow: () => boolean; readonly stop: () => void }

/** Checks a data directory's free space once a second. Below the floor the database rejects writes, like a standby. */
export function watchDisk(
  dataDir: string,
  db: DatabasePool,
  log: Pick<FastifyBaseLogger, 'error' | 'info'>,
): DiskWatch {
  let isLow = false
  let isBusy = false
  const look = async () => {
    const free = freeBytes(dataDir)
    if (free < FLOOR_BYTES === isLow) return
    await allowWrites(db, isLow)
    isLow = !isLow
    const facts = { free_bytes: free, floor_bytes: FLOOR_BYTES }
    if (isLow) log.error({ event: 'disk_full', ...facts }, 'the disk is almost full: writes are refused')
    else log.info({ event: 'disk_has_space', ...facts }, 'the disk has space again: writes are accepted')
  }
  const timer = setInterval(() => {
    if (isBusy) return
    isBusy = true
    look()
      .catch((error: unknown) => log.error({ err: error, event: 'disk_unknown' }, 'free space is unknown'))
      .finally(() => {
        isBusy = false
      })
  }, LOOK_MS)
  return { isLow: () => isLow, stop: () => clearInterval(timer) }
}
