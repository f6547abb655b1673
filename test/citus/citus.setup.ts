import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { addressOf, execute, type MadeDatabase, makeDatabase } from '../support/postgres-database.ts'

/** A database for each worker of the tests, its schools spread over the workers of the cluster at `CITUS_URL`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const coordinator = process.env.CITUS_URL
  if (!coordinator) throw new Error('CITUS_URL must be the address of a Citus coordinator')
  const workers = await workersOf(coordinator)
  const spreadOut = (name: string, owner: string) => makeCluster(name, owner, workers)
  const made: MadeDatabase[] = []
  for (let at = 0; at < project.config.maxWorkers; at += 1) {
    made.push(await makeDatabase(coordinator, spreadOut))
  }
  project.provide(
    'databases',
    made.map(({ remove: _, ...database }) => database),
  )
  return async () => {
    for (const { remove, name } of made) {
      await remove()
      for (const worker of workers) await execute(worker, `drop database ${name} with (force)`)
    }
  }
}

/** The addresses of a cluster's workers, as the coordinator knows them. */
async function workersOf(coordinator: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: coordinator })
  await client.connect()
  const { rows } = await client.query<{ host: string }>(
    `select nodename || ':' || nodeport as host from pg_dist_node where groupid <> 0 order by nodeport`,
  )
  await client.end()
  return rows.map(({ host }) => addressOf(coordinator, { host }))
}

/** A database of the same name on each node, which know each other. */
async function makeCluster(name: string, owner: string, workers: readonly string[]): Promise<void> {
  const extensions = 'create extension citus; create extension btree_gist'
  for (const worker of workers) {
    await execute(worker, `create database ${name}`)
    await execute(addressOf(worker, { database: name }), extensions)
  }
  await execute(owner, extensions)
  const { hostname, port } = new URL(owner)
  await execute(owner, `select citus_set_coordinator_host('${hostname}', ${port || 5432})`)
  for (const worker of workers) {
    const { hostname, port } = new URL(worker)
    await execute(owner, `select citus_add_node('${hostname}', ${port || 5432})`)
  }
}
