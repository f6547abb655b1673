import pg from 'pg'
import { closeWhenReadOnly } from './pool.ts'
import { sqlStateOf } from './transaction.ts'

/** The time in milliseconds for a server to report its role: below every wait for a connection (`connect.ts`). */
const PATIENCE_MS = 2_000

/** After how much silence the line of a connection that nobody uses is tried: a machine that is off says nothing of it. */
const KEEP_ALIVE_MS = 10_000

/** The message of pools whose connections are all busy. */
const BUSY = 'timeout exceeded when trying to connect'
/** The class of SQL's states for a server that has no connection left, or no memory. */
const INSUFFICIENT_RESOURCES = '53'

/**
 * Whether a server takes writes, and its timeline: promoting a standby begins a new one, so that a server which was
 * replaced, and comes back without knowing it, is older than its successor.
 */
const QUESTION = `select current_setting('transaction_read_only')::boolean as is_read_only,
  case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`

/** A server that is not to be used. The code is SQL's for a connection that cannot be made. */
class Unfit extends Error {
  readonly code = '08001'
}

type Callback = Parameters<pg.Pool['connect']>[0]

/**
 * Connections to that one of several servers which takes writes. As long as they stand nobody else is asked: one is therefore
 * kept. Where one is lost, a new one cannot be made, or the server turns read-only, all servers are asked anew. To connect
 * throws `NoPrimary` while none takes writes.
 */
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

  /** The pool of the server that takes writes; who asks at the same time, searches together. */
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

  /** The server's timeline. Throws if it takes no writes, or another has replaced it. */
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
      onConnect: (client: pg.PoolClient) => this.#requirePrimary(client),
    } as pg.PoolConfig)
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
    // A search that is under way makes a pool, too.
    await this.#searching?.catch(() => undefined)
    await Promise.all([...this.#pools.values()].map((pool) => pool.end()))
  }
}

/** Whether all connections are taken, here or on the server, which says nothing of who takes writes. */
function isBusy(error: unknown): boolean {
  if (error instanceof Error && error.message === BUSY) return true
  return sqlStateOf(error)?.startsWith(INSUFFICIENT_RESOURCES) ?? false
}

/** Why a server is not the one, beside its name: never the whole address, which has the password. */
function reasonOf(answer: PromiseSettledResult<unknown>, address: string): string {
  const { message = '', code = '' } = answer.status === 'rejected' ? answer.reason : {}
  return `${new URL(address).host}: ${message || code}`
}

/** No server of the address takes writes now. */
export class NoPrimary extends Unfit {
  constructor(reasons: readonly string[]) {
    super(`No server of the database takes writes (${reasons.join('; ')}).`)
  }
}
