import { type DatabaseConfig, readDatabaseConfig } from '../config.ts'
import { connectForMaintenance, type Reporter } from '../db/connection/connect.ts'
import { blaming } from '../db/connection/connection-fault.ts'
import { NoCitus, requireCitus, spread } from '../db/schema/citus.ts'
import type { Database } from '../db/schema/tables.ts'
import { CommandFailure, type ProcessCommand, UsageError } from './command.ts'
import { openDatabase } from './open-database.ts'

export const migrate: ProcessCommand = {
  kind: 'process',
  name: 'migrate',
  findsUnitSettings: true,
  summary: 'Bring the schema of the database up to date (a service does so itself when it starts).',
  options: {
    citus: { type: 'boolean', help: 'Spread the schools over the workers of a Citus cluster as well' },
    json: { type: 'boolean', help: 'Print JSON' },
  },
  run: async ({ env, values, terminal }) => {
    const config = readDatabaseConfig(env)
    const coordinator = values.citus ? coordinatorIn(config) : undefined
    const report: Reporter = (error) => terminal.err(error.message)
    if (coordinator) await blaming(coordinator.variable, () => asOwner(coordinator.url, report, requireCitus))
    const { migrations, close } = await openDatabase(config, {
      command: 'migrate',
      makesDatabase: true,
      report,
      progress: terminal.err,
    })
    await close()
    const tables = coordinator && (await asOwner(coordinator.url, report, spread))
    if (values.json) return terminal.out(JSON.stringify({ migrations, ...(tables && { spread: tables }) }))
    terminal.out(migrations.length > 0 ? `Ran ${migrations.join(', ')}.` : 'The schema is up to date.')
    if (tables) {
      terminal.out(tables.length > 0 ? `Spread ${tables.join(', ')}.` : 'The schools are spread already.')
    }
  },
}

function coordinatorIn(config: DatabaseConfig) {
  if (config.kind === 'postgres') return { url: config.migrationUrl, variable: config.migrationVariable }
  throw new UsageError('--citus needs DATABASE_URL, the address of the coordinator')
}

async function asOwner<T>(url: string, report: Reporter, work: (db: Database) => Promise<T>): Promise<T> {
  const owner = connectForMaintenance(url, report)
  try {
    return await work(owner)
  } catch (error) {
    if (error instanceof NoCitus) throw new CommandFailure(error.message)
    throw error
  } finally {
    await owner.destroy()
  }
}
