import { connectPostgres, type Reporter } from '../../src/db/connection/connect.ts'
import type { DatabasePool } from '../../src/db/connection/pool.ts'
import type { TestService } from './app.ts'
import { type PostgresDatabase, testDatabase } from './database.ts'

/** Runs work that the service's role may not do, as the tables' owner. An embedded database has only one role. */
export async function asOwner<T>(
  service: Pick<TestService, 'db'>,
  work: (owner: DatabasePool) => Promise<T>,
  connect: (url: string, report: Reporter, database: PostgresDatabase) => DatabasePool = connectPostgres,
): Promise<T> {
  const database = testDatabase()
  if (database.kind === 'embedded') return work(service.db)
  const owner = connect(database.owner, (error) => console.error(error.message), database)
  return work(owner).finally(() => owner.destroy())
}
