import { hash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Tables } from '../schema/tables.ts'

/** The database outside of transactions, which opens them. Code inside one gets the type `Transaction` instead. */
export class DatabasePool extends Kysely<Tables> {
  readonly pool: pg.Pool
  readonly isSpread: boolean

  constructor(pool: pg.Pool, isSpread = false) {
    super({ dialect: new PostgresDialect({ pool }) })
    this.pool = pool
    this.isSpread = isSpread
  }

  async send<Row>(text: string, parameters: unknown[]): Promise<Row[]> {
    const client = await this.pool.connect()
    try {
      const { rows } = await client.query(text, parameters)
      return rows as Row[]
    } finally {
      client.release()
    }
  }

  /** Ends the pool. Kysely does so only after running a statement itself, and transactions bypass it (`transaction.ts`). */
  override async destroy(): Promise<void> {
    await super.destroy()
    if (!this.pool.ending) await this.pool.end()
  }
}

/** The maximum of named statements per connection, to limit the memory of the server and this process. */
const MAX_STATEMENTS = 500

const STATEMENT_UNKNOWN = '26000'

const SILENCE = 'Query read timeout'

type Query = (config: unknown, values?: unknown, callback?: unknown) => unknown

const READ_ONLY = '25006'

type ClientInternals = {
  readonly pipeline: boolean
  readonly connection: {
    readonly stream: Writable
    readonly on: (event: 'errorMessage', listener: (error: { readonly code?: string }) => void) => void
  }
  readonly end: () => Promise<void>
}

/** Closes a connection after a read-only error: it would stay read-only after the server accepts writes again. */
export function closeWhenReadOnly(client: pg.PoolClient, onClose: () => void = () => undefined): void {
  const { connection, end } = client as unknown as ClientInternals
  connection.on('errorMessage', ({ code }) => {
    if (code !== READ_ONLY) return
    onClose()
    void end.call(client)
  })
}

type DescribedStatements = {
  readonly names: Map<string, string>
  readonly columns: Map<string, DescribedColumns>
  readonly connection: object
}

type RowDescription = { readonly fields: readonly unknown[] }

type DescribedColumns = {
  fields: readonly unknown[]
  _parsers: readonly unknown[]
  _prebuiltEmptyResultObject: object
}

type Done = (error: Error | null, result: pg.QueryResult) => void

type Extended = {
  name: string
  _accumulateRows: boolean
  readonly _result: DescribedColumns
  prepare(connection: object): void
  handleRowDescription(message: RowDescription): void
}

const ExtendedQuery = pg.Query as unknown as new (
  text: string,
  values: readonly unknown[],
  done: Done,
) => Extended

type NamedConfig = { readonly name: string; readonly text: string; readonly values: readonly unknown[] }

/** A named statement, described once per connection, which is safe: PostgreSQL rejects a plan whose columns have changed. */
class NamedQuery extends ExtendedQuery {
  readonly #known: DescribedStatements

  constructor({ name, text, values }: NamedConfig, known: DescribedStatements, done: Done) {
    super(text, values, done)
    this.name = name
    this.#known = known
  }

  override prepare(connection: object): void {
    const columns = this.#known.columns.get(this.name)
    if (columns) {
      Object.assign(this._result, columns)
      this._accumulateRows = true
    }
    super.prepare(columns ? this.#known.connection : connection)
  }

  override handleRowDescription(message: RowDescription): void {
    super.handleRowDescription(message)
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    this.#known.columns.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
  }
}

/** A client that names its statements, so that PostgreSQL plans each once per connection. */
export class PreparingClient extends pg.Client {
  constructor(config: pg.ClientConfig & { readonly namedStatements?: boolean } = {}) {
    super(config)
    const { namedStatements = true } = config
    // A connection lost between two statements fails the next one; an unhandled error would end Node.
    this.on('error', () => undefined)
    const query = this.query.bind(this) as Query
    const { pipeline, connection } = this as unknown as ClientInternals
    const known: DescribedStatements = {
      names: new Map(),
      columns: new Map(),
      connection: Object.create(connection, { describe: { value: () => undefined } }),
    }
    const send = (config: NamedConfig) =>
      new Promise((sent, failed) => {
        query(new NamedQuery(config, known, (error, result) => (error ? failed(error) : sent(result))))
      })
    const prepared: Query = (config, values, callback) => {
      this.#gather()
      const isNamed = namedStatements && typeof config === 'string' && Array.isArray(values)
      const name = isNamed ? nameIn(known, config) : undefined
      if (!isNamed || !name) return this.#watched(query(config, values, callback))
      const named = { name, text: config, values }
      // Describes each time for the embedded database, which otherwise does not respond.
      return this.#watched(pipeline && !callback ? send(named) : query(named, callback))
    }
    this.query = prepared as typeof this.query
  }

  #watched(answer: unknown): unknown {
    if (!(answer instanceof Promise)) return answer
    return answer.catch((error: Error) => {
      Error.captureStackTrace(error)
      this.#giveUp(error)
      throw error
    })
  }

  /** Closes an unusable connection at once: `pg` does so later, and the pool would lend it until then. */
  #giveUp(error: Error & { readonly code?: string }): void {
    if (error.message !== SILENCE && error.code !== STATEMENT_UNKNOWN) return
    void this.end()
    this.emit('error', error)
  }

  /** Sends statements that start together in one write: each write costs as much as a query. */
  #gather(): void {
    const { pipeline, connection } = this as unknown as ClientInternals
    if (!pipeline) return
    const { stream } = connection
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
}

/** Returns a statement's name, the same on every connection, since those to an embedded database share one session. */
function nameIn({ names }: DescribedStatements, text: string): string | undefined {
  const known = names.get(text)
  if (known || names.size >= MAX_STATEMENTS) return known
  const name = `fahrplan_${hash('sha1', text, 'base64url')}`
  names.set(text, name)
  return name
}
