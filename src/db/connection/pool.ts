import type { Writable } from 'node:stream'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Tables } from '../schema/tables.ts'

/** The handle that opens transactions. Inside one it is unavailable by type: see `transaction.ts`. */
export class DatabasePool extends Kysely<Tables> {
  readonly pool: pg.Pool
  /** Whether the schools are spread over the workers of a Citus cluster. */
  readonly isSpread: boolean

  constructor(pool: pg.Pool, isSpread = false) {
    super({ dialect: new PostgresDialect({ pool }) })
    this.pool = pool
    this.isSpread = isSpread
  }

  /** Ends the pool. Kysely would only if a statement has gone through it: transactions do not (`transaction.ts`). */
  override async destroy(): Promise<void> {
    await super.destroy()
    if (!this.pool.ending) await this.pool.end()
  }
}

/** The texts of all statements are known after a while; one that is made up at run time must not fill a server's memory. */
const MOST_STATEMENTS = 500
const names = new Map<string, string>()

/** The message of `pg` for a response that did not come in time. */
const SILENCE = 'Query read timeout'

type Query = (config: unknown, values?: unknown, callback?: unknown) => unknown

const READ_ONLY = '25006'

/** The members that the types of `pg` leave out. */
type Wire = {
  readonly pipeline: boolean
  readonly connection: {
    readonly stream: Writable
    readonly on: (event: 'errorMessage', listener: (error: { readonly code?: string }) => void) => void
  }
  readonly end: () => Promise<void>
}

/**
 * Closes a pool's connection once the server refuses a write on it because it is read-only: the setting lasts as long as the
 * connection, even when the server takes writes again.
 */
export function closeWhenReadOnly(client: pg.PoolClient, onClose: () => void = () => undefined): void {
  const { connection, end } = client as unknown as Wire
  connection.on('errorMessage', ({ code }) => {
    if (code !== READ_ONLY) return
    onClose()
    void end.call(client)
  })
}

/** A client that names its statements, so that PostgreSQL parses and plans each of them once a connection. */
export class PreparingClient extends pg.Client {
  constructor(config: pg.ClientConfig & { readonly namedStatements?: boolean } = {}) {
    super(config)
    const { namedStatements = true } = config
    // A connection that is lost between two statements of a transaction fails the next one; unheard, it would end Node.
    this.on('error', () => undefined)
    const query = this.query.bind(this) as Query
    const prepared: Query = (config, values, callback) => {
      this.#gather()
      const isNamed = namedStatements && typeof config === 'string' && Array.isArray(values)
      const name = isNamed ? nameFor(config) : undefined
      const answer = name ? query({ name, text: config, values }, callback) : query(config, values, callback)
      if (answer instanceof Promise) answer.catch((error: Error) => this.#giveUp(error))
      return answer
    }
    this.query = prepared as typeof this.query
  }

  /** `pg` closes a line on which nothing comes, but a moment later: until then the pool would lend it to somebody else. */
  #giveUp(error: Error): void {
    if (error.message !== SILENCE) return
    void this.end()
    this.emit('error', error)
  }

  /** Statements that are started together leave in one write: each write wakes the server, and costs as much as a query. */
  #gather(): void {
    const { pipeline, connection } = this as unknown as Wire
    if (!pipeline) return
    const { stream } = connection
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
}

function nameFor(text: string): string | undefined {
  const known = names.get(text)
  if (known || names.size >= MOST_STATEMENTS) return known
  const name = `fahrplan_${names.size}`
  names.set(text, name)
  return name
}
