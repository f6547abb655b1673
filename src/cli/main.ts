import { text } from 'node:stream/consumers'
import { type DatabaseConfig, readDatabaseConfig } from '../config.ts'
import { DataDirInUse } from '../db/data-dir.ts'
import { handOver } from './admin-socket.ts'
import {
  type DataCommand,
  helpFor,
  type ProcessCommand,
  type Terminal,
  UsageError,
  valuesFor,
} from './command.ts'
import { withFile } from './command-file.ts'
import { demo } from './demo.ts'
import { migrate } from './migrate.ts'
import { openAsItIs, openDatabase } from './open-database.ts'
import { openapi } from './openapi.ts'
import { hideProgress, showProgress } from './progress-bar.ts'
import { restore } from './restore.ts'
import {
  dataCommands,
  exitCodeOf,
  type FoundCommand,
  findDataCommand,
  runDataCommand,
} from './run-data-command.ts'
import { serve } from './serve.ts'

const processCommands: readonly ProcessCommand[] = [demo, serve, migrate, restore, openapi]

const terminal: Terminal = {
  out: (line) => {
    hideProgress()
    console.log(line)
  },
  err: (line) => {
    hideProgress()
    console.error(line)
  },
  readInput: () => text(process.stdin),
  progress: showProgress,
}

/** How long what a failure has left open may keep the process. */
const LINGER_MS = 2_000

/** Runs a command line: exit 0 when done, 2 for a wrong line, 1 for a failure. A service that listens goes on. */
export async function main(argv: readonly string[]): Promise<void> {
  const data = findDataCommand(argv)
  process.exitCode = data ? await runOnData(data, argv) : await exitCodeOf(terminal.err, () => run(argv))
  if (process.exitCode !== 0) setTimeout(() => process.exit(), LINGER_MS).unref()
}

async function run(argv: readonly string[]): Promise<void> {
  const [first, ...rest] = argv
  if (first === undefined || first === '--help' || first === 'help') return terminal.out(overview())
  const command = processCommands.find(({ name }) => name === first)
  if (!command) throw new UsageError(`There is no command "${argv.slice(0, 2).join(' ')}"`)
  if (rest.includes('--help')) return terminal.out(helpFor(command))
  await command.run({ env: process.env, values: valuesFor(command, rest), terminal })
}

/** A wrong line is refused before a database is opened. The holder of an embedded database runs the command itself. */
async function runOnData({ command, rest }: FoundCommand, argv: readonly string[]): Promise<number> {
  let exitCode = 0
  const refusal = await exitCodeOf(terminal.err, async () => {
    if (rest.includes('--help')) return terminal.out(helpFor(command))
    const values = valuesFor(command, rest)
    command.check?.(values)
    exitCode = await withFile(command, values, (file) => runWhereTheDataAre(command, { argv, file }))
  })
  return refusal || exitCode
}

async function runWhereTheDataAre(
  command: DataCommand,
  { argv, file }: { readonly argv: readonly string[]; readonly file: string | undefined },
): Promise<number> {
  const config = configFor(command, readDatabaseConfig(process.env))
  const report = (error: Error) => terminal.err(error.message)
  try {
    const opening = { command: command.name, report, progress: terminal.err }
    const open = command.opensAsItIs ? openAsItIs : openDatabase
    const { db, close } = await open(config, opening)
    const dataDir = config.kind === 'embedded' ? config.dataDir : undefined
    const exitCode = await runDataCommand(argv, {
      db,
      terminal,
      dataDir,
      file,
      onRevoked: () => undefined,
    })
    await close()
    return exitCode
  } catch (error) {
    if (!(error instanceof DataDirInUse) || config.kind !== 'embedded') throw error
    const exitCode = await handOver(config.dataDir, { argv, terminal, file })
    if (exitCode === undefined) throw error
    return exitCode
  }
}

function configFor({ asOwner }: DataCommand, config: DatabaseConfig): DatabaseConfig {
  return asOwner && config.kind === 'postgres' ? { ...config, url: config.migrationUrl } : config
}

function overview(): string {
  const rows = [...processCommands, ...dataCommands].map(
    ({ name, summary }) => `  ${name.padEnd(20)} ${summary}`,
  )
  return `Fahrplan: scheduling for driving schools.\n\nUsage: npm run --silent cli -- <command> [options]\n\n${rows.join('\n')}\n\n"<command> --help" lists a command's options.`
}
