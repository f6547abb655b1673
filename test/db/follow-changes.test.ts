import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Change } from '../../src/contract/change.ts'
import { randomIntegers, SEED } from '../concurrency/random-integers.ts'
import { useService } from '../support/app.ts'
import { changesOf, Follower, historyOf, idsIn } from '../support/changes.ts'
import { postgresDatabase } from '../support/database.ts'
import { aSchool, type School } from '../support/factory.ts'
import { times } from '../support/races.ts'

const service = useService()
let open: pg.Client[]

beforeAll(async () => {
  open = times(6, () => new pg.Client({ connectionString: postgresDatabase().owner }))
  await Promise.all(open.map((client) => client.connect()))
})

afterAll(async () => {
  await Promise.all(open.map((client) => client.end()))
})

function connection(index: number): pg.Client {
  const client = open[index]
  if (!client) throw new Error(`there is no connection ${index}`)
  return client
}

/** Writes changes of students, `count` of them, in the open transaction, if there is one. Returns their ids. */
async function write(client: pg.Client, { tenantId }: School, count = 1): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string }>(
    `insert into changes (tenant_id, id, actor_kind, actor_name, resource, resource_id, action, set_id)
     select $1, gen_random_uuid(), 'system', 'x', 'student', gen_random_uuid(), 'changed', gen_random_uuid()
     from generate_series(1, $2) returning id`,
    [tenantId, count],
  )
  return rows.map(({ id }) => id)
}

describe('a change that is committed late', () => {
  it('is delivered once, after changes that were written later', async () => {
    const school = await aSchool(service())
    const follower = await Follower.begin(school.client)
    const late = connection(0)
    await late.query('begin')
    const [id] = await write(late, school)
    for (const _ of [1, 2]) {
      const student = await school.student()
      expect((await follower.poll()).map(({ resource_id }) => resource_id)).toEqual([student.id])
    }
    expect(await follower.poll()).toEqual([])
    await late.query('commit')
    expect(idsIn(await follower.poll())).toEqual([id])
    expect(await follower.poll()).toEqual([])
  })

  it('is delivered to a follower that began after the transaction was assigned its id', async () => {
    const school = await aSchool(service())
    const late = connection(0)
    await late.query('begin')
    await late.query('select pg_current_xact_id()')
    await school.student()
    const follower = await Follower.begin(school.client)
    await late.query('savepoint inner_part')
    const [id] = await write(late, school)
    await late.query('release savepoint inner_part')
    expect(await follower.poll()).toEqual([])
    await late.query('commit')
    expect(idsIn(await follower.poll())).toEqual([id])
  })

  it('is never delivered if it is rolled back', async () => {
    const school = await aSchool(service())
    const follower = await Follower.begin(school.client)
    await connection(0).query('begin')
    await write(connection(0), school)
    expect(await follower.poll()).toEqual([])
    await connection(0).query('rollback')
    await school.student()
    expect(await follower.poll()).toHaveLength(1)
    expect(await changesOf(school.client, '?resource=student')).toHaveLength(1)
  })

  it('reaches followers that connected before a restart', async () => {
    const school = await aSchool(service())
    const { cursor } = await Follower.begin(school.client)
    const [, at, seen] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const elsewhere = Buffer.from(JSON.stringify(['2020-01-01T00:00:00.000Z', at, seen])).toString(
      'base64url',
    )
    const follower = Follower.from(school.client, elsewhere)
    await connection(0).query('begin')
    const [id] = await write(connection(0), school)
    const known = new Set(idsIn(await follower.poll()))
    expect(known).not.toContain(id)
    await connection(0).query('commit')
    expect(idsIn(await follower.poll())).toEqual([id])
  })

  it(`is delivered once in any order of begins, writes, commits and polls (RACE_SEED=${SEED})`, async () => {
    const school = await aSchool(service())
    const random = randomIntegers(SEED)
    const follower = await Follower.begin(school.client)
    const isOpen = open.map(() => false)
    const [written, told]: [string[], Change[]] = [[], []]
    for (const _ of times(300, Number)) {
      const index = random(open.length)
      const client = connection(index)
      if (!isOpen[index]) {
        await client.query('begin')
        isOpen[index] = true
      }
      if (random(3)) written.push(...(await write(client, school)))
      if (random(4) === 0) {
        await client.query('commit')
        isOpen[index] = false
      }
      if (random(2)) told.push(...(await follower.poll()))
    }
    await Promise.all(open.map((client) => client.query('commit')))
    told.push(...(await follower.poll()))
    expect(idsIn(told)).toEqual(written.toSorted())
  })
})

it(`paged polling misses no change while others write and commit late (RACE_SEED=${SEED})`, async () => {
  const school = await aSchool(service())
  const random = randomIntegers(SEED)
  const follower = await Follower.begin(school.client)
  const written: string[] = []
  const told = new Set<string>()
  await Promise.all(open.map((client) => client.query('begin')))
  // Each client has written some changes of the first pages, and commits between two pages.
  for (const client of open) written.push(...(await write(client, school, 20)))
  written.push(...(await inOne(connection(5), school, 1400)))
  for (const index of times(12, Number)) {
    for (const { id } of await follower.poll()) told.add(id)
    const client = connection(index % 5)
    written.push(...(await write(client, school, 1 + random(150))))
    if (index < 7) await client.query('commit; begin')
  }
  await Promise.all(open.map((client) => client.query('commit')))
  for (const { id } of await follower.pollToTheEnd()) told.add(id)
  expect([...told].toSorted()).toEqual(written.toSorted())
})

async function inOne(client: pg.Client, school: School, count: number): Promise<readonly string[]> {
  const ids = await write(client, school, count)
  await client.query('commit; begin')
  return ids
}

it('reading changes waits for no lock held by a writer', async () => {
  const school = await aSchool(service())
  const { id } = await school.student()
  const follower = await Follower.begin(school.client)
  await school.client.patch(`/students/${id}`, { phone: '112' })
  const writer = connection(0)
  await writer.query('begin')
  try {
    for (const table of ['calendars', 'students', 'lesson_types', 'users', 'changes'])
      await writer.query(`select from ${table} where tenant_id = $1 for update`, [school.tenantId])
    await writer.query('select from tenants where id = $1 for update', [school.tenantId])
    await write(writer, school)
    // A reader that waited would get 503, because the locks are released only after all responses.
    expect(await follower.poll()).toMatchObject([{ resource_id: id, after: { phone: '112' } }])
    expect(await changesOf(school.client, '?resource=student')).toHaveLength(2)
    expect(await historyOf(school.client, `/students/${id}`)).toHaveLength(2)
  } finally {
    await writer.query('rollback')
  }
})
