import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type { DatabasePool } from '../db/connection/pool.ts'
import { NAME_LENGTH, type Range } from '../domain/ranges.ts'

/** The input and output of a command: the terminal, or the socket of the service that runs it for the terminal. */
export type Terminal = {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  readonly readInput: () => Promise<string>
  /** Asks a question; undefined if nobody can answer, as in a script. */
  readonly confirm: (question: string) => Promise<boolean | undefined>
  /** Reports the progress of a long operation; the next line replaces it. */
  readonly progress: (done: number, total: number) => void
}

/** Carries a command's file to the terminal, or from it, for the service that runs the command there. */
export type Carrier = {
  readonly send: (path: string) => Promise<void>
  readonly receive: (path: string) => Promise<void>
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Values of the options as given; a missing one is undefined. */
export type Values = Readonly<Record<string, string | boolean | undefined>>

type Documentation = {
  readonly name: string
  readonly summary: string
  /** Option name → what `--help` says of it. */
  readonly options: Options
}

type Options = Readonly<Record<string, OptionHelp>>

export type OptionHelp = {
  readonly type: 'string' | 'boolean'
  readonly value?: string
  readonly help: string
  readonly required?: boolean
}

/** The options that every command takes. */
const COMMON_OPTIONS: Options = {
  'env-file': {
    type: 'string',
    value: 'FILE',
    help: 'Read settings from FILE (VARIABLE=value); they override the environment',
  },
}

/** A command that works on the data: it can be handed to the service that holds the embedded database. */
export type DataCommand = Documentation & {
  readonly kind: 'data'
  /** Needs the role that owns the tables: the service's may not do it. */
  readonly asOwner?: boolean
  /** Whether the command makes a database if there is none. */
  readonly makesDatabase?: boolean
  /** Only reads, and finds the database as it is: migrations do not run before it, and no statement is cut short. */
  readonly opensAsItIs?: boolean
  /** The option that names a file which the command writes or reads, on the machine and in the folder of the terminal. */
  readonly file?: { readonly option: string; readonly mode: 'written' | 'read' }
  /** Throws a `UsageError` for values that no database is needed to refuse. */
  readonly check?: (values: Values) => void
  readonly run: (context: DataContext) => Promise<void>
}

export type DataContext = {
  readonly db: DatabasePool
  readonly values: Values
  readonly terminal: Terminal
  /** The data directory of an embedded database. */
  readonly dataDir?: string | undefined
  /** The path of the command's file for this process. */
  readonly file?: string | undefined
  /** Sessions that have ended, for a running service to forget. */
  readonly onRevoked: (familyIds: readonly string[]) => void
}

/** A command that lives in its own process, such as the service. */
export type ProcessCommand = Documentation & {
  readonly kind: 'process'
  /** Whether the settings of the systemd unit are read if the environment names no database, as by data commands. */
  readonly findsUnitSettings?: boolean
  readonly run: (context: {
    readonly env: Environment
    readonly values: Values
    readonly terminal: Terminal
  }) => Promise<void>
}

export type Command = DataCommand | ProcessCommand

/** The command line is wrong: exit 2 and one line. */
export class UsageError extends Error {}

/** The command could not do what was asked: exit 1 and one line. */
export class CommandFailure extends Error {}

/** The options of a command line, checked against what the command takes. Throws a `UsageError`. */
export function valuesFor(command: Command, argv: readonly string[]): Values {
  const options: ParseArgsOptionsConfig = Object.fromEntries(
    Object.entries({ ...command.options, ...COMMON_OPTIONS }).map(([name, { type }]) => [name, { type }]),
  )
  const values = parsed(command, argv, options)
  const missing = Object.entries(command.options)
    .filter(([name, { required }]) => required && values[name] === undefined)
    .map(([name]) => `--${name}`)
  if (missing.length > 0) throw new UsageError(`${command.name}: ${missing.join(', ')} missing`)
  return values
}

function parsed(command: Command, argv: readonly string[], options: ParseArgsOptionsConfig): Values {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: false, strict: true }).values as Values
  } catch (error) {
    const [reason] = error instanceof Error ? error.message.split(/\.\s/) : ['']
    throw new UsageError(`${command.name}: ${reason}`)
  }
}

/** The text of an option that must be there. */
export function textOf(values: Values, name: string): string {
  const value = values[name]
  if (typeof value !== 'string') throw new UsageError(`--${name} missing`)
  return value
}

/** The text of `--name`, trimmed. Throws a `UsageError` if it is too long, or empty. */
export function nameOf(values: Values): string {
  const name = textOf(values, 'name').trim()
  const { min, max } = NAME_LENGTH
  if (name.length < min || name.length > max) {
    throw new UsageError(`--name must have ${min} to ${max} characters`)
  }
  return name
}

/** A range as `--help` shows it. */
export function rangeWords({ min, max }: Range): string {
  return `${min}–${max}`
}

/** The whole number of an option, if it is given. Throws a `UsageError` outside the range. */
export function integerOf(values: Values, name: string, { min, max }: Range): number | undefined {
  const value = values[name]
  if (value === undefined) return undefined
  const number = Number(value)
  if (typeof value !== 'string' || !/^\d+$/.test(value) || number < min || number > max) {
    throw new UsageError(`--${name} must be a whole number from ${min} to ${max}`)
  }
  return number
}

/** Whether the words after a command ask for its help. */
export function asksForHelp(words: readonly string[]): boolean {
  return words.includes('--help') || words.includes('-h')
}

/** The help of a command. */
export function helpFor(command: Command): string {
  const rows = Object.entries({ ...command.options, ...COMMON_OPTIONS }).map(
    ([name, { value, help, required }]) => {
      const flag = `--${name}${value ? ` ${value}` : ''}`
      return `  ${flag.padEnd(34)} ${help}${required ? ' (required)' : ''}`
    },
  )
  const options = [...rows, `  ${'-h, --help'.padEnd(34)} Show this`].join('\n')
  return `${command.summary}\n\nUsage: npm run --silent cli -- ${command.name} [options]\n\nOptions:\n${options}`
}
