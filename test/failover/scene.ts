import { afterAll, beforeAll, expect } from 'vitest'
import { makeSchool } from '../cli/school.ts'
import { useWorkshop, type Workshop } from '../cli/workshop.ts'
import type { Answer } from '../support/client.ts'
import { enter, type School } from '../support/factory.ts'
import { makeDatabase } from '../support/postgres-database.ts'
import type { Environment, Program } from '../support/process.ts'
import { makePair, type Pair } from '../support/server-pair.ts'

/** A service that knows both servers of a pair, and one of its schools. */
export type Scene = Pair & {
  /** What the service and every command are given: an address where nobody is, and then those of the pair. */
  readonly environment: Environment
  readonly workshop: Workshop
  readonly service: Program
  readonly url: string
  readonly school: School
  /** The name of the database. */
  readonly database: string
}

const NOBODY = '127.0.0.1:1'

/** A pair, a service and a school for the tests of a file. */
export function useScene(): () => Scene {
  const workshop = useWorkshop()
  let scene: Scene | undefined
  let pair: Pair | undefined
  beforeAll(async () => {
    pair = await makePair()
    const { app, owner, name } = await makeDatabase(pair.north.url)
    const environment = {
      DATABASE_URL: pair.both(app, NOBODY),
      MIGRATION_DATABASE_URL: pair.both(owner, NOBODY),
    }
    const { service, url } = await workshop.serve(environment)
    const school = await enter({ url }, await makeSchool(workshop, environment))
    scene = { ...pair, environment, workshop, service, url, school, database: name }
  })
  afterAll(() => pair?.remove())
  return () => {
    if (!scene) throw new Error('the scene is not set')
    return scene
  }
}

/** Runs the doctor where the service is; it finds nothing. */
export async function expectHealthy({ workshop, environment }: Scene): Promise<void> {
  const { code, out } = await workshop.run(['doctor', '--json'], environment)
  expect({ code, findings: JSON.parse(out) }).toEqual({ code: 0, findings: [] })
}

export function expectUnavailable({ status, headers, body }: Answer): void {
  expect([status, body.code]).toEqual([503, 'unavailable'])
  expect(headers.get('retry-after')).toMatch(/^\d+$/)
}
