import { writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { readServiceConfig } from '../config.ts'
import { connectPostgres } from '../db/connection/connect.ts'
import { makeFolder } from '../db/upkeep/private-files.ts'
import { type ProcessCommand, requiredOption } from './command.ts'

export const openapi: ProcessCommand = {
  kind: 'process',
  name: 'openapi',
  summary: 'Write the OpenAPI 3.1 document of this version to a file.',
  options: { out: { type: 'string', value: 'FILE', help: 'The file to write', required: true } },
  run: async ({ values, terminal }) => {
    const file = requiredOption(values, 'out')
    makeFolder(dirname(file))
    writeFileSync(file, `${JSON.stringify(await describeApi(), null, 2)}\n`)
    terminal.out(`Wrote ${file}.`)
  },
}

/** Returns the OpenAPI document. Needs neither a database nor settings. */
export async function describeApi(): Promise<object> {
  const config = readServiceConfig({ JWT_SECRET: 'not used: nothing is signed here', LOG_LEVEL: 'silent' })
  const db = connectPostgres('postgres://nobody@127.0.0.1/none', () => undefined)
  const { createApp } = await import('../http/app.ts')
  const { app } = await createApp({ db, config })
  await app.ready()
  const document = app.swagger()
  await app.close()
  return document
}
