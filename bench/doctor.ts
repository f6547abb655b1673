import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectForMaintenance } from '../src/db/connection/connect.ts'
import { openEmbedded, takeDataDir } from '../src/db/upkeep/data-dir.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { fillWithLargeSchool } from './large-school.ts'
import { measureCommand } from './measure-command.ts'

/** The weeks of a school with 100 lessons a week, each changed once and logged: 100,000 lessons by default. */
const WEEKS = Number(process.argv[2] ?? 1_000)

const report = (error: Error) => console.error('lost connection', error.message)

const postgres = await startPostgres()
const dataDir = mkdtempSync(join(tmpdir(), 'fahrplan-bench-'))
try {
  const server = connectForMaintenance(postgres.url, report)
  await fillWithLargeSchool('PostgreSQL', server, WEEKS)
  await server.destroy()
  await run('PostgreSQL', { DATABASE_URL: postgres.url })

  const held = takeDataDir(dataDir, 'bench')
  const embedded = await openEmbedded(held, report)
  await fillWithLargeSchool('embedded', embedded, WEEKS)
  await embedded.destroy()
  held.release()
  await run('embedded', { DATA_DIR: dataDir })
} finally {
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** Runs the command and, for comparison, one that only opens the database. */
async function run(name: string, env: Readonly<Record<string, string>>): Promise<void> {
  await measureCommand(`${name}, tenant list`, ['tenant', 'list'], env)
  await measureCommand(`${name}, doctor`, ['doctor'], env)
}
