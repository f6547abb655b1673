import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import type { TestProject } from 'vitest/node'

/** What a test file opens: a copy of this empty database, so that none pays for making one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'fahrplan-test-'))
  const pglite = await PGlite.create({ extensions: { btree_gist } })
  const dump = join(folder, 'empty.tar')
  await writeFile(dump, Buffer.from(await (await pglite.dumpDataDir('none')).arrayBuffer()))
  await pglite.close()
  project.provide('database', { kind: 'embedded', dump })
  return () => rm(folder, { recursive: true, force: true })
}
