import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type pg from 'pg'
import type { Tables, Transaction } from '../schema/tables.ts'

const IN_FAILED_TRANSACTION = '25P02'
const handles = new WeakMap<pg.PoolClient, Transaction>()

/** Returns a transaction on one connection. Kysely's own waits for each response before sending the next statement. */
export function handleOn(client: pg.PoolClient, isSpread: boolean): Transaction {
  const known = handles.get(client)
  if (known) return known
  const driver = new OneConnection(client)
  const kysely = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  const handle = Object.assign(kysely, { isSpread }) as Transaction
  handles.set(client, handle)
  return handle
}

/** A driver that queues statements without waiting: in a pipeline to a server, one by one to the embedded database. */
class OneConnection implements Driver, DatabaseConnection {
  readonly #client: pg.PoolClient & { readonly pipeline?: boolean }
  #last: Promise<unknown> = Promise.resolve()
  #failure: Error | undefined

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const sent = this.#send(sql, [...parameters])
    const { rows, rowCount, command } = await sent.catch((error: Error) => this.#refuse(error))
    // PostgreSQL reports no error for the COMMIT of a failed transaction.
    if (sql === 'commit' && command === 'ROLLBACK') throw new Error('the transaction was rolled back')
    return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) }
  }

  #send(sql: string, parameters: unknown[]): Promise<pg.QueryResult> {
    if (this.#client.pipeline) return this.#client.query(sql, parameters)
    const sent = this.#last.then(() => this.#client.query(sql, parameters))
    this.#last = sent.catch(() => undefined)
    return sent
  }

  /** Throws the first error: later statements only report that the transaction has failed. */
  #refuse(error: Error): never {
    const isAfterwards = 'code' in error && error.code === IN_FAILED_TRANSACTION
    this.#failure = (isAfterwards && this.#failure) || error
    throw this.#failure
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return this
  }

  async *streamQuery(): AsyncGenerator<never> {
    yield* []
    throw new Error('a transaction does not stream')
  }

  async init(): Promise<void> {}
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
  async beginTransaction(): Promise<void> {}
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
}
