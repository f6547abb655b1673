import { sql } from 'kysely'
import type { DatabasePool } from '../src/db/connection/pool.ts'
import { SPREAD, spread } from '../src/db/schema/citus.ts'
import { coordinatorUrl, makeCluster } from '../test/citus/cluster.ts'
import { addressOf, execute } from '../test/support/postgres-database.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { nodesOf } from './citus.ts'

export type Databases = {
  readonly addressOf: (size: string) => string
  readonly make: (size: string) => Promise<void>
  /** Brings a filled database into the state that it would have after a while. */
  readonly settle: (db: DatabasePool) => Promise<void>
  readonly drop: (size: string) => Promise<void>
  readonly stop: () => Promise<void>
}

/** Returns databases on the PostgreSQL at `DATABASE_URL`, or on a new one. */
export async function databasesOnPostgres(): Promise<Databases> {
  const own = process.env.DATABASE_URL ? undefined : await startPostgres()
  const url = process.env.DATABASE_URL ?? own?.url ?? ''
  const drop = (size: string) => execute(url, `drop database if exists ${nameOf(size)} with (force)`)
  return {
    addressOf: (size) => addressOf(url, { database: nameOf(size) }),
    make: async (size) => {
      await drop(size)
      await execute(url, `create database ${nameOf(size)}`)
    },
    // Autovacuum would do this within a minute, while time is measured.
    settle: async (db) => void (await sql`vacuum (analyze)`.execute(db)),
    drop,
    stop: async () => own?.stop(),
  }
}

export async function databasesOnCitus(): Promise<Databases> {
  const url = coordinatorUrl()
  const [, ...workers] = await nodesOf(url)
  const address = (size: string) => addressOf(url, { database: nameOf(size) })
  const drop = async (size: string) => {
    for (const node of [url, ...workers])
      await execute(node, `drop database if exists ${nameOf(size)} with (force)`)
  }
  return {
    addressOf: address,
    make: async (size) => {
      await drop(size)
      await execute(url, `create database ${nameOf(size)}`)
      await makeCluster(nameOf(size), address(size), workers)
    },
    settle: async (db) => {
      await spread(db)
      // Without names of tables it would not run on the workers.
      await sql`vacuum (analyze) ${sql.join(SPREAD.map((name) => sql.table(name)))}`.execute(db)
    },
    drop,
    stop: async () => undefined,
  }
}

function nameOf(size: string): string {
  return `growth_${size.toLowerCase()}`
}
