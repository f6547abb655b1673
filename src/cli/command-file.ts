import { open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { scratchIn } from '../db/upkeep/data-dir.ts'
import { requireSpace } from '../db/upkeep/disk-space.ts'
import {
  CommandFailure,
  type DataCommand,
  type FileTransfer,
  requiredOption,
  type Values,
} from './command.ts'

/**
 * Runs a command with the path of its file. Output replaces the file only when it is complete, on disk, and the exit code is
 * 0. Throws a `CommandFailure`.
 */
export async function withFile(
  { file }: DataCommand,
  values: Values,
  run: (path: string | undefined) => Promise<number>,
): Promise<number> {
  if (!file || values[file.option] === undefined) return run(undefined)
  const path = resolve(requiredOption(values, file.option))
  if (file.mode === 'written') return withWritten(path, run)
  await requireOpens(path, 'r')
  return run(path)
}

async function withWritten(path: string, run: (path: string) => Promise<number>): Promise<number> {
  const unfinished = `${path}.unfinished`
  await rm(unfinished, { force: true })
  // Fails before the work if the file cannot be created.
  await requireOpens(unfinished, 'wx')
  let exitCode = 1
  try {
    exitCode = await run(unfinished)
    if (exitCode === 0) await keep(unfinished, path)
  } finally {
    if (exitCode !== 0) await rm(unfinished, { force: true })
  }
  return exitCode
}

async function requireOpens(path: string, flags: 'r' | 'wx'): Promise<void> {
  try {
    const handle = await open(path, flags, 0o600)
    await handle.close()
  } catch (error) {
    throw new CommandFailure(error instanceof Error ? error.message : String(error))
  }
}

/** Replaces the file atomically: a power cut leaves either the old or the complete new one. */
async function keep(unfinished: string, path: string): Promise<void> {
  await flush(unfinished, 'r+')
  await rename(unfinished, path)
  if (process.platform !== 'win32') await flush(dirname(path), 'r')
}

async function flush(path: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await open(path, flags)
  await handle.sync().finally(() => handle.close())
}

type TransferContext = {
  readonly dataDir: string
  readonly fileTransfer: FileTransfer
  readonly values: Values
}

/** Runs a command for another process and transfers its file, because the service may not open the terminal's files. */
export async function withTransferredFile(
  { file }: DataCommand,
  { dataDir, fileTransfer, values }: TransferContext,
  run: (path: string | undefined) => Promise<number>,
): Promise<number> {
  if (!file || values[file.option] === undefined) return run(undefined)
  requireSpace(dataDir)
  const path = scratchIn(dataDir)
  try {
    if (file.mode === 'read') await fileTransfer.receive(path)
    const exitCode = await run(path)
    if (file.mode === 'written' && exitCode === 0) await fileTransfer.send(path)
    return exitCode
  } finally {
    await rm(path, { force: true })
  }
}
