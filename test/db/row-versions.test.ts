import { afterAll, beforeAll, expect, it } from 'vitest'
import { aLife } from '../support/a-life.ts'
import { useService } from '../support/app.ts'
import { postgresDatabase } from '../support/database.ts'
import { forgetVersions, requireVersions } from '../support/row-versions.ts'
import { live } from '../support/school-life.ts'

const service = useService()

beforeAll(() => requireVersions(postgresDatabase().owner))
afterAll(() => forgetVersions(postgresDatabase().owner))

it('every write that changes a field of a list increments the version of its row', async () => {
  let requests = 0
  for await (const _ of live(service(), await aLife(service()))) requests += 1
  expect(requests).toBeGreaterThan(200)
  const errors = service()
    .log()
    .flatMap(({ err }) => err ?? [])
  expect(errors).toEqual([])
}, 120_000)
