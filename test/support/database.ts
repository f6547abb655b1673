import { inject } from 'vitest'

/** An embedded database is opened from a dump. On a server `owner` may change the schema, `app` may only read and write rows. */
export type TestDatabase = { readonly kind: 'embedded'; readonly dump: string } | PostgresDatabase

export type PostgresDatabase = {
  readonly kind: 'postgres'
  readonly app: string
  readonly owner: string
  readonly namedStatements?: boolean
  /** Whether its schools are spread over the workers of a cluster. */
  readonly isSpread?: boolean
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** One for each worker: no file meets the rows, the locks or the statistics of one that runs beside it. */
    databases: readonly TestDatabase[]
  }
}

/** The database of the worker that runs this file. Throws if there are more workers than databases. */
export function testDatabase(): TestDatabase {
  const worker = Number(process.env.VITEST_POOL_ID)
  const database = inject('databases')[worker - 1]
  if (!database) throw new Error(`worker ${worker} has no database`)
  return database
}

/** The same, for tests that need a server. Throws where there is none. */
export function postgresDatabase(): PostgresDatabase {
  const database = testDatabase()
  if (database.kind !== 'postgres') throw new Error('these tests need PostgreSQL')
  return database
}
