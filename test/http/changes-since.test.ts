// @module-tag embedded: following reads what transactions have committed

import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { changesOf, Follower, idsIn } from '../support/changes.ts'
import { Client } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()

type Values = [server: string, at: string, seen: string, ...piece: string[]]

function valuesIn(cursor: string): Values {
  return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
}

function cursorOf(...values: Values): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/** Writes changes as if `count` students had been changed that long ago in one transaction. Returns their ids. */
async function writeChanges(
  { tenantId }: School,
  count: number,
  ago = '0 seconds',
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into changes (tenant_id, id, at, actor_kind, actor_name, resource, resource_id, action, set_id)
    select ${tenantId}, gen_random_uuid(), clock_timestamp() - ${ago}::interval, 'system', 'x', 'student',
      gen_random_uuid(), 'changed', gen_random_uuid() from generate_series(1, ${count}::integer)
    returning id`.execute(service().db)
  return idsIn(rows)
}

describe('GET /changes/since', () => {
  it('starts empty, then returns each change once, as in GET /changes', async () => {
    const school = await aSchool(service())
    await school.student()
    const follower = await Follower.begin(school.client)
    expect(await follower.poll()).toEqual([])
    const told: unknown[] = []
    for (const phone of ['1', '2', '3']) {
      const { id } = await school.student()
      await school.client.patch(`/students/${id}`, { phone })
      told.push(...(await follower.poll()))
      expect(await follower.poll()).toEqual([])
    }
    expect(told).toEqual((await changesOf(school.client, '?resource=student')).slice(0, 6).toReversed())
  })

  it('returns fewer than 300 bytes if nothing has changed', async () => {
    const { client } = await aSchool(service())
    const { cursor } = await Follower.begin(client)
    const { text, headers } = await client.get(`/changes/since?cursor=${cursor}`)
    // A snapshot lists the transactions of the whole server, those of other tests too.
    const [server, at] = valuesIn(JSON.parse(text).cursor)
    const withoutOthers = { ...JSON.parse(text), cursor: cursorOf(server, at, '999999999:999999999:') }
    expect(JSON.stringify(withoutOthers).length).toBeLessThan(300)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('returns the changes after a cursor each time the cursor is used', async () => {
    const school = await aSchool(service())
    const cursors = []
    for (const last_name of ['A', 'B', 'C']) {
      cursors.push((await Follower.begin(school.client)).cursor)
      await school.student({ last_name })
    }
    const all = (await changesOf(school.client, '?resource=student')).toReversed()
    for (const _ of [1, 2])
      for (const [at, cursor] of cursors.entries())
        expect(await Follower.from(school.client, cursor).poll()).toEqual(all.slice(at))
  })

  it("returns nothing of another school, even for that school's cursor", async () => {
    const [ours, theirs] = [await aSchool(service()), await aSchool(service())]
    const [follower, spy] = [await Follower.begin(ours.client), await Follower.begin(theirs.client)]
    await theirs.student()
    expect(await follower.poll()).toEqual([])
    expect(await Follower.from(ours.client, spy.cursor).poll()).toEqual([])
    expect(await spy.poll()).toHaveLength(1)
  })

  it('returns 401 without a login', async () => {
    expect((await new Client(service()).get('/changes/since')).status).toBe(401)
  })
})

describe('many changes', () => {
  it.each([499, 500, 501, 1000, 1001, 1702])(
    '%i are returned in pages of 500, each exactly once',
    async (count) => {
      const school = await aSchool(service())
      const follower = await Follower.begin(school.client)
      // Several of so many changes share a millisecond.
      const written = await writeChanges(school, count)
      const sizes: number[] = []
      const told: string[] = []
      do {
        const piece = await follower.poll()
        sizes.push(piece.length)
        told.push(...idsIn(piece))
      } while (sizes.at(-1) === 500)
      expect(told.toSorted()).toEqual(written)
      expect(sizes).toEqual([...Array(Math.floor(count / 500)).fill(500), count % 500])
      expect(await follower.poll()).toEqual([])
    },
  )

  it('continue without loss after a page is requested twice', async () => {
    const school = await aSchool(service())
    const follower = await Follower.begin(school.client)
    const written = await writeChanges(school, 1200)
    const first = await follower.poll()
    const { cursor } = follower
    const [second, again] = [await follower.poll(), await Follower.from(school.client, cursor).poll()]
    expect(again).toEqual(second)
    expect(idsIn([...first, ...second, ...(await follower.poll())])).toEqual(written)
  })

  it('include those written between two pages', async () => {
    const school = await aSchool(service())
    const follower = await Follower.begin(school.client)
    const written = [...(await writeChanges(school, 900))]
    const told = [...(await follower.poll())]
    // This change is earlier than the last one in the page.
    written.push(...(await writeChanges(school, 1, '30 seconds')), ...(await writeChanges(school, 700)))
    told.push(...(await follower.pollToTheEnd()))
    expect(idsIn([...new Map(told.map((one) => [one.id, one])).values()])).toEqual(written.toSorted())
  })
})

describe('a cursor from before a restart of the database server', () => {
  const BEFORE = '2020-01-01T00:00:00.000Z'

  it('returns the changes written since, whatever its snapshot contains', async () => {
    const school = await aSchool(service())
    const early = await writeChanges(school, 3, '10 minutes')
    const [, at] = valuesIn((await Follower.begin(school.client)).cursor)
    const late = await writeChanges(school, 3)
    for (const seen of ['1:1:', '700:900:701,800', '9000000000000000000:9000000000000000000:']) {
      const follower = Follower.from(school.client, cursorOf(BEFORE, at, seen))
      const told = idsIn(await follower.poll())
      expect(late.filter((id) => !told.includes(id))).toEqual([])
      expect(early.filter((id) => told.includes(id))).toEqual([])
      expect(await follower.poll()).toEqual([])
    }
  })

  it('returns 1,100 changes in pages, and a late change that belongs to an earlier page', async () => {
    const school = await aSchool(service())
    const [, at, seen] = valuesIn((await Follower.begin(school.client)).cursor)
    const written = [...(await writeChanges(school, 1100))]
    const follower = Follower.from(school.client, cursorOf(BEFORE, at, seen))
    const told = [...(await follower.poll())]
    written.push(...(await writeChanges(school, 1, '30 seconds')))
    told.push(...(await follower.pollToTheEnd()))
    const known = new Set(told.map(({ id }) => id))
    expect(written.filter((id) => !known.has(id))).toEqual([])
  })

  it('returns a late change even if the server restarts between two pages', async () => {
    const school = await aSchool(service())
    const [, at, seen] = valuesIn((await Follower.begin(school.client)).cursor)
    const follower = await Follower.begin(school.client)
    await writeChanges(school, 600)
    await follower.poll()
    const [server, , , ...piece] = valuesIn(follower.cursor)
    const late = await writeChanges(school, 1, '30 seconds')
    // As if the pages had begun long ago, on the previous server. Five minutes are more than the margin.
    const longAgo = new Date(Date.parse(piece[3] ?? '') - 300_000).toISOString()
    const slow = cursorOf(server, at, seen, piece[0] ?? '', piece[1] ?? '', BEFORE, longAgo, piece[4] ?? '')
    const told = await Follower.from(school.client, slow).pollToTheEnd()
    expect(idsIn(told)).toEqual(expect.arrayContaining([...late]))
  })
})
