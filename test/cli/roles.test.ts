import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useFreshDatabase } from './fresh-database.ts'
import { useSandbox } from './sandbox.ts'
import { makeSchool } from './school.ts'

const sandbox = useSandbox()
const database = useFreshDatabase()
let client: pg.Client
let tenantId: string

/** The command creates the schema and grants the service's role its permissions. */
beforeAll(async () => {
  const { app, owner } = database()
  const environment = { DATABASE_URL: app, MIGRATION_DATABASE_URL: owner }
  // A later start grants again and must not grant more than the first.
  for (const _ of [1, 2]) expect(await sandbox.run(['migrate'], environment)).toMatchObject({ code: 0 })
  tenantId = (await makeSchool(sandbox, environment)).tenantId
  client = new pg.Client({ connectionString: app })
  await client.connect()
})

afterAll(() => client.end())

describe("the service's role", () => {
  it('can read the log of changes and append to it', async () => {
    const count = 'select count(*)::integer as count from changes where tenant_id = $1'
    expect((await client.query(count, [tenantId])).rows).toEqual([{ count: 2 }])
    await client.query(
      `insert into changes (tenant_id, id, actor_kind, actor_name, resource, resource_id, action, set_id)
       values ($1, $2, 'system', 'x', 'student', $2, 'changed', $2)`,
      [tenantId, randomUUID()],
    )
    expect((await client.query(count, [tenantId])).rows).toEqual([{ count: 3 }])
  })

  it.each([
    'update changes set after = null',
    "update changes set at = now() where action = 'none'",
    'delete from changes',
    'truncate changes',
    'truncate tenants cascade',
    'drop table changes',
    'alter table changes drop column after',
    'create trigger t before insert on changes for each row execute function suppress_redundant_updates_trigger()',
    'select from changes for update',
    'insert into kysely_migration values (1, 1)',
    "update kysely_migration set name = 'x'",
    'delete from kysely_migration',
    'truncate kysely_migration',
    'update kysely_migration_lock set is_locked = 1',
    'delete from kysely_migration_lock',
  ])('may not run: %s (S103)', async (statement) => {
    const before = await client.query('select * from changes order by id')
    await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' })
    expect((await client.query('select * from changes order by id')).rows).toEqual(before.rows)
  })

  it('is sufficient to run migrate when no migration is pending', async () => {
    const { app } = database()
    const exit = await sandbox.run(['migrate', '--json'], { DATABASE_URL: app })
    expect(exit).toMatchObject({ code: 0, out: '{"migrations":[]}\n' })
  })
})
