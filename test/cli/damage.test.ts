import { closeSync, openSync, readFileSync, rmSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { connectEmbedded } from '../../src/db/connection/connect.ts'
import { enter } from '../support/factory.ts'
import { complaintsOf, JWT_SECRET, once } from '../support/process.ts'
import { useSandbox } from './sandbox.ts'
import { makeSchool } from './school.ts'

const sandbox = useSandbox()
const PAGE = 8192

/** A data directory with a school that has a user, an instructor and a student. */
const aSchool = once(makeDataDir)

describe.concurrent('damage that does not prevent the embedded database from opening (F15)', () => {
  it.each([
    ['a changed byte of a row', 'instructors', (file: string) => change(file, readFileSync(file).length - 1)],
    ['a changed byte of an index', 'users_email_tenant_id_key', (file: string) => change(file, PAGE + 100)],
    ['a lost table', 'calendars', (file: string) => rmSync(file)],
    ['a lost index', 'refresh_tokens_one_active', (file: string) => rmSync(file)],
    ['an index without its first page', 'calendars_pkey', (file: string) => clear(file, 0)],
    ['an emptied index', 'lesson_types_pkey', (file: string) => truncateSync(file, 0)],
    ['a table cut within a page', 'students', (file: string) => truncateSync(file, PAGE - 100)],
    ['a table cut between pages', 'pg_description', (file: string) => truncateSync(file, 5 * PAGE)],
  ])('is detected at startup: %s', async (_, relation, harm) => {
    const { folder, pathOf } = await aSchool()
    const DATA_DIR = await sandbox.copyOf(folder)
    const path = pathOf(relation)
    harm(join(DATA_DIR, 'database', path))
    const exit = await sandbox.run(['serve'], { DATA_DIR, JWT_SECRET, PORT: '0' })
    expect(exit).toMatchObject({ code: 1, out: '' })
    expect(complaintsOf(exit)).toEqual([expect.stringContaining(path)])
    expect(exit.err).toMatch(/cannot be used: .*Restore it from a backup/)
    expect(exit.err).toContain(DATA_DIR)
  })

  it('is repaired at startup if an index page is all zeros, as after kill -9', async () => {
    const { folder, pathOf } = await aSchool()
    const DATA_DIR = await sandbox.copyOf(folder)
    clear(join(DATA_DIR, 'database', pathOf('instructors_pkey')), 1)
    const { url } = await sandbox.serve({ DATA_DIR })
    const school = await enter({ url }, await makeSchool(sandbox, { DATA_DIR }))
    const { id } = await school.instructor()
    expect((await school.client.get(`/instructors/${id}`)).status).toBe(200)
  })
})

/** A data directory. Its copies store each relation in the same file. */
type DataDir = { readonly folder: string; readonly pathOf: (relation: string) => string }

async function makeDataDir(): Promise<DataDir> {
  const { DATA_DIR: folder, made } = await sandbox.schoolDir()
  const { service, url } = await sandbox.serve({ DATA_DIR: folder })
  const school = await enter({ url }, made)
  await school.instructor()
  await school.student()
  await service.stop()
  const db = await connectEmbedded(join(folder, 'database'), () => undefined)
  const { rows } = await sql<{ relation: string; path: string }>`
    select relname as relation, pg_relation_filepath(oid) as path from pg_class`.execute(db)
  await db.destroy()
  const paths = new Map(rows.map(({ relation, path }) => [relation, path]))
  return { folder, pathOf: (relation) => paths.get(relation) ?? '' }
}

function change(file: string, at: number): void {
  write(file, at, Buffer.of((readFileSync(file)[at] ?? 0) ^ 0xff))
}

function clear(file: string, page: number): void {
  write(file, page * PAGE, Buffer.alloc(PAGE))
}

function write(file: string, at: number, bytes: Buffer): void {
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, bytes, 0, bytes.length, at)
  closeSync(descriptor)
}
