import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { cleanText } from '../contract/clean-text.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { NAME_LENGTH, type Range } from '../domain/ranges.ts'
import { startedAs } from './started-as.ts'

export type Terminal = {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  readonly readInput: () => Promise<string>
  /** Asks a question. Returns undefined if nobody can answer, as in a script. */
  readonly confirm: (question: string) => Promise<boolean | undefined>
  /** Reports progress; the next line replaces it. */
  readonly progress: (done: number, total: number) => void
}

export type FileTransfer = {
  readonly send: (path: string) => Promise<void>
  readonly receive: (path: string) => Promise<void>
}

export type Environment = Readonly<Record<string, string | undefined>>

export type Values = Readonly<Record<string, string | boolean | undefined>>

type Documentation = {
  readonly name: string
  readonly summary: string
  /** Option name → its line in `--help`. */
  readonly options: Options
}

type Options = Readonly<Record<string, OptionHelp>>

export type OptionHelp = {
  readonly type: 'string' | 'boolean'
  readonly value?: string
  readonly help: string
  readonly required?: boolean
}

const COMMON_OPTIONS: Options = {
  'env-file': {
    type: 'string',
    value: 'FILE',
    help: 'Read settings from FILE (VARIABLE=value); they override the environment',
  },
}

/** A command on the data. It can be passed to the service that holds the embedded database. */
export type DataCommand = Documentation & {
  readonly kind: 'data'
  /** Whether the command needs the role that owns the tables. */
  readonly asOwner?: boolean
  /** Whether the command creates a missing database. */
  readonly makesDatabase?: boolean
  /** Whether the command only reads: no migrations run before it, and statements have no time limit. */
  readonly opensAsItIs?: boolean
  /** The option that names a file to write or read on the terminal's machine. */
  readonly file?: { readonly option: string; readonly mode: 'written' | 'read' }
  /** Throws a `UsageError` for values that can be rejected without a database. */
  readonly check?: (values: Values) => void
  readonly run: (context: DataContext) => Promise<void>
}

export type DataContext = {
  readonly db: DatabasePool
  readonly values: Values
  readonly terminal: Terminal
  readonly dataDir?: string | undefined
  readonly file?: string | undefined
  /** Called with ended sessions, which a running service must remove from its cache. */
  readonly onRevoked: (familyIds: readonly string[]) => void
}

/** A command with a process of its own, such as the service. */
export type ProcessCommand = Documentation & {
  readonly kind: 'process'
  /** Whether the systemd unit's settings apply if the environment names no database, as for data commands. */
  readonly findsUnitSettings?: boolean
  readonly run: (context: {
    readonly env: Environment
    readonly values: Values
    readonly terminal: Terminal
  }) => Promise<void>
}

export type CliCommand = DataCommand | ProcessCommand

/** A wrong command line. Exits with 2 and prints one line. */
export class UsageError extends Error {}

/** A failure of the command. Exits with 1 and prints one line. */
export class CommandFailure extends Error {}

/** Work that is done except for a part that people must decide on. Exits with 3 and prints one line. */
export class DoneInPart extends Error {}

export function valuesFor(command: CliCommand, argv: readonly string[]): Values {
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

function parsed(command: CliCommand, argv: readonly string[], options: ParseArgsOptionsConfig): Values {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: false, strict: true }).values as Values
  } catch (error) {
    const [reason] = error instanceof Error ? error.message.split(/\.\s/) : ['']
    throw new UsageError(`${command.name}: ${reason}`)
  }
}

export function requiredOption(values: Values, name: string): string {
  const value = values[name]
  if (typeof value !== 'string') throw new UsageError(`--${name} missing`)
  return value
}

/** Returns `--name`, trimmed. Throws a `UsageError` if it is empty or too long. */
export function nameOption(values: Values): string {
  const name = cleanText(requiredOption(values, 'name'), true)
  const { min, max } = NAME_LENGTH
  if (name.length < min || name.length > max) {
    throw new UsageError(`--name must have ${min} to ${max} characters`)
  }
  return name
}

export function rangeText({ min, max }: Range): string {
  return `${min}–${max}`
}

/** Returns the integer of an option, if given. Throws a `UsageError` outside the range. */
export function integerOf(values: Values, name: string, { min, max }: Range): number | undefined {
  const value = values[name]
  if (value === undefined) return undefined
  const number = Number(value)
  if (typeof value !== 'string' || !/^\d+$/.test(value) || number < min || number > max) {
    throw new UsageError(`--${name} must be a whole number from ${min} to ${max}`)
  }
  return number
}

export function asksForHelp(words: readonly string[]): boolean {
  return words.includes('--help') || words.includes('-h')
}

export function helpFor(command: CliCommand): string {
  const rows = Object.entries({ ...command.options, ...COMMON_OPTIONS }).map(
    ([name, { value, help, required }]) => {
      const flag = `--${name}${value ? ` ${value}` : ''}`
      return `  ${flag.padEnd(34)} ${help}${required ? ' (required)' : ''}`
    },
  )
  const options = [...rows, `  ${'-h, --help'.padEnd(34)} Show this`].join('\n')
  return `${command.summary}\n\nUsage: ${startedAs()} ${command.name} [options]\n\nOptions:\n${options}`
}
