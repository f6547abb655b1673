import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { closeWhenReadOnly, DatabasePool, PreparingClient } from './pool.ts'
import { PrimaryPool } from './primary-pool.ts'
import { serversOf } from './servers.ts'

/** The timeouts in milliseconds: lock < statement < query < request (`http/load/deadlines.ts`) < shutdown (`cli/serve.ts`). */
const TIMEOUTS = {
  embeddedWait: 8_000,
  query: 5_000,
  connect: 3_000,
  /** The limit for connecting only: a migration itself may take longer. */
  maintenance: 10_000,
}

const SERVER_TIMEOUTS = { lock_timeout: 2_000, statement_timeout: 4_000 }
const IDLE_TIMEOUT = { idle_in_transaction_session_timeout: '10000' }

/** Generic plans by index: without statistics, PostgreSQL would assume that a tenant is empty and read whole tables. */
const PLANNER = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off', jit: 'off' }

const SESSION = { ...PLANNER, DateStyle: 'ISO, MDY' }

/** Returns a connection's settings. With custom plans, Citus sees the school in a statement and finds its worker. */
function serverSettings(isSpread: boolean, patience = 1): Readonly<Record<string, string>> {
  const timeouts = Object.entries(SERVER_TIMEOUTS).map(([name, ms]) => [name, String(ms * patience)])
  const settings = { ...Object.fromEntries(timeouts), ...IDLE_TIMEOUT, ...SESSION }
  return isSpread ? { ...settings, plan_cache_mode: 'force_custom_plan' } : settings
}

const DATE_OID = 1082

/** The milliseconds after which the next statement waits for another turn of the event loop, which a statement blocks. */
const EMBEDDED_TURN_MS = 2

/** Parsers that keep dates as text: `pg` would shift them by the time zone of the process. */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === DATE_OID ? String : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

export type Reporter = (error: Error) => void

type ServerOptions = {
  readonly max?: number
  readonly namedStatements?: boolean
  readonly isSpread?: boolean
  /** The factor by which requests wait longer for locks and statements. */
  readonly patience?: number
}

/** Returns a pool on a PostgreSQL server, or the writable one of several. Reports and replaces lost idle connections. */
export function connectPostgres(
  url: string,
  report: Reporter,
  { max = 16, namedStatements = true, isSpread = false, patience = 1 }: ServerOptions = {},
): DatabasePool {
  return databaseOn(
    poolAt(url, {
      Client: PreparingClient,
      namedStatements,
      pipeline: true,
      max,
      types,
      application_name: 'fahrplan',
      options: Object.entries(serverSettings(isSpread, patience))
        .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
        .join(' '),
      connectionTimeoutMillis: TIMEOUTS.connect,
      query_timeout: TIMEOUTS.query * patience,
      keepAlive: true,
    } as pg.PoolConfig),
    report,
    isSpread,
  )
}

/** Throws if the settings are not in effect. A pooler ignores a connection's settings, so the role must have them. */
export async function requireServerSettings(db: DatabasePool): Promise<void> {
  const wanted = new Map(Object.entries(serverSettings(db.isSpread)))
  const { rows } = await sql<{ name: string; setting: string; role: string }>`
    select name, setting, quote_ident(current_user) as role from pg_settings
    where name = any(${[...wanted.keys()]})`.execute(db)
  const lost = rows.filter(({ name, setting }) => setting !== wanted.get(name))
  if (lost.length === 0) return
  const commands = lost.map(({ name, role }) => `  alter role ${role} set ${name} = '${wanted.get(name)}';`)
  throw new Error(
    `A pooler in front of the database ignores the service's settings. Set them for the database role, and let the pooler reconnect:\n${commands.join('\n')}`,
  )
}

export function connectForMaintenance(url: string, report: Reporter): DatabasePool {
  return databaseOn(
    poolAt(url, {
      max: 1,
      types,
      application_name: 'fahrplan-migrate',
      connectionTimeoutMillis: TIMEOUTS.maintenance,
    }),
    report,
  )
}

/** Opens the embedded database: PostgreSQL in this process, in memory if there is no directory. */
export async function connectEmbedded(
  directory: string | undefined,
  report: Reporter,
  loadDataDir?: Blob,
): Promise<DatabasePool> {
  // Loaded only here: it is large, and not needed with a PostgreSQL server.
  const [{ PGlite }, { btree_gist }, { createPgConfig }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('@electric-sql/pglite/contrib/btree_gist'),
    import('@electric-sql/pglite/node-postgres'),
  ])
  const pglite = await PGlite.create({
    ...(directory ? { dataDir: directory } : {}),
    ...(loadDataDir ? { loadDataDir } : {}),
    extensions: { btree_gist },
  })
  for (const [name, value] of Object.entries(SESSION)) await pglite.exec(`set ${name} = '${value}'`)
  const pool = new pg.Pool({
    ...createPgConfig(pglite),
    Client: PreparingClient,
    max: 1,
    types,
    connectionTimeoutMillis: TIMEOUTS.embeddedWait,
  } as pg.PoolConfig)
  const [connect, end] = [pool.connect.bind(pool), pool.end.bind(pool)]
  let turnEnd = 0
  const takeTurn = async () => {
    const client = await connect()
    if (performance.now() >= turnEnd) {
      await turnOfLoop()
      turnEnd = performance.now() + EMBEDDED_TURN_MS
    }
    return client
  }
  return databaseOn(
    Object.assign(pool, {
      // The pool's own `query` connects with a callback.
      connect: (done?: Parameters<typeof connect>[0]) => (done ? connect(done) : takeTurn()),
      end: async () => {
        await end()
        await pglite.close()
      },
    }),
    report,
  )
}

function poolAt(url: string, config: pg.PoolConfig): pg.Pool {
  const servers = serversOf(url)
  if (servers?.mustTakeWrites) return new PrimaryPool(servers.addresses, config)
  const pool = new pg.Pool({ ...config, connectionString: url })
  pool.on('connect', (client) => closeWhenReadOnly(client))
  return pool
}

function databaseOn(pool: pg.Pool, report: Reporter, isSpread = false): DatabasePool {
  pool.on('error', report)
  return new DatabasePool(pool, isSpread)
}
