import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { readPacksFrom } from '../booking/packs/packs.ts'
import { type DatabaseConfig, readDatabaseConfig } from '../config.ts'
import { DataDirInUse } from '../db/upkeep/data-dir.ts'
import { VERSION } from '../version.ts'
import { forwardCommand } from './admin-socket.ts'
import {
  asksForHelp,
  type CliCommand,
  type DataCommand,
  helpFor,
  type ProcessCommand,
  type Terminal,
  UsageError,
  type Values,
  valuesFor,
} from './command.ts'
import { withFile } from './command-file.ts'
import { demo } from './demo.ts'
import { mcp } from './mcp.ts'
import { migrate } from './migrate.ts'
import { NoDatabase, openAsItIs, openDatabase } from './open-database.ts'
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
import { noDatabaseMessage, type Settings, settingsFor, UNIT_SETTINGS } from './settings.ts'
import { startedAs } from './started-as.ts'

const processCommands: readonly ProcessCommand[] = [demo, serve, migrate, restore, openapi, mcp]

const commands: readonly CliCommand[] = [...processCommands, ...dataCommands]

const MAKERS = 'serve, demo, migrate, restore, tenant create and tenant import'

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
  confirm: async (question) => {
    if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
    const lines = createInterface({ input: process.stdin, output: process.stderr })
    const answer = await lines.question(`${question} [y/N] `)
    lines.close()
    return /^\s*(y|yes)\s*$/i.test(answer)
  },
  progress: showProgress,
}

/** The longest time in milliseconds that resources left open after a failure keep the process alive. */
const LINGER_MS = 2_000

/** Runs a command line. Exit codes: 0 done, 1 failure, 2 wrong usage, 3 done in part. */
export async function main(argv: readonly string[]): Promise<void> {
  const data = findDataCommand(argv)
  process.exitCode = data ? await runOnData(data, argv) : await exitCodeOf(terminal.err, () => run(argv))
  if (process.exitCode !== 0) setTimeout(() => process.exit(), LINGER_MS).unref()
}

async function run(argv: readonly string[]): Promise<void> {
  const [first, ...rest] = argv
  if (first === '--version') return terminal.out(versionLine())
  if (first === undefined || asksForHelp([first])) return terminal.out(overview(commands))
  if (first === 'help') return help(rest)
  const command = processCommands.find(({ name }) => name === first)
  if (!command) return runGroup(argv)
  if (asksForHelp(rest)) return terminal.out(helpFor(command))
  const values = valuesFor(command, rest)
  const { env } = settingsOf(command, values)
  readPacksFrom(env.PACKS_DIR)
  await command.run({ env, values, terminal })
}

function help(words: readonly string[]): void {
  const command = commands.find(({ name }) => name === words.join(' '))
  terminal.out(command ? helpFor(command) : overview(groupOf(words)))
}

function runGroup(argv: readonly string[]): void {
  const words = argv.filter((word) => !word.startsWith('-'))
  const group = groupOf(words.slice(0, 1))
  if (asksForHelp(argv)) {
    terminal.out(overview(group))
    return
  }
  const names = group.map(({ name }) => name.split(' ')[1]).join(', ')
  throw new UsageError(
    `There is no command "${argv.slice(0, 2).join(' ')}". The commands of "${argv[0]}" are ${names}`,
  )
}

function groupOf(words: readonly string[]): readonly CliCommand[] {
  if (words.length === 0) return commands
  const group = commands.filter(({ name }) => name.startsWith(`${words.join(' ')} `))
  if (group.length === 0) throw new UsageError(`There is no command "${words.slice(0, 2).join(' ')}"`)
  return group
}

/** Rejects wrong usage before opening a database. */
async function runOnData({ command, rest }: FoundCommand, argv: readonly string[]): Promise<number> {
  let exitCode = 0
  const refusal = await exitCodeOf(terminal.err, async () => {
    if (asksForHelp(rest)) return terminal.out(helpFor(command))
    const values = valuesFor(command, rest)
    command.check?.(values)
    const settings = settingsOf(command, values)
    readPacksFrom(settings.env.PACKS_DIR)
    exitCode = await withFile(command, values, (file) =>
      runWhereTheDataAre(command, { argv, file, settings }).catch((error: unknown) => {
        if (!(error instanceof NoDatabase)) throw error
        throw new UsageError(
          `${noDatabaseMessage(settings)}. Set one of them, or --env-file to a file that does; ${MAKERS} make one`,
        )
      }),
    )
  })
  return refusal || exitCode
}

function settingsOf(command: CliCommand, values: Values): Settings {
  const findsUnitSettings = command.kind === 'data' || command.findsUnitSettings
  const settings = settingsFor(values, {
    env: process.env,
    unitFile: findsUnitSettings ? UNIT_SETTINGS.file : undefined,
  })
  if (settings.file === UNIT_SETTINGS.file) terminal.err(`Settings: ${settings.file}`)
  return settings
}

type Line = {
  readonly argv: readonly string[]
  readonly file: string | undefined
  readonly settings: Settings
}

/** Runs a data command on the database, or in the process that holds it. */
async function runWhereTheDataAre(command: DataCommand, { argv, file, settings }: Line): Promise<number> {
  const config = configFor(command, readDatabaseConfig(settings.env))
  const report = (error: Error) => terminal.err(error.message)
  try {
    const { name, makesDatabase = false } = command
    const opening = { command: name, makesDatabase, report, progress: terminal.err }
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
    const exitCode = await forwardCommand(config.dataDir, { argv, terminal, file })
    if (exitCode === undefined) throw error
    return exitCode
  }
}

function configFor({ asOwner }: DataCommand, config: DatabaseConfig): DatabaseConfig {
  return asOwner && config.kind === 'postgres' ? { ...config, url: config.migrationUrl } : config
}

function overview(commands: readonly CliCommand[]): string {
  const rows = commands.map(({ name, summary }) => `  ${name.padEnd(26)} ${summary}`)
  return `Fahrplan: scheduling for driving schools.

Usage: ${startedAs()} <command> [options]

${rows.join('\n')}

"<command> --help" lists a command's options; --version prints the version.

Settings are environment variables (docs/operations.md), or lines of the file that --env-file names. If neither
DATABASE_URL nor DATA_DIR is set, ${UNIT_SETTINGS.file} is read where it exists; otherwise the database is in ./data. serve, demo
and openapi do not read ${UNIT_SETTINGS.file} by themselves.`
}

function versionLine(): string {
  return `fahrplan ${VERSION} (Node ${process.version})`
}
