import { readDatabaseConfig } from '../config.ts'
import type { ProcessCommand } from './command.ts'
import { openDatabase } from './open-database.ts'

/** Brings the schema up to date. The service does so itself when it starts; here it can be done before. */
export const migrate: ProcessCommand = {
  kind: 'process',
  name: 'migrate',
  summary: 'Bring the schema of the database up to date (a service does so itself when it starts).',
  options: { json: { type: 'boolean', help: 'Print JSON' } },
  run: async ({ env, values, terminal }) => {
    const { migrations, close } = await openDatabase(readDatabaseConfig(env), {
      command: 'migrate',
      report: (error) => terminal.err(error.message),
      progress: terminal.err,
    })
    await close()
    if (values.json) return terminal.out(JSON.stringify({ migrations }))
    terminal.out(migrations.length > 0 ? `Ran ${migrations.join(', ')}.` : 'The schema is up to date.')
  },
}
