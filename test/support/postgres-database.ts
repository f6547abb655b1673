import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { connectForMaintenance } from '../../src/db/connect.ts'
import { grantTo, migrate } from '../../src/db/migrate.ts'
import type { PostgresDatabase } from './database.ts'

/** A migrated database for tests, and what drops it. */
export type MadeDatabase = PostgresDatabase & { readonly remove: () => Promise<void> }

const APP_ROLE = 'fahrplan_app'

/** Makes one on a server, with a role of its own. */
export async function makeDatabase(admin: string): Promise<MadeDatabase> {
  const name = `fahrplan_test_${randomBytes(6).toString('hex')}`
  const password = randomBytes(12).toString('hex')
  const role = `${APP_ROLE}_${name.slice(-6)}`
  await execute(admin, `create database ${name}`)
  await execute(admin, `create role ${role} login password '${password}'`)
  const owner = addressOf(admin, { database: name })
  const app = addressOf(owner, { user: role, password })
  const db = connectForMaintenance(owner, () => undefined)
  await migrate(db)
  await grantTo(db, role)
  await db.destroy()
  return {
    kind: 'postgres',
    app,
    owner,
    remove: async () => {
      await execute(admin, `drop database ${name} with (force)`)
      await execute(admin, `drop role ${role}`)
    },
  }
}

/** Runs statements that answer nothing. */
export async function execute(url: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statements)
  await client.end()
}

function addressOf(url: string, part: { database?: string; user?: string; password?: string }): string {
  const address = new URL(url)
  if (part.database) address.pathname = part.database
  if (part.user) address.username = part.user
  if (part.password) address.password = part.password
  return address.href
}
