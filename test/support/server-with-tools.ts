import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from './process.ts'

/** Debian's folder of PostgreSQL's major versions. npm's binaries lack `pg_dump`. */
const DEBIAN = '/usr/lib/postgresql'

/** Returns the folders with `pg_dump`, and the major version of each, the newest first. */
export function toolsHere(): readonly { readonly folder: string; readonly major: number }[] {
  const folders = [...(process.env.PATH ?? '').split(':'), ...debianFolders()]
  return folders
    .filter((folder) => existsSync(join(folder, 'pg_dump')))
    .map((folder) => ({ folder, major: majorOf(join(folder, 'pg_dump')) }))
    .toSorted((a, b) => b.major - a.major)
}

function debianFolders(): readonly string[] {
  return existsSync(DEBIAN) ? readdirSync(DEBIAN).map((major) => join(DEBIAN, major, 'bin')) : []
}

function majorOf(program: string): number {
  const [, major = '0'] =
    /(\d+)(?:\.|$|\s)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' })) ?? []
  return Number(major)
}

/** A PostgreSQL with a matching local `pg_dump`, and a function that stops it. */
export type ServerWithTools = {
  readonly url: string
  readonly tools: string
  readonly stop: () => Promise<void>
}

/** Returns the server at an address with the newest local tools, which must not be older. Without an address, starts one. */
export async function serverWithTools(url?: string): Promise<ServerWithTools> {
  if (!url) return startServerWithTools()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('show server_version_num')
  await client.end()
  const major = Math.floor(Number(rows[0]?.server_version_num) / 10_000)
  const [newest] = toolsHere()
  if (newest && newest.major >= major) return { url, tools: newest.folder, stop: async () => undefined }
  const here = newest ? `that of ${newest.major}` : 'missing'
  throw new Error(
    `The server is PostgreSQL ${major}, and pg_dump here is ${here}: install postgresql-client-${major}.`,
  )
}

/** Starts the newest local server on a free port. Throws an error that names the package to install if there is none. */
export async function startServerWithTools(): Promise<ServerWithTools> {
  const found = toolsHere().find(({ folder }) => existsSync(join(folder, 'postgres')))
  if (!found)
    throw new Error(
      'There is no PostgreSQL with its pg_dump here: apt-get install postgresql, or name a server.',
    )
  const folder = mkdtempSync(join(tmpdir(), 'fahrplan-postgres-'))
  const as = userOfServer()
  if (as) chownSync(folder, as.uid, as.gid)
  const data = join(folder, 'data')
  const tool = (name: string) => join(found.folder, name)
  execFileSync(
    tool('initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'],
    {
      ...as,
      stdio: 'ignore',
    },
  )
  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'max_connections=100']
  const argv = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])]
  const server = spawn(tool('postgres'), argv, { ...as, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  await new Promise<void>((ready, fail) => {
    server.stderr.on('data', (text) => String(text).includes('ready to accept connections') && ready())
    void ended.then(() => fail(new Error('PostgreSQL does not start.')))
  })
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    tools: found.folder,
    stop: async () => {
      server.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Returns Debian's user `postgres` if this process is root, because PostgreSQL refuses to run as root. */
function userOfServer(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}
