import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectForMaintenance, connectPostgres } from '../../src/db/connection/connect.ts'
import type { DatabasePool } from '../../src/db/connection/pool.ts'
import { spread } from '../../src/db/schema/citus.ts'
import { migrate } from '../../src/db/schema/migrate.ts'
import { TcpProxy } from '../cli/tcp-proxy.ts'
import { startService, type TestService } from '../support/app.ts'
import { findingsIn } from '../support/doctor.ts'
import { aSchool, type School } from '../support/factory.ts'
import { addressOf, execute } from '../support/postgres-database.ts'
import { coordinatorUrl, makeCluster, workersOf } from './cluster.ts'

const name = `fahrplan_test_${randomBytes(6).toString('hex')}`
const owner = addressOf(coordinatorUrl(), { database: name })

let cable: TcpProxy
let service: TestService
let db: DatabasePool

beforeAll(async () => {
  const workers = await workersOf(coordinatorUrl())
  const [first = '', ...others] = workers
  cable = await TcpProxy.to(first)
  await execute(coordinatorUrl(), `create database ${name}`)
  await makeCluster(name, owner, workers, [cable.url, ...others])
  const maintenance = connectForMaintenance(owner, () => undefined)
  await migrate(maintenance)
  await spread(maintenance)
  await maintenance.destroy()
  db = connectPostgres(owner, () => undefined, { isSpread: true })
  service = await startService(db)
})

afterAll(async () => {
  await service?.close()
  await db?.destroy()
  await cable?.close()
  for (const node of [coordinatorUrl(), ...(await workersOf(coordinatorUrl()))]) {
    await execute(node, `drop database if exists ${name} with (force)`)
  }
})

type Booked = { readonly school: School; readonly ids: string[]; readonly answers: Answer[] }
type Answer = { readonly status: number; readonly retryAfter: string | null }

it('losing a worker causes 503 only for its own schools and loses no acknowledged booking', async () => {
  const booked: Booked[] = []
  const away = new Set<string>()
  const areAway = ({ school }: Booked) => away.has(school.tenantId)
  while (booked.filter(areAway).length < 2 || booked.filter((one) => !areAway(one)).length < 2) {
    const school = await aSchool(service)
    booked.push({ school, ids: [], answers: [] })
    if (await isBehind(cable, school.tenantId)) away.add(school.tenantId)
  }

  const load = bookWithoutEnd(booked)
  await load.until(({ ids }) => ids.length >= 3)
  await cable.cut()
  const cutAt = new Map(booked.map((one) => [one, { ids: one.ids.length, answers: one.answers.length }]))
  const since = (one: Booked) => cutAt.get(one) ?? { ids: 0, answers: 0 }
  await load.until((one) =>
    areAway(one)
      ? one.answers.slice(since(one).answers).some(({ status }) => status === 503)
      : one.ids.length >= since(one).ids + 5,
  )
  await cable.restore()
  const mendedAt = new Map(booked.map((one) => [one, one.ids.length]))
  await load.until((one) => one.ids.length >= (mendedAt.get(one) ?? 0) + 3)
  await load.stop()

  for (const one of booked) {
    const refused = one.answers.filter(({ status }) => status !== 201)
    expect(refused.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null)).toEqual([])
    if (!areAway(one)) expect(refused).toEqual([])
    const { body } = await one.school.client.get('/appointments')
    const kept = new Set(body.map(({ id }: { id: string }) => id))
    expect(one.ids.filter((id) => !kept.has(id))).toEqual([])
    expect(await findingsIn(db, one.school.tenantId)).toEqual([])
  }
})

/** Books lesson after lesson for every school, each on a new day, until it is stopped. */
function bookWithoutEnd(booked: readonly Booked[]) {
  let isOver = false
  const loops = booked.map(async ({ school, ids, answers }) => {
    const { id: instructor_id } = await school.instructor()
    for (let day = 0; !isOver; day += 1) {
      const date = new Date(Date.UTC(2030, 0, 7 + day * 7)).toISOString().slice(0, 10)
      const times = { start_at: `${date} 10:00`, end_at: `${date} 10:45` }
      const answer = await school.book({ instructor_id, ...times })
      answers.push({ status: answer.status, retryAfter: answer.headers.get('retry-after') })
      if (answer.status === 201) ids.push(answer.body.id)
    }
  })
  return {
    until: async (isReached: (one: Booked) => boolean) => {
      while (!booked.every(isReached)) await Promise.race([pause(20), ...loops])
    },
    stop: async () => {
      isOver = true
      await Promise.all(loops)
    },
  }
}

async function isBehind({ url }: TcpProxy, tenantId: string): Promise<boolean> {
  const { rows } = await sql`select from citus_shards
    where shardid = get_shard_id_for_distribution_column('appointments', ${tenantId}::uuid)
      and nodeport = ${Number(new URL(url).port)}`.execute(db)
  return rows.length > 0
}
