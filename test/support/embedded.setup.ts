import { rmSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { DatabasePool, PreparingClient } from '../../src/db/connection/pool.ts'
import { migrate } from '../../src/db/schema/migrate.ts'

const DUMP = Symbol.for('fahrplan.tests.dump')

/** The dump that all projects of a run share: each loads this module anew, and making one takes as long as many a file. */
const shared = globalThis as { [DUMP]?: Promise<string> }

/** Provides the dump without rows that each database starts from. */
export default async function setup(project: TestProject): Promise<void> {
  shared[DUMP] ??= makeDump()
  const dump = await shared[DUMP]
  const databases = Array.from(
    { length: project.config.maxWorkers },
    () => ({ kind: 'embedded', dump }) as const,
  )
  project.provide('databases', databases)
}

/** Returns the path of a new dump, which is removed at the end of the run. */
async function makeDump(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fahrplan-test-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const pglite = await PGlite.create({ extensions: { btree_gist } })
  await makeSchema(pglite)
  const dump = join(folder, 'empty.tar')
  await writeFile(dump, Buffer.from(await (await pglite.dumpDataDir('none')).arrayBuffer()))
  await pglite.close()
  return dump
}

async function makeSchema(pglite: PGlite): Promise<void> {
  const config = { ...createPgConfig(pglite), Client: PreparingClient, max: 1 } as pg.PoolConfig
  const db = new DatabasePool(new pg.Pool(config))
  await migrate(db)
  await db.destroy()
}
