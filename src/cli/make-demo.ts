import { Socket } from 'node:net'
import { isMainThread, Worker } from 'node:worker_threads'
import { fillDemo, readState } from './demo-state.ts'
import { openDatabase } from './open-database.ts'

/**
 * The program that `demo` runs while it builds the web app: a separate process, because its exit frees the memory. The end of
 * standard input shows that `demo` has ended, even if killed.
 */
if (isMainThread) {
  new Worker(new URL(import.meta.url)).unref()
  await make(process.argv[2] ?? '')
} else {
  // PGlite blocks the main thread for seconds, so another thread watches.
  new Socket({ fd: 0 }).once('close', () => process.kill(process.pid, 'SIGKILL')).resume()
}

async function make(dataDir: string): Promise<void> {
  const state = readState(dataDir)
  if (!state) throw new Error(`There is no demo in ${dataDir}.`)
  const report = (error: Error) => console.error(error.message)
  const opening = { command: 'demo', makesDatabase: true, report, progress: () => undefined }
  const { db, close } = await openDatabase({ kind: 'embedded', dataDir }, opening)
  await fillDemo(db, dataDir, state).finally(close)
}
