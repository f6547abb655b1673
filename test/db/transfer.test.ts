import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectEmbedded, connectPostgres } from '../../src/db/connection/connect.ts'
import type { DatabasePool } from '../../src/db/connection/pool.ts'
import { EXPECTED_SCHEMA } from '../../src/db/schema/made-schema.ts'
import { migrate } from '../../src/db/schema/migrate.ts'
import { isFault } from '../../src/doctor/finding.ts'
import { loadTransferFile } from '../../src/transfer/load-file.ts'
import { readHeader } from '../../src/transfer/read-file.ts'
import { belongsTo, type TableName, tablesOf } from '../../src/transfer/tables.ts'
import { writeTransferFile } from '../../src/transfer/write-file.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { postgresDatabase } from '../support/database.ts'
import { findingsIn } from '../support/doctor.ts'
import { aSchool, PASSWORD, type School } from '../support/factory.ts'
import { type MadeDatabase, makeDatabase } from '../support/postgres-database.ts'
import { enrich } from '../support/rich-school.ts'
import { rowsIn } from '../support/transfer-file.ts'

const service = useService()
const folder = mkdtempSync(join(tmpdir(), 'fahrplan-transfer-'))
const original = join(folder, 'school.ndjson.gz')

let school: School
let other: School
let made: MadeDatabase
let postgres: DatabasePool
let embedded: DatabasePool

const report = (error: Error) => console.error(error.message)

beforeAll(async () => {
  school = await aSchool(service())
  await enrich(service(), school)
  other = await aSchool(service())
  await write(service().db, original)
  made = await makeDatabase(postgresDatabase().owner)
  postgres = connectPostgres(made.app, report)
  embedded = await connectEmbedded(undefined, report)
  await migrate(embedded)
})

afterAll(async () => {
  await postgres.destroy()
  await embedded.destroy()
  await made.remove()
  rmSync(folder, { recursive: true })
})

async function write(db: DatabasePool, path: string): Promise<void> {
  await writeTransferFile(db, { tenantId: school.tenantId, path, now: new Date() })
}

async function load(path: string, db: DatabasePool): Promise<void> {
  await loadTransferFile(db, await readHeader(path), { path })
}

/** Returns a school's rows of a table as PostgreSQL formats them, without transaction ids. */
async function storedIn(db: DatabasePool, table: TableName): Promise<readonly unknown[]> {
  const { rows } = await sql<{ row: string }>`select (to_jsonb(one) - 'transaction')::text as row
    from ${sql.table(table)} one where ${belongsTo(table, school)} order by 1`.execute(db)
  expect(rows.length).toBeGreaterThan(0)
  return rows
}

describe('a school file', () => {
  it('has a schema with every table and column of the database', async () => {
    const { rows } = await sql<{ name: string; columns: string[] }>`
      select relname as name, array_agg(attname::text order by attname) as columns
      from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely%'
      group by 1`.execute(service().db)
    const there = Object.fromEntries(rows.map(({ name, columns }) => [name, columns]))
    const known = Object.entries(EXPECTED_SCHEMA).map(([name, { columns }]) => [
      name,
      Object.keys(columns).toSorted(),
    ])
    expect(Object.fromEntries(known)).toEqual(there)
    expect(tablesOf({}).toSorted()).toEqual(Object.keys(EXPECTED_SCHEMA).toSorted())
  })

  it('contains rows of every exported table and none of another school', () => {
    const rows = rowsIn(original).map((line) => JSON.parse(line))
    expect(new Set(rows.map(({ table }) => table))).toEqual(new Set(tablesOf(school)))
    expect(rows.filter(({ table }) => table === 'tenants')).toEqual([
      expect.objectContaining({ id: school.tenantId }),
    ])
    const foreign = [other.tenantId, ...Object.values(other.user), ...Object.values(other.lessonTypes)]
    const text = rowsIn(original).join()
    expect(foreign.filter((one) => text.includes(one))).toEqual([])
    for (const absent of [
      'links',
      'password_links',
      'refresh_tokens',
      'mails',
      'login_addresses',
      'webhooks',
    ])
      expect(tablesOf(school)).not.toContain(absent)
    expect(statSync(original).mode & 0o777).toBe(0o600)
  })
})

describe("the owner's file", () => {
  const path = '/exports/school.ndjson.gz'
  const fetchFile = () => fetch(`${service().url}/api/v1${path}`, { headers: school.client.headers })

  it('needs a proof of the last five minutes and has the school without passwords', async () => {
    await sql`update token_families set proved_at = proved_at - interval '6 minutes'
      where user_id = ${school.user.id}`.execute(service().db)
    const refused = await school.client.get(path)
    expect([refused.status, refused.body.code]).toEqual([403, 'proof_required'])
    must(204, await school.client.post('/auth/proof', { password: PASSWORD }))
    const answer = await fetchFile()
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/gzip'])
    const own = join(folder, 'own.ndjson.gz')
    writeFileSync(own, Buffer.from(await answer.arrayBuffer()))
    const secret = /^{"table":"(?:passkeys|recovery_codes|idempotency_keys)"/
    const rows = rowsIn(original).filter((line) => !secret.test(line))
    expect(rows.length).toBeLessThan(rowsIn(original).length)
    const without = (line: string) => ({ ...JSON.parse(line), password_hash: null, second_factor: false })
    const cut = (line: string) => (line.startsWith('{"table":"users"') ? without(line) : JSON.parse(line))
    expect(rowsIn(own).map((line) => JSON.parse(line))).toEqual(rows.map(cut))
    expect(rowsIn(own).join()).not.toContain('argon2')
    const target = await connectEmbedded(undefined, report)
    await migrate(target)
    await load(own, target)
    expect((await findingsIn(target)).filter(isFault)).toEqual([])
    await target.destroy()
  })

  it('is given six times an hour, one at a time', async () => {
    const answers = await Promise.all([fetchFile(), fetchFile(), fetchFile()])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429, 429])
    for (const { body } of answers) await body?.cancel()
  })
})

describe('an imported school', () => {
  it('is identical in every field after a transfer to an embedded database and on to PostgreSQL', async () => {
    const [second, third] = [join(folder, 'second.gz'), join(folder, 'third.gz')]
    await load(original, embedded)
    await write(embedded, second)
    await load(second, postgres)
    await write(postgres, third)
    const rows = rowsIn(original)
    expect(rowsIn(second)).toEqual(rows)
    expect(rowsIn(third)).toEqual(rows)
    for (const table of tablesOf(school))
      expect(await storedIn(postgres, table)).toEqual(await storedIn(service().db, table))
    const before = await findingsIn(service().db, school.tenantId)
    for (const db of [embedded, postgres]) expect(await findingsIn(db)).toEqual(before)
    expect(before.filter(isFault)).toEqual([])
  })

  it('has all its log entries in one new transaction', async () => {
    const { rows } = await sql<{ count: string }>`
      select count(distinct transaction) as count from changes`.execute(postgres)
    expect(rows).toEqual([{ count: '1' }])
  })
})
