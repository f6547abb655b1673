import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { connectForMaintenance } from '../../src/db/connection/connect.ts'
import { spread } from '../../src/db/schema/citus.ts'
import { grantTo, migrate } from '../../src/db/schema/migrate.ts'
import type { PostgresDatabase } from './database.ts'

/** A migrated database for tests, and a function that drops it. */
export type MadeDatabase = PostgresDatabase & {
  readonly name: string
  readonly remove: () => Promise<void>
}

const APP_ROLE = 'fahrplan_app'

/** Makes a database with its own role on a server. `spreadOut` spreads its schools over the workers of a cluster. */
export async function makeDatabase(
  admin: string,
  spreadOut?: (name: string, owner: string) => Promise<void>,
): Promise<MadeDatabase> {
  const name = `fahrplan_test_${randomBytes(6).toString('hex')}`
  const password = randomBytes(12).toString('hex')
  const role = `${APP_ROLE}_${name.slice(-6)}`
  await execute(admin, `create database ${name}`)
  const owner = addressOf(admin, { database: name })
  await spreadOut?.(name, owner)
  await execute(spreadOut ? owner : admin, `create role ${role} login password '${password}'`)
  const app = addressOf(owner, { user: role, password })
  const db = connectForMaintenance(owner, () => undefined)
  await migrate(db)
  if (spreadOut) await spread(db)
  await grantTo(db, role)
  await db.destroy()
  return {
    kind: 'postgres',
    name,
    isSpread: spreadOut !== undefined,
    app,
    owner,
    remove: async () => {
      await execute(admin, `drop database ${name} with (force)`)
      await execute(admin, `drop role ${role}`)
    },
  }
}

/** Runs statements and ignores their results. */
export async function execute(url: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statements)
  await client.end()
}

export function addressOf(
  url: string,
  part: { database?: string; host?: string; user?: string; password?: string },
): string {
  const address = new URL(url)
  if (part.database) address.pathname = part.database
  if (part.host) address.host = part.host
  if (part.user) address.username = part.user
  if (part.password) address.password = part.password
  return address.href
}
