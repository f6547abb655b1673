import { connectPostgres } from '../../src/db/connection/connect.ts'
import type { DatabasePool } from '../../src/db/connection/pool.ts'
import type { TestService } from './app.ts'
import { testDatabase } from './database.ts'

/** Does what the service may not, as the owner of its tables: where they are embedded, there is no other. */
export async function asOwner<T>(
  service: Pick<TestService, 'db'>,
  work: (owner: DatabasePool) => Promise<T>,
): Promise<T> {
  const database = testDatabase()
  if (database.kind === 'embedded') return work(service.db)
  const report = (error: Error) => console.error(error.message)
  const owner = connectPostgres(database.owner, report, database)
  return work(owner).finally(() => owner.destroy())
}
