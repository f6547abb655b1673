import { randomUUID } from 'node:crypto'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { connectForMaintenance } from '../../src/db/connection/connect.ts'
import { TcpProxy } from '../cli/tcp-proxy.ts'
import { statusOf } from '../support/client.ts'
import { until } from '../support/process.ts'
import { slot } from '../support/races.ts'
import { addressAt, expectHealthy, expectUnavailable, useScene, workTogether } from './scene.ts'

const scene = useScene()
let booked = 0

afterEach(() => expect(scene().service.isRunning).toBe(true))

it('the doctor examines a standby, but rejects it as read-only if the address requires a primary', async () => {
  const { south, sandbox, environment } = scene()
  const onStandby = { DATABASE_URL: addressAt(scene(), south) }
  const { code, out } = await sandbox.run(['doctor', '--json'], onStandby)
  expect([code, JSON.parse(out)]).toEqual([0, []])
  const only = { ...environment, DATABASE_URL: `${onStandby.DATABASE_URL}?target_session_attrs=read-write` }
  const refused = await sandbox.run(['doctor', '--json'], only)
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(`${south.host}: read-only`)])
})

it('a pool with both servers uses the primary, and rejects queries once it is destroyed', async () => {
  const db = connectForMaintenance(scene().environment.DATABASE_URL ?? '', console.error)
  const { rows } = await db.pool.query('select pg_is_in_recovery() as is_standby')
  expect(rows).toEqual([{ is_standby: false }])
  await db.destroy()
  await expect(db.pool.connect()).rejects.toThrow('after calling end')
  await expect(db.pool.query('select')).rejects.toThrow('after calling end')
})

it('an address that alternates between both servers is rejected with 08001', async () => {
  const { north, south } = scene()
  const name = await TcpProxy.to(north.url)
  onTestFinished(() => name.close())
  name.leadTo(north.url, south.url)
  const address = new URL(addressAt(scene(), north))
  address.host = new URL(name.url).host
  const db = connectForMaintenance(`${address}?target_session_attrs=read-write`, console.error)
  await expect(db.pool.connect()).rejects.toMatchObject({ code: '08001' })
  name.leadTo(north.url)
  expect((await db.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await db.destroy()
})

it('a primary without its standby serves reads, but acknowledges writes only after alone.sql', async () => {
  const { north, south, school } = scene()
  const { id: instructor_id } = await school.instructor()
  await south.crash()
  const lesson = { instructor_id, ...slot('2041-01-07', 60 * booked++) }
  const key = { 'idempotency-key': randomUUID() }
  expectUnavailable(await school.book(lesson, key))
  expect((await school.client.get('/instructors')).status).toBe(200)
  await north.run('alone.sql')
  await until(async () => (await school.book(lesson, key)).status === 201)
  expect((await school.client.get('/appointments')).body).toHaveLength(1)
  await expectHealthy(scene())

  await south.start()
  await workTogether(north)
  expect((await school.book({ instructor_id, ...slot('2041-01-07', 60 * booked++) })).status).toBe(201)
})

it('requests get 503 while both servers are down, and succeed once the primary is back', async () => {
  const { north, south, school, url, sandbox, environment } = scene()
  await Promise.all([north.crash(), south.crash()])
  expect(await statusOf(url, '/healthz')).toBe(200)
  expect(await statusOf(url, '/readyz')).toBe(503)
  for (const path of ['/students', '/bootstrap', '/appointments'])
    expectUnavailable(await school.client.get(path))
  const command = await sandbox.run(['tenant', 'list'], environment)
  expect(command.code).toBe(1)
  expect(command.err).toContain(`${north.host}: `)
  expect(command.err).toContain(`${south.host}: `)
  expect(command.err).not.toContain(new URL(north.url).password)

  await south.start()
  expect(await statusOf(url, '/readyz')).toBe(503)
  expectUnavailable(await school.client.get('/students'))
  await north.start()
  await until(async () => (await statusOf(url, '/readyz')) === 200)
  expect((await school.client.get('/appointments')).body).toHaveLength(booked)
  await expectHealthy(scene())
  await workTogether(north)
})

it('a primary that becomes read-only is not used until it accepts writes again', async () => {
  const { north, school, url } = scene()
  await takeWrites(false)
  expectUnavailable(await school.client.post('/students', { first_name: 'Lena', last_name: 'Vogt' }))
  expect(await statusOf(url, '/readyz')).toBe(503)
  expectUnavailable(await school.client.get('/students'))
  await takeWrites(true)
  expect((await school.client.post('/students', { first_name: 'Lena', last_name: 'Vogt' })).status).toBe(201)
  expect(await statusOf(url, '/readyz')).toBe(200)

  async function takeWrites(does: boolean): Promise<void> {
    await north.rows(`alter system set default_transaction_read_only = ${does ? 'off' : 'on'}`)
    await north.rows('select pg_reload_conf()')
    const now = async () => (await north.rows('show transaction_read_only'))[0]?.transaction_read_only
    await until(async () => (await now()) === (does ? 'off' : 'on'))
  }
})
