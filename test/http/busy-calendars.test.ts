import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { Client, must } from '../support/client.ts'
import { aSchool, aUser, logIn, type Row, type School } from '../support/factory.ts'
import { bearer } from '../support/session.ts'

const service = useService()
let school: School
let jonas: Row
let path: string

const URL = 'https://203.0.113.7/kanarienvogel/basic.ics?key=kanarienvogel'
const add = async (fields: object = {}, at = path): Promise<Row> =>
  must(201, await school.client.post(at, { name: 'Private', url: URL, ...fields }))
const list = async (at = path): Promise<Row[]> => must(200, await school.client.get(at))

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor()
  path = `/instructors/${jonas.id}/busy-calendars`
})

async function userOf(role: 'office' | 'instructor', instructor_id?: string): Promise<Client> {
  const { email } = await aUser(service(), school.tenantId, { role, instructor_id })
  return new Client(service(), bearer((await logIn(new Client(service()), email)).token))
}

describe('busy calendars', () => {
  it('can be added, listed and deleted, and show only the host of their address', async () => {
    const made = await add()
    expect(made).toEqual({
      id: made.id,
      name: 'Private',
      url: '203.0.113.7',
      state: 'waiting',
      last_read_at: null,
      failure: null,
    })
    const second = await add({ name: 'Club', url: 'https://203.0.113.8:8443/' })
    expect(second.url).toBe('203.0.113.8:8443')
    expect(await list()).toEqual([made, second])
    expect((await school.client.delete(`${path}/${made.id}`)).status).toBe(204)
    expect((await school.client.delete(`${path}/${made.id}`)).status).toBe(404)
    expect(await list()).toEqual([second])
  })

  it('are added once per Idempotency-Key', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const body = { name: 'Private', url: URL }
    const first = await school.client.post(path, body, key)
    const again = await school.client.post(path, body, key)
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await list()).toHaveLength(1)
    const other = await school.client.post(path, { ...body, url: `${URL}2` }, key)
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused'])
  })

  it('keep their address out of the database in plain text, the log, the history and the export', async () => {
    const made = await add()
    expect((await school.client.delete(`${path}/${made.id}`)).status).toBe(204)
    await add()
    const answer = await school.client.get(`/changes?resource_id=${made.id}`)
    expect(must(200, answer)).toMatchObject([
      { resource: 'busy_calendar', action: 'deleted', before: { url: '203.0.113.7' }, after: null },
      { action: 'created', after: { instructor_id: jonas.id, name: 'Private', url: '203.0.113.7' } },
    ])
    const { rows } = await sql<{ row: string }>`
      select row_to_json(one)::text as row from busy_calendars one where tenant_id = ${school.tenantId}
      union all select row_to_json(one)::text from idempotency_keys one where tenant_id = ${school.tenantId}`.execute(
      service().db,
    )
    const log = service()
      .log()
      .map((line) => JSON.stringify(line))
    for (const text of [answer.text, ...rows.map(({ row }) => row), ...log])
      expect(text).not.toMatch(/kanarienvogel|6b616e617269/)
  })

  it('are open to the owner, the office and the instructor, to no other instructor', async () => {
    const mia = await school.instructor()
    const [office, own, other] = [
      await userOf('office'),
      await userOf('instructor', jonas.id),
      await userOf('instructor', mia.id),
    ]
    for (const client of [office, own]) {
      const made = must(201, await client.post(path, { name: 'Mine', url: URL }))
      expect(must(200, await client.get(path))).toEqual([made])
      expect((await client.delete(`${path}/${made.id}`)).status).toBe(204)
    }
    const made = await add()
    expect((await other.post(path, { name: 'Mine', url: URL })).status).toBe(404)
    expect((await other.get(path)).status).toBe(404)
    expect((await other.delete(`${path}/${made.id}`)).status).toBe(404)
    expect(await list()).toEqual([made])
  })

  it("belong to one instructor: another's, another school's and malformed ids get 404 and change nothing", async () => {
    const made = await add()
    const mia = await school.instructor()
    const foreign = await aSchool(service())
    const theirs = await foreign.instructor()
    const theirPath = `/instructors/${theirs.id}/busy-calendars`
    const their = must(201, await foreign.client.post(theirPath, { name: 'Theirs', url: URL }))
    for (const address of [
      `/instructors/${mia.id}/busy-calendars/${made.id}`,
      `${path}/${their.id}`,
      `${theirPath}/${their.id}`,
      `${theirPath}/${made.id}`,
      `${path}/${randomUUID()}`,
      `${path}/x`,
      `/instructors/x/busy-calendars/${made.id}`,
    ])
      expect([address, (await school.client.delete(address)).status]).toEqual([address, 404])
    expect((await school.client.get(theirPath)).status).toBe(404)
    expect((await school.client.post(theirPath, { name: 'x', url: URL })).status).toBe(404)
    expect(await list()).toEqual([made])
    expect(must(200, await foreign.client.get(theirPath))).toEqual([their])
  })

  it('are limited to five of an instructor', async () => {
    for (let count = 0; count < 5; count += 1) await add()
    const { status, body } = await school.client.post(path, { name: 'Sixth', url: URL })
    expect([status, body.errors[0].code]).toEqual([400, 'too_many'])
    const mia = await school.instructor()
    await add({}, `/instructors/${mia.id}/busy-calendars`)
  })

  it('are limited to five also if added at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => school.client.post(path, { name: 'Private', url: URL })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 201, 201, 400, 400, 400])
  })

  it('refuse addresses that a webhook could not have', async () => {
    const table: readonly (readonly [string, string])[] = [
      ['http://203.0.113.7/', 'invalid_format'],
      ['webcal://203.0.113.7/', 'invalid_format'],
      ['file:///etc/passwd', 'invalid_format'],
      ['https://user:secret@203.0.113.7/', 'not_allowed'],
      ...['127.0.0.1', '0x7f.1', '10.0.0.1', '169.254.169.254', '192.168.1.1', '[::1]', '[fd00::1]'].map(
        (host) => [`https://${host}/`, 'no_public_address'] as const,
      ),
      ['https://localhost/', 'no_public_address'],
    ]
    for (const [url, code] of table) {
      const { status, body } = await school.client.post(path, { name: 'Private', url })
      expect([url, status, body.errors?.[0]]).toMatchObject([url, 400, { pointer: '/url', code }])
    }
    for (const body of [
      { url: URL },
      { name: '', url: URL },
      { name: 'x' },
      { name: 'x', url: URL, state: 'ok' },
    ])
      expect((await school.client.post(path, body)).status).toBe(400)
    expect(await list()).toEqual([])
  })
})

describe('GET /busy-times', () => {
  it('lists the instructors with calendars, to an instructor only the own times', async () => {
    const mia = await school.instructor()
    await school.instructor()
    await add()
    await add({}, `/instructors/${mia.id}/busy-calendars`)
    const blank = { is_failing: false, times: [] }
    const ids = [jonas.id, mia.id].toSorted()
    expect(must(200, await school.client.get('/busy-times'))).toEqual(
      ids.map((instructor_id) => ({ instructor_id, ...blank })),
    )
    const own = await userOf('instructor', jonas.id)
    expect(must(200, await own.get('/busy-times'))).toEqual([{ instructor_id: jonas.id, ...blank }])
    must(200, await school.client.patch('/tenant', { busy_calendars: 'ignore' }))
    expect(must(200, await school.client.get('/busy-times'))).toEqual([])
  })

  it('returns 400 unless the last day is at most 92 days after the first', async () => {
    for (const [query, status] of [
      ['?from=2031-06-02&to=2031-09-02', 200],
      ['?from=2031-06-02&to=2031-09-03', 400],
      ['?from=2031-06-02&to=2031-06-01', 400],
      ['?from=2031-06-31', 400],
    ] as const)
      expect([query, (await school.client.get(`/busy-times${query}`)).status]).toEqual([query, status])
  })
})
