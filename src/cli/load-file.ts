import type { DatabasePool } from '../db/connection/pool.ts'
import { requireSpace } from '../db/upkeep/disk-space.ts'
import type { Header } from '../transfer/format.ts'
import { loadTransferFile } from '../transfer/load-file.ts'
import type { Terminal } from './command.ts'

type Loading = {
  readonly path: string
  readonly terminal: Terminal
  /** The directory of an embedded database. */
  readonly dataDir?: string | undefined
}

/**
 * Loads a file, and shows how far it is. On an embedded database it looks for space after each batch, for the watch of the disk
 * cannot stop a transaction that has begun. Throws what `loadTransferFile` and `requireSpace` do: then nothing is loaded.
 */
export async function loadFile(
  db: DatabasePool,
  header: Header,
  { path, terminal, dataDir }: Loading,
): Promise<void> {
  const onProgress = (done: number, total: number) => {
    if (dataDir !== undefined) requireSpace(dataDir)
    terminal.progress(done, total)
  }
  await loadTransferFile(db, header, { path, onProgress })
}
