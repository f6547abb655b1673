import { readFile } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, inject } from 'vitest'
import { readServiceConfig, type ServiceConfig } from '../../src/config.ts'
import { connectEmbedded, connectPostgres } from '../../src/db/connection/connect.ts'
import type { DatabasePool } from '../../src/db/connection/pool.ts'
import { createApp } from '../../src/http/app.ts'
import { TIMEOUTS } from '../../src/http/load/deadlines.ts'
import { type Bounds, boundsFor, type FairQueue } from '../../src/http/load/fair-queue.ts'
import type { App } from '../../src/http/service.ts'
import { asOwner } from './as-owner.ts'
import type { Answer } from './client.ts'
import { testDatabase } from './database.ts'
import { TEST_ENVIRONMENT } from './environment.ts'

/** Long waits for a turn: except in tests of the queue, a response must not depend on how long it waits on a busy machine. */
const PATIENT = { ...TIMEOUTS, turn: TIMEOUTS.answer - 1_000 }

/** Returns bounds that let one school use all turns even if others have requests, because tests race those of one. */
function allForOne(connections: number): Bounds {
  return { ...boundsFor(connections), runningOfOne: connections }
}

/** The service under test: the real one, listening on a port, on the database of the test project. */
export type TestService = {
  readonly url: string
  readonly db: DatabasePool
  readonly app: App
  readonly kind: 'embedded' | 'postgres'
  /** The running and waiting requests. */
  readonly turns: () => FairQueue
  /** Returns the service's log lines as JSON objects: of the request behind a response, or all. */
  readonly log: (answer?: Pick<Answer, 'headers'>) => readonly Record<string, unknown>[]
  /** Sets the service's clock; `undefined` restores the real one. */
  readonly setClock: (now: Date | undefined) => void
  /** Clears the log and restores the real clock for the next test file. */
  readonly renew: () => void
  readonly close: () => Promise<void>
}

/** The service that this worker's files share, because starting one takes longer than many files. */
let shared: Promise<TestService> | undefined

/** Returns the worker's service for the tests of a file. It keeps running for the next file. */
export function useService(): () => TestService {
  let service: TestService | undefined
  beforeAll(async () => {
    shared ??= openDatabase().then((db) => startService(db))
    service = await shared
    service.renew()
  })
  return () => started(service)
}

/** Closes the worker's service, so that the next file starts another. */
export async function closeSharedService(): Promise<void> {
  const service = await shared
  shared = undefined
  await service?.close()
  if (service?.kind === 'postgres') await service.db.destroy()
}

/** Starts a service for one file, with its own settings, database or timeouts, and closes it after the tests. */
export function useOwnService(
  overrides: Partial<ServiceConfig>,
  open = openDatabase,
  timeouts = PATIENT,
): () => TestService {
  let service: TestService | undefined
  beforeAll(async () => {
    service = await startService(await open(), overrides, timeouts)
  })
  afterAll(async () => {
    await service?.close()
    if (service && service.db !== (await embedded)) await service.db.destroy()
  })
  return () => started(service)
}

/** The factor by which races wait longer: on a slow machine dozens of requests wait for one lock. */
export const PATIENCE = 4
export const VERY_PATIENT = {
  ...TIMEOUTS,
  turn: PATIENCE * TIMEOUTS.answer,
  answer: PATIENCE * TIMEOUTS.answer,
}

/** Starts a service for the races of one file, with its own settings. */
export function usePatientService(overrides: Partial<ServiceConfig> = {}): () => TestService {
  const open = () => (testDatabase().kind === 'postgres' ? openOwnDatabase(PATIENCE) : openDatabase())
  return useOwnService(overrides, open, VERY_PATIENT)
}

function started(service: TestService | undefined): TestService {
  if (!service) throw new Error('the service has not started')
  return service
}

/** Opens a pool of the app's role on the worker's server, or the worker's embedded database, which stays open. */
export async function openDatabase(): Promise<DatabasePool> {
  if (testDatabase().kind === 'postgres') return openOwnDatabase()
  embedded ??= openOwnDatabase()
  return embedded
}

/** Does the same, but an embedded database is new and empty. A server's pool waits longer for locks by the factor. */
export async function openOwnDatabase(patience = 1): Promise<DatabasePool> {
  const database = testDatabase()
  if (database.kind === 'postgres') return connectPostgres(database.app, report, { ...database, patience })
  return connectEmbedded(undefined, report, new Blob([await readFile(database.dump)]))
}

let embedded: Promise<DatabasePool> | undefined

function report(error: Error): void {
  console.error('lost connection', error.message)
}

/** Starts a service on a database, which several may share. If the project has a front, returns that as the service. */
export async function startService(
  db: DatabasePool,
  overrides: Partial<ServiceConfig> = {},
  timeouts = PATIENT,
  bounds = allForOne(db.pool.options.max),
): Promise<TestService> {
  const front = inject('front')
  if (front) return serviceBehind(front.url, db, overrides)
  let clock: Date | undefined
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _, done) {
      lines.push(...String(chunk).trim().split('\n'))
      done()
    },
  })
  const config = {
    ...readServiceConfig(TEST_ENVIRONMENT),
    ...overrides,
  }
  const now = () => clock ?? new Date()
  const clockOfDatabase = () => sql<Date>`${now()}::timestamptz`
  const { app, service } = await createApp({
    db,
    asOwner: (work) => asOwner({ db }, work),
    config,
    now,
    databaseClock: clockOfDatabase,
    logStream: stream,
    timeouts,
    bounds,
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    db,
    app,
    kind: testDatabase().kind,
    turns: () => service.turns,
    log: (answer) => {
      const id = answer?.headers.get('x-request-id')
      return lines.map((line) => JSON.parse(line)).filter(({ request_id }) => !answer || request_id === id)
    },
    setClock: (now) => {
      clock = now
    },
    renew: () => {
      lines.length = 0
      clock = undefined
    },
    close: () => app.close(),
  }
}

/** Returns running processes as a service. Their clock, log and settings are out of reach, and using these throws. */
async function serviceBehind(
  url: string,
  db: DatabasePool,
  overrides: Partial<ServiceConfig>,
): Promise<TestService> {
  const outOfReach = () => {
    throw new Error('the service runs in other processes')
  }
  if (Object.keys(overrides).length > 0) outOfReach()
  const { app } = await createApp({
    db,
    config: readServiceConfig({ ...TEST_ENVIRONMENT, LOG_LEVEL: 'silent' }),
  })
  await app.ready()
  return {
    url,
    db,
    app,
    kind: testDatabase().kind,
    turns: outOfReach,
    log: outOfReach,
    setClock: outOfReach,
    renew: () => undefined,
    close: () => app.close(),
  }
}
