import pg from 'pg'
import { addressOf, execute } from '../support/postgres-database.ts'

/** Returns the address of the cluster's coordinator. Throws if `CITUS_URL` is not set. */
export function coordinatorUrl(): string {
  const url = process.env.CITUS_URL
  if (!url) throw new Error('CITUS_URL must be the address of a Citus coordinator')
  return url
}

/** Returns the addresses of a cluster's workers as registered with its coordinator. */
export async function workersOf(coordinator: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: coordinator })
  await client.connect()
  const { rows } = await client.query<{ host: string }>(
    `select nodename || ':' || nodeport as host from pg_dist_node where groupid <> 0 order by nodeport`,
  )
  await client.end()
  return rows.map(({ host }) => addressOf(coordinator, { host }))
}

/** Makes a database of this name on each worker and adds the workers to the owner's, by the addresses in `reached`. */
export async function makeCluster(
  name: string,
  owner: string,
  workers: readonly string[],
  reached: readonly string[] = workers,
): Promise<void> {
  const extensions = 'create extension citus; create extension btree_gist'
  for (const worker of workers) {
    await execute(worker, `create database ${name}`)
    await execute(addressOf(worker, { database: name }), extensions)
  }
  await execute(owner, extensions)
  const { hostname, port } = new URL(owner)
  await execute(owner, `select citus_set_coordinator_host('${hostname}', ${port || 5432})`)
  for (const worker of reached) {
    const { hostname, port } = new URL(worker)
    await execute(owner, `select citus_add_node('${hostname}', ${port || 5432})`)
  }
}
