import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import type { DatabasePool } from '../connection/pool.ts'
import { PAGE_BYTES, pageStateOf } from './page-checksum.ts'

/** The number of pages after which PostgreSQL starts another file of a relation. */
const PAGES_PER_FILE = 131_072

/** The name of a file with a relation's pages. `_fsm` and `_vm` maps do not match: PostgreSQL rebuilds them itself. */
const PAGES_OF_RELATION = /^(\d+)(?:\.(\d+))?$/

const BATCH_BYTES = 128 * PAGE_BYTES

class Damage extends Error {}

/** Verifies every page of an idle embedded database (30 pages per millisecond). Describes the damage; undefined if none. */
export async function damageIn(home: string, db: DatabasePool): Promise<string | undefined> {
  return reasonOf(async () => {
    // A new index may have pages that are only in memory.
    await sql`checkpoint`.execute(db)
    await holedRelations(home, db)
  })
}

/** Repairs damage, or returns a description if it cannot. Call it before the database serves requests. */
export async function repairDamageIn(home: string, db: DatabasePool): Promise<string | undefined> {
  return reasonOf(async () => {
    for (const relation of await holedRelations(home, db)) await fill(relation, db)
  })
}

async function reasonOf(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function holedRelations(home: string, db: DatabasePool): Promise<readonly Relation[]> {
  const relations = await relationsOf(db)
  for (const relation of relations) requireLength(home, relation)
  return findHoles(home, relations)
}

type Relation = {
  readonly name: string
  readonly path: string
  readonly is_index: boolean
  readonly pages: number
}

/** Returns the relations with their size at the last vacuum. Files never shrink, because `vacuum.ts` does not truncate. */
async function relationsOf(db: DatabasePool): Promise<readonly Relation[]> {
  const { rows } = await sql<Relation>`
    select oid::regclass::text as name, pg_relation_filepath(oid) as path, relkind = 'i' as is_index, relpages as pages
    from pg_class where pg_relation_filepath(oid) is not null and relpersistence = 'p'`.execute(db)
  return rows
}

function requireLength(home: string, { path, is_index, pages }: Relation): void {
  const { size } = statSync(join(home, path), { throwIfNoEntry: false }) ?? {}
  if (size === undefined) throw new Damage(`the file ${path} is missing`)
  const least = Math.min(Math.max(pages, is_index ? 1 : 0), PAGES_PER_FILE)
  if (size < least * PAGE_BYTES) throw new Damage(`the end of the file ${path} is missing`)
}

function findHoles(home: string, relations: readonly Relation[]): readonly Relation[] {
  const byPath = new Map(relations.map((relation) => [relation.path, relation]))
  const buffer = Buffer.alloc(BATCH_BYTES)
  const holed = new Set<Relation>()
  for (const folder of new Set(relations.map(({ path }) => dirname(path)))) {
    for (const file of readdirSync(join(home, folder))) {
      const [, name, part = '0'] = PAGES_OF_RELATION.exec(file) ?? []
      const relation = byPath.get(`${folder}/${name}`)
      if (!relation) continue
      const path = `${folder}/${file}`
      for (const block of emptyPages(home, path, { buffer, first: Number(part) * PAGES_PER_FILE })) {
        if (block === 0 && relation.is_index) throw new Damage(`the file ${path} has no beginning`)
        holed.add(relation)
      }
    }
  }
  return [...holed]
}

function emptyPages(
  home: string,
  path: string,
  { buffer, first }: { buffer: Buffer; first: number },
): readonly number[] {
  const empty: number[] = []
  const descriptor = openSync(join(home, path), 'r')
  try {
    for (let bytes = BATCH_BYTES, block = first; bytes === BATCH_BYTES; ) {
      bytes = readSync(descriptor, buffer)
      if (bytes % PAGE_BYTES !== 0) throw new Damage(`the file ${path} ends within a page`)
      for (let at = 0; at < bytes; at += PAGE_BYTES, block += 1) {
        const state = pageStateOf(buffer.subarray(at, at + PAGE_BYTES), block)
        if (state === 'damaged')
          throw new Damage(`page ${block} in the file ${path} does not fit its checksum`)
        if (state === 'empty') empty.push(block)
      }
    }
  } finally {
    closeSync(descriptor)
  }
  return empty
}

/** Rebuilds an index with empty pages from its table: a killed process and a broken disk cause the same empty pages. */
async function fill({ name, is_index, path }: Relation, db: DatabasePool): Promise<void> {
  if (is_index && path.startsWith('base/')) await sql`reindex index ${sql.raw(name)}`.execute(db)
}
