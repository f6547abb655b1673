import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { DatabasePool, PreparingClient } from '../../src/db/connection/pool.ts'
import { migrate } from '../../src/db/schema/migrate.ts'

/** Makes the database without rows that each test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'fahrplan-test-'))
  const pglite = await PGlite.create({ extensions: { btree_gist } })
  await makeSchema(pglite)
  const dump = join(folder, 'empty.tar')
  await writeFile(dump, Buffer.from(await (await pglite.dumpDataDir('none')).arrayBuffer()))
  await pglite.close()
  const databases = Array.from(
    { length: project.config.maxWorkers },
    () => ({ kind: 'embedded', dump }) as const,
  )
  project.provide('databases', databases)
  return () => rm(folder, { recursive: true, force: true })
}

async function makeSchema(pglite: PGlite): Promise<void> {
  const config = { ...createPgConfig(pglite), Client: PreparingClient, max: 1 } as pg.PoolConfig
  const db = new DatabasePool(new pg.Pool(config))
  await migrate(db)
  await db.destroy()
}
