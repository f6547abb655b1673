import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { type Environment, UsageError, type Values } from './command.ts'

/** The systemd unit's environment file and data directory. */
export const UNIT_SETTINGS = { file: '/etc/fahrplan.env', DATA_DIR: '/var/lib/fahrplan' }

const UNREADABLE = '. Run the command as a user who may read them, or set DATABASE_URL or DATA_DIR'
const DATABASE_VARIABLES = ['DATABASE_URL', 'MIGRATION_DATABASE_URL', 'DATA_DIR']

export type Settings = { readonly env: Environment; readonly file?: string | undefined }

type Sources = {
  readonly env: Environment
  /** The file to read if the environment names no database. */
  readonly unitFile?: string | undefined
}

/** Returns the settings of a command line. `--env-file` takes precedence over the environment. Throws a `UsageError`. */
export function settingsFor(values: Values, { env, unitFile }: Sources): Settings {
  const named = values['env-file']
  if (typeof named === 'string') {
    const settings = settingsIn(named)
    return { env: { ...(namesDatabase(settings) ? withoutDatabase(env) : env), ...settings }, file: named }
  }
  if (unitFile === undefined || namesDatabase(env) || !existsSync(unitFile)) return { env }
  const { DATA_DIR } = UNIT_SETTINGS
  return { env: { ...env, DATA_DIR, ...settingsIn(unitFile, UNREADABLE) }, file: unitFile }
}

export function noDatabaseMessage({ env, file }: Settings): string {
  const where = file === undefined ? '' : `, read from ${resolve(file)}`
  if (env.DATABASE_URL) return `The database of DATABASE_URL${where && `${where},`} has no tables of Fahrplan`
  if (env.DATA_DIR)
    return `There is no database in ${resolve(env.DATA_DIR)} (DATA_DIR${where}; DATABASE_URL is not set)`
  return `There is no database in ${resolve('data')} (DATABASE_URL and DATA_DIR are not set${where})`
}

const WITH_HASH = /^\s*(?:export\s+)?([\w.]+)\s*=\s*([^\s'"`][^#]*#.*|#.*)$/

/** Returns a file's settings as systemd and Docker read them: unlike `parseEnv`, they keep a `#` within a value. Throws a `UsageError`. */
function settingsIn(file: string, advice = ''): Environment {
  const text = textOf(file, advice)
  const withHash: Record<string, string> = {}
  for (const [index, line] of text.split('\n').entries()) {
    const [, name, value = ''] = WITH_HASH.exec(line) ?? []
    if (name === undefined) continue
    if (/(?:^|\s)#/.test(value)) {
      throw new UsageError(
        `${file}, line ${index + 1}: put the comment behind the value of ${name} on a line of its own`,
      )
    }
    withHash[name] = value.trimEnd()
  }
  return { ...parseEnv(text), ...withHash }
}

function textOf(file: string, advice: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`The settings cannot be read: ${reason}${advice}`)
  }
}

function namesDatabase(env: Environment): boolean {
  return DATABASE_VARIABLES.some((name) => env[name])
}

function withoutDatabase(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !DATABASE_VARIABLES.includes(name)))
}
