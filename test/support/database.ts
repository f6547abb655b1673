import { inject } from 'vitest'

/** An embedded database to open from a dump, or one on a server: `owner` may change the schema, `app` only rows. */
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
    /** One for each worker, so that concurrent files do not share rows, locks or statistics. */
    databases: readonly TestDatabase[]
  }
}

/** Returns the database of the worker that runs this file. Throws if there are more workers than databases. */
export function testDatabase(): TestDatabase {
  const worker = Number(process.env.VITEST_POOL_ID)
  const database = inject('databases')[worker - 1]
  if (!database) throw new Error(`worker ${worker} has no database`)
  return database
}

/** Returns the same for tests that need a server. Throws if the database is embedded. */
export function postgresDatabase(): PostgresDatabase {
  const database = testDatabase()
  if (database.kind !== 'postgres') throw new Error('these tests need PostgreSQL')
  return database
}
