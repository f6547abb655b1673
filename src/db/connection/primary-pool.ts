import pg from 'pg'
import { closeWhenReadOnly } from './pool.ts'
import { sqlStateOf } from './transaction.ts'

/** The milliseconds for a server to report its role: less than any connection timeout (`connect.ts`). */
const PATIENCE_MS = 2_000

/** The idle milliseconds after which a connection is probed: a machine that is off sends nothing. */
const KEEP_ALIVE_MS = 10_000

const BUSY = 'timeout exceeded when trying to connect'
const INSUFFICIENT_RESOURCES = '53'

/** The query for a server's role and timeline. An older timeline identifies a replaced server that has returned. */
const QUESTION = `select current_setting('transaction_read_only')::boolean as is_read_only,
  case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`

/** The error for a server that must not be used, with the SQLSTATE of a failed connection. */
class Unfit extends Error {
  readonly code = '08001'
}

type Callback = Parameters<pg.Pool['connect']>[0]

/** A pool on the writable server. Queries all servers again if a connection is lost, refused or read-only. Throws `NoPrimary`. */
export class PrimaryPool extends pg.Pool {
  readonly #addresses: readonly string[]
  readonly #config: pg.PoolConfig
  readonly #pools = new Map<string, pg.Pool>()
  #primary: pg.Pool | undefined
  #searching: Promise<pg.Pool> | undefined
  #timeline = ''

  constructor(addresses: readonly string[], config: pg.PoolConfig) {
    super(config)
    this.#addresses = addresses
    this.#config = config
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Callback): void
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    const connected = this.#connect()
    if (!callback) return connected
    connected.then(
      (client) => callback(undefined, client, client.release),
      (error) => callback(error, undefined, () => undefined),
    )
    return undefined
  }

  async #connect(): Promise<pg.PoolClient> {
    if (this.ending) return super.connect()
    const pool = await this.#find()
    try {
      return await pool.connect()
    } catch (error) {
      if (this.ending || isBusy(error)) throw error
      this.#doubt(pool)
    }
    return (await this.#find()).connect()
  }

  async #find(): Promise<pg.Pool> {
    if (this.#primary) return this.#primary
    this.#searching ??= this.#search().finally(() => {
      this.#searching = undefined
    })
    return this.#searching
  }

  #doubt(pool: pg.Pool): void {
    if (this.#primary === pool) this.#primary = undefined
  }

  async #search(): Promise<pg.Pool> {
    const asked = await Promise.allSettled(this.#addresses.map((address) => this.#ask(address)))
    const [newest] = asked
      .flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
      .toSorted((one, other) => (one.timeline < other.timeline ? 1 : -1))
    if (!newest)
      throw new NoPrimary(asked.map((answer, index) => reasonOf(answer, this.#addresses[index] ?? '')))
    for (const [address, pool] of this.#pools) {
      if (address === newest.address) continue
      this.#pools.delete(address)
      void pool.end()
    }
    this.#primary = this.#poolAt(newest.address)
    return this.#primary
  }

  async #ask(address: string): Promise<{ readonly address: string; readonly timeline: string }> {
    const client = new pg.Client({
      connectionString: address,
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return { address, timeline: await this.#requirePrimary(client) }
    } finally {
      void client.end()
    }
  }

  /** Returns the server's timeline. Throws if the server is read-only or has been replaced. */
  async #requirePrimary(client: pg.ClientBase): Promise<string> {
    const { rows } = await client.query(QUESTION)
    const { is_read_only, timeline } = rows[0]
    if (is_read_only) throw new Unfit('read-only')
    if (timeline < this.#timeline) throw new Unfit('replaced by another')
    this.#timeline = timeline
    return timeline
  }

  #poolAt(address: string): pg.Pool {
    const known = this.#pools.get(address)
    if (known) return known
    const pool = new pg.Pool({
      ...this.#config,
      min: 1,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      connectionString: address,
      onConnect: async (client) => void (await this.#requirePrimary(client)),
    })
    pool.on('error', (error) => this.emit('error', error))
    pool.on('connect', (client) => {
      client.on('error', () => this.#doubt(pool))
      closeWhenReadOnly(client, () => this.#doubt(pool))
    })
    this.#pools.set(address, pool)
    return pool
  }

  override async end(): Promise<void> {
    await super.end()
    await this.#searching?.catch(() => undefined)
    await Promise.all([...this.#pools.values()].map((pool) => pool.end()))
  }
}

/** Whether all connections are taken, here or on the server, which is no sign of a new primary. */
function isBusy(error: unknown): boolean {
  if (error instanceof Error && error.message === BUSY) return true
  return sqlStateOf(error)?.startsWith(INSUFFICIENT_RESOURCES) ?? false
}

/** Returns why a server is unfit, with its host only: the full address contains the password. */
function reasonOf(answer: PromiseSettledResult<unknown>, address: string): string {
  const { message = '', code = '' } = answer.status === 'rejected' ? answer.reason : {}
  return `${new URL(address).host}: ${message || code}`
}

export class NoPrimary extends Unfit {
  constructor(reasons: readonly string[]) {
    super(`No server of the database takes writes (${reasons.join('; ')}).`)
  }
}
