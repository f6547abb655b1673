import { beforeAll, expect, it } from 'vitest'
import { statusOf } from '../support/client.ts'
import { until } from '../support/process.ts'
import { slot } from '../support/races.ts'
import { connectionsTo, expectHealthy, expectUnavailable, useScene, workTogether } from './scene.ts'

const scene = useScene()
let instructor_id = ''
let booked = 0

/** North fails, south is promoted, and north restarts as a second primary before the service is used again. */
beforeAll(async () => {
  const { north, south, school } = scene()
  instructor_id = (await school.instructor()).id
  await book()
  await north.crash()
  await south.run('promote.sql')
  await north.start()
  expect(await north.rows('select pg_is_in_recovery() as is_standby')).toEqual([{ is_standby: false }])
})

it('a replaced primary that comes back is used by neither running nor new processes', async () => {
  const { north, south, sandbox, environment } = scene()
  await book()
  const another = await sandbox.serve(environment)
  expect(await statusOf(another.url, '/readyz')).toBe(200)
  expect(await connectionsTo(south)).toBeGreaterThan(1)
  expect(await connectionsTo(north)).toBe(0)
  await expectHealthy(scene())
  await another.service.stop()
})

it('a replaced primary is not used even while its successor is down', async () => {
  const { south, school, url } = scene()
  await south.crash()
  expect(await statusOf(url, '/readyz')).toBe(503)
  expectUnavailable(await school.client.get('/appointments'))
  await south.start()
  await book()
})

it('a replaced primary acknowledges no write without a standby', async () => {
  const { north, database } = scene()
  const written = north.rows(`update tenants set name = 'Nobody has acknowledged this'`, database).then(
    () => 'acknowledged',
    () => 'lost',
  )
  const waiting = `select from pg_stat_activity where wait_event = 'SyncRep'`
  await until(async () => (await north.rows(waiting)).length === 1)
  await north.crash()
  expect(await written).toBe('lost')
})

it('a replaced primary that became the standby takes over in the next failover', async () => {
  const { north, south } = scene()
  await north.copyFrom(south)
  await north.start()
  await workTogether(south)
  await book()
  await south.crash()
  await north.run('promote.sql')
  await isReady()
  await book()
  expect(await connectionsTo(north)).toBeGreaterThan(0)
  await expectHealthy(scene())
  expect(scene().service.isRunning).toBe(true)
})

/** Books another lesson. Expects all earlier ones to be stored. */
async function book(): Promise<void> {
  const { school } = scene()
  const { status } = await school.book({ instructor_id, ...slot('2041-01-07', 50 * booked) })
  expect(status).toBe(201)
  booked += 1
  expect((await school.client.get('/appointments')).body).toHaveLength(booked)
}

async function isReady(): Promise<void> {
  await until(async () => (await statusOf(scene().url, '/readyz')) === 200)
}
