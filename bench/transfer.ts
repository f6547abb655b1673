import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectForMaintenance } from '../src/db/connection/connect.ts'
import { listTenants } from '../src/db/school/tenants.ts'
import { openEmbedded, takeDataDir } from '../src/db/upkeep/data-dir.ts'
import { addressOf, execute } from '../test/support/postgres-database.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { fillWithLargeSchool } from './large-school.ts'
import { measureCommand } from './measure-command.ts'

/** The weeks of the school to transfer to the embedded database and to another PostgreSQL: 100,000 lessons by default. */
const WEEKS = Number(process.argv[2] ?? 1_000)

const report = (error: Error) => console.error('lost connection', error.message)

const folder = mkdtempSync(join(tmpdir(), 'fahrplan-bench-'))
const dataDir = join(folder, 'data')
const file = join(folder, 'school.ndjson.gz')
const postgres = await startPostgres()
try {
  const server = connectForMaintenance(postgres.url, report)
  await fillWithLargeSchool('PostgreSQL', server, WEEKS)
  const [school] = await listTenants(server)
  await server.destroy()
  const write = ['tenant', 'export', '--tenant', school?.id ?? '', '--out', file]
  const read = ['tenant', 'import', '--in', file]

  await measureCommand('PostgreSQL, tenant list', ['tenant', 'list'], { DATABASE_URL: postgres.url })
  await measureCommand('PostgreSQL, tenant export', write, { DATABASE_URL: postgres.url })
  console.log(`The file is ${(statSync(file).size / 1e6).toFixed(1)} MB.`)

  const held = takeDataDir(dataDir, 'bench')
  await (await openEmbedded(held, report)).destroy()
  held.release()
  await measureCommand('embedded, tenant list', ['tenant', 'list'], { DATA_DIR: dataDir })
  await measureCommand('embedded, tenant import', read, { DATA_DIR: dataDir })
  await measureCommand('embedded, tenant export', write, { DATA_DIR: dataDir })

  await execute(postgres.url, 'create database other')
  const DATABASE_URL = addressOf(postgres.url, { database: 'other' })
  await measureCommand('PostgreSQL, tenant import', read, { DATABASE_URL })
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
