import type pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { connectForMaintenance, connectPostgres } from '../../src/db/connection/connect.ts'
import type { DatabasePool } from '../../src/db/connection/pool.ts'
import { openOwnDatabase, startService, type TestService } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { makeDatabase } from '../support/postgres-database.ts'

/** A service on a database of its own, and the owner's connection, which can do damage that the service never would. */
export type Clinic = {
  readonly service: TestService
  /** The connection of the tables' owner. It bypasses foreign keys. */
  readonly owner: DatabasePool
}

const BYPASS_FOREIGN_KEYS = 'set session_replication_role = replica'

/** Opens a clinic for the tests of a file. */
export function useClinic(): () => Clinic {
  let clinic: Clinic | undefined
  let close = async () => {}
  beforeAll(async () => {
    const { app, owner, remove } = await openOwn()
    const service = await startService(app)
    // A pool replaces a connection that was idle for long, as on a busy machine: the new one needs the setting, too.
    Object.assign(owner.pool.options, {
      onConnect: (client: pg.ClientBase) => client.query(BYPASS_FOREIGN_KEYS),
    })
    await owner.pool.query(BYPASS_FOREIGN_KEYS)
    clinic = { service, owner }
    close = async () => {
      await service.close()
      await app.destroy()
      if (owner !== app) await owner.destroy()
      await remove()
    }
  })
  afterAll(() => close())
  return () => {
    if (!clinic) throw new Error('the clinic has not opened')
    return clinic
  }
}

/** Opens a database. On a server the owner has a pool of one connection, so that its settings stay. */
async function openOwn() {
  const database = testDatabase()
  if (database.kind === 'embedded') {
    const app = await openOwnDatabase()
    return { app, owner: app, remove: async () => undefined }
  }
  const report = (error: Error) => console.error('lost connection', error.message)
  const made = await makeDatabase(database.owner)
  return {
    app: connectPostgres(made.app, report),
    owner: connectForMaintenance(made.owner, report),
    remove: made.remove,
  }
}
