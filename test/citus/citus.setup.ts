import type { TestProject } from 'vitest/node'
import { execute, type MadeDatabase, makeDatabase } from '../support/postgres-database.ts'
import { coordinatorUrl, makeCluster, workersOf } from './cluster.ts'

/** Makes a database for each test worker, with its schools spread over the workers of the cluster at `CITUS_URL`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const coordinator = coordinatorUrl()
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
