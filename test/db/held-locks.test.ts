// @module-tag long: waits for timeouts of the service; security/slow-clients.test.ts shows that others are served meanwhile

import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import { TIMEOUTS } from '../../src/http/load/deadlines.ts'
import { boundsFor } from '../../src/http/load/fair-queue.ts'
import { startService, useService } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { slot, times } from '../support/races.ts'
import { connectLockHolder, hold, lockAll, stateOf, TABLES, waitUntilBlockedBy } from './lock-holder.ts'
import { aScene, FREE, MONDAY, type Scene, WRITES } from './writes.ts'

const service = useService()
let lockHolder: pg.Client
let another: pg.Client

beforeEach(async () => {
  lockHolder = await connectLockHolder()
  another = await connectLockHolder()
})

afterEach(async () => {
  await Promise.all([lockHolder.end(), another.end()])
})

describe('a lock held by another connection beyond the timeout', () => {
  it.each(TABLES)(
    'on %s makes every write that needs it return 503 and store nothing (F11)',
    async (table) => {
      const scene = await aScene(service())
      const writes = Object.entries(WRITES).filter(([, { needs }]) => needs.includes(table))
      expect(writes).not.toEqual([])
      const before = await stateOf(another, scene)
      await hold(lockHolder, table, scene)
      const answers = await Promise.all(
        writes.map(async ([name, { send }]) => [name, told(await send(scene))] as const),
      )
      await lockHolder.query('rollback')
      expect(Object.fromEntries(answers)).toEqual(
        Object.fromEntries(writes.map(([name]) => [name, '503 unavailable, again in 1 s'])),
      )
      expect(await stateOf(another, scene)).toEqual(before)
    },
  )

  it('on the lesson makes a change that is already being retried return 503', async () => {
    const scene = await aScene(service())
    await hold(lockHolder, 'appointments', scene)
    const answer = await moveBehindChangedCalendars(scene)
    expect(told(await answer)).toBe('503 unavailable, again in 1 s')
    await lockHolder.query('rollback')
  })
})

describe('two conflicting writes', () => {
  it.each([
    ['book a lesson', 'book a lesson'],
    ['book a lesson', 'move a lesson'],
    ['move a lesson', 'book a lesson'],
  ])('run one after the other: "%s", then "%s" with 409 instructor_busy (C24)', async (first, second) => {
    const scene = await aScene(service())
    await hold(lockHolder, 'calendars', scene)
    const ahead = WRITES[first]?.send(scene)
    await waitForBlocked(1)
    const behind = WRITES[second]?.send(scene)
    await waitForBlocked(2)
    await lockHolder.query('rollback')
    expect([200, 201]).toContain((await ahead)?.status)
    expect((await behind)?.body).toMatchObject({ status: 409, code: 'instructor_busy' })
  })
})

it('a school whose requests all wait for locks does not delay another school', async () => {
  const { db } = service()
  const bounds = boundsFor(db.pool.options.max)
  const fair = await startService(db, {}, TIMEOUTS, bounds)
  const [scene, other] = [await aScene(fair), await aScene(fair)]
  await hold(lockHolder, 'calendars', scene)
  const { send } = WRITES['book a lesson'] ?? {}
  const blocked = times(40, () => send?.(scene))
  await waitUntilBlockedBy(lockHolder)
  await vi.waitFor(() => expect(fair.turns().waiting).toBeGreaterThan(0), { timeout: 10_000 })
  expect(fair.turns().running).toBeLessThanOrEqual(bounds.running - bounds.runningOfOne)
  expect((await send?.(other))?.status).toBe(201)
  await lockHolder.query('rollback')
  await Promise.all(blocked)
  expect((await scene.client.get('/auth/me')).status).toBe(200)
  await fair.close()
})

it('a transaction with pipelined statements rejects with the error of the first one that failed', async () => {
  const heardLate = async (failing: Promise<unknown>) => {
    const [outcome] = await Promise.allSettled([failing])
    await setImmediate()
    if (outcome.status === 'rejected') throw outcome.reason
  }
  const failed = inTransaction(service().db, (db) =>
    Promise.all([heardLate(sql`select 1 / 0`.execute(db)), sql`select 1`.execute(db)]),
  )
  await expect(failed).rejects.toMatchObject({ code: '22012' })
})

describe('deadlocks (F12)', () => {
  it('are resolved by retrying the aborted change', async () => {
    const scene = await aScene(service())
    await hold(lockHolder, 'appointments', scene)
    const answer = moveBehindChangedCalendars(scene)
    await waitUntilBlockedBy(lockHolder)
    // The change holds the calendar and waits for the lesson. Now the lock holder completes the deadlock.
    await lockHolder.query(`select from calendars where tenant_id = $1 for update`, [scene.school.tenantId])
    await lockHolder.query('rollback')
    expect((await answer).status).toBe(200)
  })

  it('leave each of 24 concurrent changes with 200, 409 or 503', async () => {
    const scene = await aScene(service())
    const { client, instructors, lesson } = scene
    let isOver = false
    const tangle = async () => {
      while (!isOver) {
        await hold(lockHolder, 'appointments', scene)
        await lockAll(lockHolder, 'calendars', scene)
        await lockHolder.query('rollback')
      }
    }
    const tangling = tangle()
    const answers = await Promise.all(
      times(24, (index) =>
        client.patch(`/appointments/${lesson}`, {
          instructor_id: instructors[index % 2],
          ...slot(MONDAY, 50 * index),
        }),
      ),
    )
    isOver = true
    await tangling
    expect(answers.map(told).filter((one) => !/^(200|409|503 unavailable, again in 1 s)/.test(one))).toEqual(
      [],
    )
  })
})

/** Moves the lesson while its calendars change, so that the move is decided again, under locks. */
async function moveBehindChangedCalendars(scene: Scene): Promise<Answer> {
  const { client, lesson, school } = scene
  await another.query('begin')
  await another.query('update calendars set version = version + 1 where tenant_id = $1', [school.tenantId])
  const answer = client.patch(`/appointments/${lesson}`, FREE)
  await waitUntilBlockedBy(another)
  await another.query('commit')
  return answer
}

/** Waits until `count` connections to this database wait for a lock. */
async function waitForBlocked(count: number): Promise<void> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while (((await another.query(waiting)).rowCount ?? 0) < count);
}

function told({ status, headers, body }: Answer): string {
  const retryAfter = headers.get('retry-after')
  return [`${status} ${body?.code ?? ''}`, retryAfter && `again in ${retryAfter} s`]
    .filter(Boolean)
    .join(', ')
}
