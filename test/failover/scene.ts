import { afterAll, beforeAll, expect } from 'vitest'
import { type Sandbox, useSandbox } from '../cli/sandbox.ts'
import { type MadeSchool, makeSchool } from '../cli/school.ts'
import type { Answer } from '../support/client.ts'
import { enter, type School } from '../support/factory.ts'
import { makeDatabase } from '../support/postgres-database.ts'
import { type Environment, type Program, until } from '../support/process.ts'
import { makePair, type Pair, type Server } from '../support/server-pair.ts'

/** A service with the addresses of both servers of a pair, and one of its schools. */
export type Scene = Pair & {
  /** The environment of the service and every command: an address without a server, then those of the pair. */
  readonly environment: Environment
  readonly sandbox: Sandbox
  readonly service: Program
  readonly url: string
  readonly school: School
  /** The same school, to `enter` at other services. */
  readonly made: MadeSchool
  /** The name of the database. */
  readonly database: string
}

const NOBODY = '127.0.0.1:1'

/** Starts a pair and a service, and makes a school, for the tests of a file. */
export function useScene(): () => Scene {
  const sandbox = useSandbox()
  let scene: Scene | undefined
  let pair: Pair | undefined
  beforeAll(async () => {
    pair = await makePair()
    const { app, owner, name } = await makeDatabase(pair.north.url)
    const environment = {
      DATABASE_URL: pair.both(app, NOBODY),
      MIGRATION_DATABASE_URL: pair.both(owner, NOBODY),
    }
    const { service, url } = await sandbox.serve(environment)
    const made = await makeSchool(sandbox, environment)
    const school = await enter({ url }, made)
    scene = { ...pair, environment, sandbox, service, url, school, made, database: name }
  })
  afterAll(() => pair?.remove())
  return () => {
    if (!scene) throw new Error('the scene is not set')
    return scene
  }
}

/** Returns the scene's environment with another address for a server. */
export function withPlace(
  { environment }: Scene,
  server: Server,
  { url }: { readonly url: string },
): Environment {
  const moved = Object.entries(environment).map(([name, address]) => [
    name,
    address.replace(server.host, new URL(url).host),
  ])
  return Object.fromEntries(moved)
}

/** Returns the address of the database on one of the servers, whether primary or standby. */
export function addressAt({ environment }: Scene, server: Server): string {
  return (environment.DATABASE_URL ?? '').replace(/(?<=@)[^/]*/, server.host).replace(/\?.*/, '')
}

/** Counts the connections of services to a server. */
export async function connectionsTo(server: Server): Promise<number> {
  return (await server.rows(`select from pg_stat_activity where application_name = 'fahrplan'`)).length
}

/** Makes a primary wait for its standby again. Returns once the standby is synchronous. */
export async function workTogether(primary: Server): Promise<void> {
  await primary.run('together.sql')
  const follows = `select from pg_stat_replication where sync_state = 'quorum'`
  await until(async () => (await primary.rows(follows)).length === 1)
}

/** Expects that the doctor finds nothing in the service's database. */
export async function expectHealthy({ sandbox, environment }: Scene): Promise<void> {
  const { code, out } = await sandbox.run(['doctor', '--json'], environment)
  expect({ code, findings: JSON.parse(out) }).toEqual({ code: 0, findings: [] })
}

export function expectUnavailable({ status, headers, body }: Answer): void {
  expect([status, body.code]).toEqual([503, 'unavailable'])
  expect(headers.get('retry-after')).toMatch(/^\d+$/)
}
