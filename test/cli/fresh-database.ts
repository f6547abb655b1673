import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { postgresDatabase } from '../support/database.ts'
import type { Environment } from '../support/process.ts'

/** Returns the addresses of the test project's migrated PostgreSQL database, for the service's role and the owner's. */
export function sharedDatabase(): { readonly app: string; readonly owner: string } {
  return postgresDatabase()
}

/** Returns the environment of a command on the shared database. */
export function onPostgres(): Environment {
  const { app, owner } = sharedDatabase()
  return { DATABASE_URL: app, MIGRATION_DATABASE_URL: owner }
}

/** Makes an empty PostgreSQL database for a test file: no schema, and no other test's connections. */
export function useFreshDatabase(): () => { readonly app: string; readonly owner: string } {
  const name = `fahrplan_cli_${randomBytes(6).toString('hex')}`
  beforeAll(() => execute(sharedDatabase().owner, `create database ${name}`))
  afterAll(() => execute(sharedDatabase().owner, `drop database if exists ${name} with (force)`))
  return () => {
    const { app, owner } = sharedDatabase()
    return { app: inDatabase(app, name), owner: inDatabase(owner, name) }
  }
}

/** Runs a statement and returns its rows. */
export async function execute<Row = unknown>(url: string, statement: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

function inDatabase(url: string, name: string): string {
  const address = new URL(url)
  address.pathname = name
  return address.href
}
