import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import { readServiceConfig } from '../config.ts'
import type { Tables } from '../db/tables.ts'
import { createApp } from '../http/app.ts'
import { type ProcessCommand, textOf } from './command.ts'

/** Writes the API's description without a database: what front ends generate their clients from. */
export const openapi: ProcessCommand = {
  kind: 'process',
  name: 'openapi',
  summary: 'Write the OpenAPI 3.1 document of this version to a file.',
  options: { out: { type: 'string', value: 'FILE', help: 'Where to', required: true } },
  run: async ({ values, terminal }) => {
    const file = textOf(values, 'out')
    const config = readServiceConfig({ JWT_SECRET: 'not used: nothing is signed here', LOG_LEVEL: 'silent' })
    const { app } = await createApp({ db: withoutDatabase(), config })
    await app.ready()
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${JSON.stringify(app.swagger(), null, 2)}\n`)
    await app.close()
    terminal.out(`Wrote ${file}.`)
  },
}

function withoutDatabase(): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
}
