import { type DatabaseConfig, readDatabaseConfig } from '../config.ts'
import { NoCitus, spread } from '../db/citus.ts'
import { connectForMaintenance, type Reporter } from '../db/connect.ts'
import { CommandFailure, type ProcessCommand, UsageError } from './command.ts'
import { openDatabase } from './open-database.ts'

/** Brings the schema up to date. The service does so itself when it starts; here it can be done before. */
export const migrate: ProcessCommand = {
  kind: 'process',
  name: 'migrate',
  summary: 'Bring the schema of the database up to date (a service does so itself when it starts).',
  options: {
    citus: { type: 'boolean', help: 'Spread the schools over the workers of a Citus cluster as well' },
    json: { type: 'boolean', help: 'Print JSON' },
  },
  run: async ({ env, values, terminal }) => {
    const config = readDatabaseConfig(env)
    if (values.citus && config.kind !== 'postgres') {
      throw new UsageError('--citus needs DATABASE_URL, the address of the coordinator')
    }
    const report: Reporter = (error) => terminal.err(error.message)
    const { migrations, close } = await openDatabase(config, {
      command: 'migrate',
      report,
      progress: terminal.err,
    })
    await close()
    const tables = values.citus ? await spreadSchools(config, report) : undefined
    if (values.json) return terminal.out(JSON.stringify({ migrations, ...(tables && { spread: tables }) }))
    terminal.out(migrations.length > 0 ? `Ran ${migrations.join(', ')}.` : 'The schema is up to date.')
    if (tables) {
      terminal.out(tables.length > 0 ? `Spread ${tables.join(', ')}.` : 'The schools are spread already.')
    }
  },
}

async function spreadSchools(config: DatabaseConfig, report: Reporter): Promise<readonly string[]> {
  if (config.kind !== 'postgres') return []
  const owner = connectForMaintenance(config.migrationUrl, report)
  try {
    return await spread(owner)
  } catch (error) {
    if (error instanceof NoCitus) throw new CommandFailure(error.message)
    throw error
  } finally {
    await owner.destroy()
  }
}
