import { BlockList, isIP } from 'node:net'
import type { LoginLimits } from './db/accounts/login-attempts.ts'
import { serversOf } from './db/connection/servers.ts'
import { type MailConfig, readMailConfig } from './mail/mail-config.ts'

export type DatabaseConfig =
  | { readonly kind: 'embedded'; readonly dataDir: string }
  | {
      readonly kind: 'postgres'
      readonly url: string
      readonly migrationUrl: string
      /** The variable that `migrationUrl` comes from. */
      readonly migrationVariable: 'DATABASE_URL' | 'MIGRATION_DATABASE_URL'
      /** Whether statements are prepared by name. Off for a pooler that lends connections per transaction and loses the names. */
      readonly namedStatements: boolean
    }

export type ServiceConfig = {
  readonly jwtSecret: string
  readonly host: string
  readonly port: number
  readonly publicUrl: string | undefined
  /** The service's own address, if it differs from `publicUrl`. */
  readonly serviceUrl: string | undefined
  readonly cookieDomain: string | undefined
  readonly corsOrigins: readonly string[]
  readonly trustProxy: readonly string[]
  readonly metricsPort: number | undefined
  readonly metricsHost: string
  readonly logLevel: string
  readonly loginLimits: LoginLimits
  /** Undefined if mail cannot be sent. */
  readonly mail: MailConfig | undefined
  /** The networks that webhooks may reach although they are not public. */
  readonly webhookAllowedNetworks: readonly string[]
  /** The login that `/docs` shows. Only the demo sets it. */
  readonly demoLogin?: { readonly email: string; readonly password: string | undefined }
}

type Environment = Readonly<Record<string, string | undefined>>

/** All faults of the environment. Names the variables, never their values. */
export class ConfigError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`The configuration has faults:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
    this.faults = faults
  }
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
const DOMAIN = /^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)*$/i

const SECRET_BYTES = 32

/** Reads the database's settings. Throws a `ConfigError`. */
export function readDatabaseConfig(env: Environment): DatabaseConfig {
  const faults: string[] = []
  const config = databaseConfig(env, faults)
  if (faults.length > 0) throw new ConfigError(faults)
  return Object.freeze(config)
}

/** Reads the service's settings. Throws a `ConfigError` that lists every fault, including the database's. */
export function readServiceConfig(env: Environment): ServiceConfig {
  const faults: string[] = []
  databaseConfig(env, faults)
  const config: ServiceConfig = {
    jwtSecret: secret(env, faults),
    host: env.HOST || '127.0.0.1',
    port: integer('PORT', env, faults, { fallback: 8080, min: 0, max: 65_535 }),
    publicUrl: originIn('PUBLIC_URL', env, faults),
    serviceUrl: originIn('SERVICE_URL', env, faults),
    cookieDomain: cookieDomain(env, faults),
    corsOrigins: corsOrigins(env, faults),
    trustProxy: networks('TRUST_PROXY', env, faults),
    metricsPort: env.METRICS_PORT
      ? integer('METRICS_PORT', env, faults, { fallback: 0, min: 0, max: 65_535 })
      : undefined,
    metricsHost: env.METRICS_HOST || '127.0.0.1',
    logLevel: logLevel(env, faults),
    loginLimits: {
      perAccountAndAddress: limit('LOGIN_FAILURES_PER_ACCOUNT_AND_ADDRESS', 10, env, faults),
      perAccount: limit('LOGIN_FAILURES_PER_ACCOUNT', 50, env, faults),
      perAddress: limit('LOGIN_FAILURES_PER_ADDRESS', 100, env, faults),
    },
    mail: readMailConfig(env, faults),
    webhookAllowedNetworks: networks('WEBHOOK_ALLOWED_NETWORKS', env, faults),
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return Object.freeze(config)
}

/** Whether mail can be sent. If not, no mail is queued, and people pass on links themselves. */
export function isMailSetUp({ mail }: Pick<ServiceConfig, 'mail'>): boolean {
  return mail !== undefined
}

/** Returns the operator's contact for push services (RFC 8292). Push is off if it is undefined. */
export function pushContact({
  publicUrl,
  mail,
}: Pick<ServiceConfig, 'publicUrl' | 'mail'>): string | undefined {
  if (publicUrl?.startsWith('https:')) return publicUrl
  return mail && `mailto:${mail.from.address}`
}

function databaseConfig(env: Environment, faults: string[]): DatabaseConfig {
  const url = env.DATABASE_URL
  if (!url) return { kind: 'embedded', dataDir: env.DATA_DIR || './data' }
  const migrationUrl = env.MIGRATION_DATABASE_URL || url
  for (const [name, value] of Object.entries({ DATABASE_URL: url, MIGRATION_DATABASE_URL: migrationUrl })) {
    if (!serversOf(value)) {
      faults.push(
        `${name} must be an address such as postgres://user:password@host:5432/fahrplan, or of several servers: …@first:5432,second:5432/fahrplan?target_session_attrs=read-write; write characters such as #, /, ? and @ in the password as %23, %2F, %3F and %40`,
      )
    }
  }
  return {
    kind: 'postgres',
    url,
    migrationUrl,
    migrationVariable: env.MIGRATION_DATABASE_URL ? 'MIGRATION_DATABASE_URL' : 'DATABASE_URL',
    namedStatements: isOn('DATABASE_NAMED_STATEMENTS', env, faults),
  }
}

function secret(env: Environment, faults: string[]): string {
  const value = env.JWT_SECRET ?? ''
  const bytes = Buffer.byteLength(value)
  if (bytes < SECRET_BYTES) {
    faults.push(
      `JWT_SECRET is required and must have at least ${SECRET_BYTES} bytes (256 bits); it has ${bytes}. Make one with: openssl rand -base64 48`,
    )
  }
  return value
}

function originIn(name: string, env: Environment, faults: string[]): string | undefined {
  const text = env[name]
  if (!text) return undefined
  const url = urlOf(text)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    faults.push(`${name} must be an address such as https://fahrplan.example`)
    return undefined
  }
  return url.origin
}

function cookieDomain(env: Environment, faults: string[]): string | undefined {
  const domain = env.COOKIE_DOMAIN
  if (!domain) return undefined
  if (!DOMAIN.test(domain)) faults.push('COOKIE_DOMAIN must be a host name such as school.example')
  return domain
}

function corsOrigins(env: Environment, faults: string[]): readonly string[] {
  const origins = list(env.CORS_ORIGINS)
  if (origins.some((origin) => urlOf(origin)?.origin !== origin)) {
    faults.push('CORS_ORIGINS must be exact origins, such as https://app.school.example, separated by commas')
  }
  return origins
}

function networks(name: string, env: Environment, faults: string[]): readonly string[] {
  const ranges = list(env[name])
  if (!ranges.every(isAddressRange)) {
    faults.push(`${name} must be addresses or CIDR ranges, such as 10.0.0.0/8, separated by commas`)
  }
  return ranges
}

function isAddressRange(range: string): boolean {
  const [address = '', prefix] = range.split('/')
  const family = isIP(address)
  if (family === 0) return false
  if (prefix === undefined) return true
  try {
    new BlockList().addSubnet(address, Number(prefix), family === 4 ? 'ipv4' : 'ipv6')
    return /^\d+$/.test(prefix)
  } catch {
    return false
  }
}

function logLevel(env: Environment, faults: string[]): string {
  const level = env.LOG_LEVEL || 'info'
  if (!LOG_LEVELS.includes(level)) faults.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}`)
  return level
}

function limit(name: string, fallback: number, env: Environment, faults: string[]): number {
  return integer(name, env, faults, { fallback, min: 1, max: 1_000_000 })
}

function isOn(name: string, env: Environment, faults: string[]): boolean {
  const value = env[name] || 'on'
  if (value !== 'on' && value !== 'off') faults.push(`${name} must be on or off`)
  return value === 'on'
}

function integer(
  name: string,
  env: Environment,
  faults: string[],
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  const text = env[name]
  if (!text) return fallback
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < min || value > max) {
    faults.push(`${name} must be a whole number from ${min} to ${max}`)
  }
  return value
}

function list(text = ''): readonly string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}
