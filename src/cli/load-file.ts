import type { DatabasePool } from '../db/connection/pool.ts'
import { requireSpace } from '../db/upkeep/disk-space.ts'
import type { Header } from '../transfer/format.ts'
import { loadTransferFile } from '../transfer/load-file.ts'
import type { Terminal } from './command.ts'

type Loading = {
  readonly path: string
  readonly terminal: Terminal
  readonly dataDir?: string | undefined
}

/**
 * Loads a file and reports progress. Checks the space after each batch, because the disk watch cannot stop a transaction.
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
