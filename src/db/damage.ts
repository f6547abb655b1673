import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { isIntact, PAGE_BYTES } from './page-checksum.ts'
import type { DatabasePool } from './pool.ts'

/** PostgreSQL begins another file of a relation after so many pages. */
const PAGES_PER_FILE = 131_072

/** A relation's pages; the maps beside them, `_fsm` and `_vm`, PostgreSQL makes anew where they are damaged. */
const PAGES_OF_RELATION = /^\d+(?:\.(\d+))?$/

const BATCH_BYTES = 128 * PAGE_BYTES

/**
 * What is wrong with the files of an open embedded database, in words, or nothing. It reads every page of every table and
 * index, because PostgreSQL only looks at those that a request needs; about a millisecond for 40 pages. The database must
 * be idle: it is, between two statements.
 */
export async function damageIn(home: string, db: DatabasePool): Promise<string | undefined> {
  try {
    const relations = await relationsOf(db)
    return missingFile(home, relations) ?? damagedPage(home, foldersOf(relations))
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

type Relation = { readonly path: string }

async function relationsOf(db: DatabasePool): Promise<readonly Relation[]> {
  const { rows } = await sql<Relation>`
    select pg_relation_filepath(oid) as path from pg_class
    where pg_relation_filepath(oid) is not null and relpersistence = 'p'`.execute(db)
  return rows
}

function foldersOf(relations: readonly Relation[]): readonly string[] {
  return [...new Set(relations.map(({ path }) => dirname(path)))]
}

function missingFile(home: string, relations: readonly Relation[]): string | undefined {
  const missing = relations.find(({ path }) => !statSync(join(home, path), { throwIfNoEntry: false }))
  return missing && `the file ${missing.path} is missing`
}

function damagedPage(home: string, folders: readonly string[]): string | undefined {
  const pages = Buffer.alloc(BATCH_BYTES)
  for (const folder of folders) {
    for (const name of readdirSync(join(home, folder))) {
      const part = PAGES_OF_RELATION.exec(name)
      if (!part) continue
      const fault = faultIn(join(home, folder, name), Number(part[1] ?? 0) * PAGES_PER_FILE, pages)
      if (fault) return `${fault} of the file ${folder}/${name}`
    }
  }
  return undefined
}

function faultIn(file: string, firstBlock: number, pages: Buffer): string | undefined {
  const descriptor = openSync(file, 'r')
  try {
    for (let block = firstBlock; ; ) {
      const bytes = readSync(descriptor, pages)
      if (bytes % PAGE_BYTES !== 0) return 'a part of a page is missing at the end'
      for (let at = 0; at < bytes; at += PAGE_BYTES, block += 1) {
        if (!isIntact(pages.subarray(at, at + PAGE_BYTES), block))
          return `page ${block - firstBlock} is damaged: its checksum does not fit,`
      }
      if (bytes < BATCH_BYTES) return undefined
    }
  } finally {
    closeSync(descriptor)
  }
}
