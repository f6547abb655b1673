import pg from 'pg'
import { startPostgres } from '../test/support/postgres-server.ts'

/** The steps to undo at the end, last first. */
export type Undo = (() => Promise<unknown> | unknown)[]

/** Returns `DATABASE_URL`, or the address of a PostgreSQL started for the bench. */
export async function startEmptyPostgres(undo: Undo): Promise<string> {
  if (process.env.DATABASE_URL) return process.env.DATABASE_URL
  const postgres = await startPostgres()
  undo.push(postgres.stop)
  return postgres.url
}

export async function anotherDatabase(undo: Undo, url: string, name: string): Promise<string> {
  const address = new URL(url)
  address.pathname = name
  const run = async (text: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(text)
    await client.end()
  }
  await run(`create database ${name} template template0`)
  undo.push(() => run(`drop database ${name} with (force)`))
  return address.href
}
