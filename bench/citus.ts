import { randomBytes } from 'node:crypto'
import { connectForMaintenance } from '../src/db/connection/connect.ts'
import { spread } from '../src/db/schema/citus.ts'
import { migrate } from '../src/db/schema/migrate.ts'
import { coordinatorUrl, makeCluster, workersOf } from '../test/citus/cluster.ts'
import { addressOf, execute } from '../test/support/postgres-database.ts'
import type { Undo } from './servers.ts'

export async function nodesOf(coordinator: string): Promise<readonly string[]> {
  return [coordinator, ...(await workersOf(coordinator))]
}

/** Makes a distributed database on the cluster at `CITUS_URL` until the undo. Returns both addresses. */
export async function makeSpreadDatabase(undo: Undo): Promise<{ coordinator: string; spread: string }> {
  const coordinator = coordinatorUrl()
  const workers = await workersOf(coordinator)
  const name = `fahrplan_bench_${randomBytes(6).toString('hex')}`
  await execute(coordinator, `create database ${name}`)
  const address = addressOf(coordinator, { database: name })
  undo.push(async () => {
    for (const node of [coordinator, ...workers]) await execute(node, `drop database ${name} with (force)`)
  })
  await makeCluster(name, address, workers)
  const db = connectForMaintenance(address, () => undefined)
  await migrate(db)
  await spread(db)
  await db.destroy()
  return { coordinator, spread: address }
}
