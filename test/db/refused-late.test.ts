// @module-tag long: waits for timeouts of the service; concurrency/limits.test.ts shows the refusals

import type pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { TIMEOUTS } from '../../src/http/load/deadlines.ts'
import { openOwnDatabase, type TestService, useOwnService } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { connectLockHolder, hold, stateOf, TABLES } from './lock-holder.ts'
import { aScene, type Scene, WRITES } from './writes.ts'

/** The timeouts of the next requests: the usual ones, unless a test changes them. */
const timeouts = { ...TIMEOUTS }
/** Both are shorter than the two seconds for which PostgreSQL lets a request wait for a lock. */
const SHORT = { answer: 800 }
const LONG_ENOUGH_TO_BEGIN = { answer: 1_000 }
const service = useOwnService({}, openOwnDatabase, timeouts)
let lockHolder: pg.Client

beforeEach(async () => {
  Object.assign(timeouts, TIMEOUTS)
  lockHolder = await connectLockHolder()
})
afterEach(() => lockHolder.end())

/** Waits until no connection to the database is in use. */
async function untilIdle({ db: { pool } }: TestService): Promise<void> {
  await vi.waitFor(() => expect([pool.waitingCount, pool.idleCount]).toEqual([0, pool.totalCount]), {
    timeout: 20_000,
  })
}

const told = ({ status, body }: Answer) => `${status} ${body?.code ?? ''}`

describe('a write that exceeds the response timeout', () => {
  it.each(TABLES)('gets 503 and is not performed later, when the lock on %s is released', async (table) => {
    const scene = await aScene(service())
    const writes = Object.entries(WRITES).filter(([, { needs }]) => needs.includes(table))
    const before = await stateOf(lockHolder, scene)
    await hold(lockHolder, table, scene)
    Object.assign(timeouts, SHORT)
    const answers = await Promise.all(
      writes.map(async ([name, { send }]) => [name, told(await send(scene))] as const),
    )
    await lockHolder.query('rollback')
    expect(Object.fromEntries(answers)).toEqual(
      Object.fromEntries(writes.map(([name]) => [name, '503 unavailable'])),
    )
    await untilIdle(service())
    expect(await stateOf(lockHolder, scene)).toEqual(before)
  })

  it('leaves a deleted student deleted and can be sent again', async () => {
    const scene: Scene = await aScene(service())
    const { client, deletedStudent: id } = scene
    await hold(lockHolder, 'calendars', scene)
    Object.assign(timeouts, SHORT)
    expect(told(await client.post(`/students/${id}/restore`))).toBe('503 unavailable')
    await lockHolder.query('rollback')
    Object.assign(timeouts, TIMEOUTS)
    await untilIdle(service())
    expect((await client.get(`/students/${id}`)).status).toBe(404)
    expect((await client.post(`/students/${id}/restore`)).body.restored).toHaveLength(1)
  })

  it('returns its outcome if its commit had already begun', async () => {
    const scene = await aScene(service())
    await hold(lockHolder, 'calendars', scene)
    Object.assign(timeouts, LONG_ENOUGH_TO_BEGIN)
    const booked = WRITES['book a lesson']?.send(scene)
    // This request is sent later, so it times out later.
    expect(told(await scene.client.post(`/students/${scene.deletedStudent}/restore`))).toBe('503 unavailable')
    await lockHolder.query('rollback')
    expect((await booked)?.status).toBe(201)
  })
})
