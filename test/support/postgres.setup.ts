import type { TestProject } from 'vitest/node'
import { makeDatabase } from './postgres-database.ts'
import { testServer } from './postgres-server.ts'

/** Makes a database for each worker of a project. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await testServer()
  const workers = Array.from({ length: project.config.maxWorkers })
  const made = await Promise.all(workers.map(() => makeDatabase(server.url)))
  project.provide(
    'databases',
    made.map(({ remove: _, ...database }) => database),
  )
  return async () => {
    for (const { remove } of made) await remove()
    await server.stop()
  }
}
