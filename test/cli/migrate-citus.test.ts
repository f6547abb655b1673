import { expect, it } from 'vitest'
import { execute, useFreshDatabase } from './fresh-database.ts'
import { useSandbox } from './sandbox.ts'

const sandbox = useSandbox()
const database = useFreshDatabase()

it('migrate --citus rejects a server without Citus and leaves its database unchanged', async () => {
  const { owner } = database()
  const exit = await sandbox.run(['migrate', '--citus'], { DATABASE_URL: owner })
  expect(exit).toMatchObject({ code: 1, out: '', err: expect.stringContaining('CREATE EXTENSION citus') })
  expect(await execute(owner, `select from pg_tables where schemaname = 'public'`)).toEqual([])
})

it('migrate --citus rejects the embedded database', async () => {
  const exit = await sandbox.run(['migrate', '--citus'], { DATA_DIR: await sandbox.folder() })
  expect(exit).toMatchObject({ code: 2, err: expect.stringContaining('DATABASE_URL') })
})
