import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { connectEmbedded } from '../../src/db/connection/connect.ts'
import { complaintsOf, type Environment, JWT_SECRET } from '../support/process.ts'
import { execute, useFreshDatabase } from './fresh-database.ts'
import { useSandbox } from './sandbox.ts'

const NEWER = `insert into kysely_migration (name, timestamp) values ('9999-tomorrow', now()::text)`

const sandbox = useSandbox()
const database = useFreshDatabase()

async function newerServer(): Promise<Environment> {
  const { app, owner } = database()
  const environment = { DATABASE_URL: app, MIGRATION_DATABASE_URL: owner }
  await sandbox.run(['migrate'], environment)
  await execute(owner, NEWER)
  return environment
}

async function newerDataDir(): Promise<Environment> {
  const DATA_DIR = await sandbox.dataDir()
  const db = await connectEmbedded(join(DATA_DIR, 'database'), () => undefined)
  await db.pool.query(NEWER)
  await db.destroy()
  return { DATA_DIR }
}

describe.each([
  ['PostgreSQL', newerServer],
  ['the embedded database', newerDataDir],
])('on %s with the schema of a newer version', (_, make) => {
  let environment: Environment

  beforeAll(async () => {
    environment = await make()
  })

  it.each([[['serve']], [['migrate']], [['user', 'list']]])(
    '%j names the unknown migration and exits with 1',
    async (argv) => {
      const program = sandbox.start(argv, { ...environment, JWT_SECRET, PORT: '0' })
      await program.says(/9999-tomorrow/)
      expect(await program.exited).toMatchObject({ code: 1, out: '' })
      expect(complaintsOf(await program.exited)).toEqual([
        'The database was made by a newer Fahrplan, which has the migration 9999-tomorrow: use that, or restore a backup.',
      ])
    },
  )
})
