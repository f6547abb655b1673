import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { connectPostgres } from '../../src/db/connection/connect.ts'
import type { DatabasePool } from '../../src/db/connection/pool.ts'
import { loadTransferFile } from '../../src/transfer/load-file.ts'
import { readHeader } from '../../src/transfer/read-file.ts'
import { writeTransferFile } from '../../src/transfer/write-file.ts'
import type { TestService } from '../support/app.ts'
import { postgresDatabase } from '../support/database.ts'
import { aSchool, type School } from '../support/factory.ts'
import { type MadeDatabase, makeDatabase } from '../support/postgres-database.ts'
import { enrich } from '../support/rich-school.ts'

/** A school, the file it was exported to, and a database without schools to import files into. */
type ExportedSchool = {
  readonly folder: string
  readonly original: string
  readonly school: () => School
  readonly empty: () => DatabasePool
}

/** Makes the school, file and database before a file's tests and removes them afterwards. */
export function useExportedSchool(service: () => TestService): ExportedSchool {
  const folder = mkdtempSync(join(tmpdir(), 'fahrplan-transfer-'))
  const original = join(folder, 'school.ndjson.gz')
  let school: School
  let made: MadeDatabase
  let empty: DatabasePool
  beforeAll(async () => {
    school = await aSchool(service())
    await enrich(service(), school)
    await writeTransferFile(service().db, { tenantId: school.tenantId, path: original, now: new Date() })
    made = await makeDatabase(postgresDatabase().owner)
    empty = connectPostgres(made.app, (error) => console.error(error.message))
  })
  afterAll(async () => {
    await empty.destroy()
    await made.remove()
    rmSync(folder, { recursive: true })
  })
  return { folder, original, school: () => school, empty: () => empty }
}

/** Imports a file. */
export async function load(path: string, db: DatabasePool): Promise<void> {
  await loadTransferFile(db, await readHeader(path), { path })
}
