import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { entriesOf } from '../support/read-inbox.ts'
import { addCalendar, calendarOf, calendarWith, makeDue, timesOf, useReaders } from './readers.ts'

const service = useService()
const { hire, serve } = useReaders(service)
let school: School
let jonas: Row

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor()
})

const stateOf = async () => (await calendarOf(school, jonas))?.state
const ok = (text: string, headers = {}) => ({ status: 200, headers, body: text })

/** Waits for the next reading of a calendar that is due. */
async function readAgain(made: Row): Promise<Row | undefined> {
  const { db } = service()
  const query = db.selectFrom('busy_calendars').select(['turn', 'next_read_at']).where('id', '=', made.id)
  const { turn } = await query.executeTakeFirstOrThrow()
  await makeDue(service(), made)
  await expect
    .poll(async () => {
      const row = await query.executeTakeFirstOrThrow()
      return row.turn > turn && row.next_read_at.getTime() > Date.now() + LONGEST_CLAIM_MS
    })
    .toBe(true)
  return calendarOf(school, jonas)
}

const LONGEST_CLAIM_MS = 300_000

describe('a busy calendar', () => {
  it('is read soon: its times are kept, and nothing else of its entries', async () => {
    const server = await serve(() => ok(calendarWith('10:00–11:00', '14:15–15:00')))
    await addCalendar(service(), school, jonas, `${server.url}?key=1`)
    hire()
    await expect.poll(stateOf).toBe('ok')
    expect(await calendarOf(school, jonas)).toMatchObject({ failure: null, last_read_at: expect.any(String) })
    // Berlin is two hours ahead of UTC.
    expect(await timesOf(school, jonas)).toEqual(['12:00–13:00', '16:15–17:00'])
    const { db } = service()
    const rows = [
      await db.selectFrom('busy_calendars').selectAll().execute(),
      await db.selectFrom('busy_times').selectAll().where('tenant_id', '=', school.tenantId).execute(),
    ]
    expect(JSON.stringify(rows)).not.toContain('Kanarienvogel')
    expect(server.received[0]?.path).toBe('/hook?key=1')
    expect(server.received).toHaveLength(1)
  })

  it('moves its times when the zone of the school is corrected, and is read again for that zone', async () => {
    const day = 'BEGIN:VEVENT\r\nUID:day\r\nDTSTART;VALUE=DATE:20310603\r\nEND:VEVENT\r\n'
    const text = calendarWith('10:00–11:00').replace('END:VCALENDAR', `${day}END:VCALENDAR`)
    const server = await serve(() => ok(text))
    await addCalendar(service(), school, jonas, server.url)
    const reader = hire()
    await expect.poll(stateOf).toBe('ok')
    expect(await timesOf(school, jonas)).toEqual(['12:00–13:00'])
    await reader.stop()
    must(200, await school.client.patch('/tenant', { timezone: 'Europe/Istanbul' }))
    expect(await timesOf(school, jonas)).toEqual(['13:00–14:00'])
    const days = () => timesOf(school, jonas, '2031-06-03')
    expect(await days()).toEqual(['01:00–01:00'])
    hire()
    await expect.poll(days).toEqual(['00:00–00:00'])
    expect(await timesOf(school, jonas)).toEqual(['13:00–14:00'])
  })

  it('is read again with the validators of its last response, and keeps its times if it is unchanged', async () => {
    let text = calendarWith('10:00–11:00')
    const server = await serve(({ headers }) =>
      headers['if-none-match'] === '"1"'
        ? { status: 304 }
        : ok(text, { etag: '"1"', 'last-modified': 'Sun' }),
    )
    const made = await addCalendar(service(), school, jonas, server.url)
    hire()
    await expect.poll(stateOf).toBe('ok')
    await readAgain(made)
    expect(server.received[1]?.headers).toMatchObject({ 'if-none-match': '"1"', 'if-modified-since': 'Sun' })
    expect(await timesOf(school, jonas)).toEqual(['12:00–13:00'])
    text = calendarWith()
    await service().db.updateTable('busy_calendars').set({ etag: '"0"' }).execute()
    await readAgain(made)
    expect(await timesOf(school, jonas)).toEqual([])
  })

  it('is read without validators on another day, in another zone and for another address', async () => {
    const server = await serve(() => ok(calendarWith('10:00–11:00'), { etag: '"1"' }))
    const made = await addCalendar(service(), school, jonas, server.url)
    const reader = hire()
    await expect.poll(stateOf).toBe('ok')
    must(200, await school.client.patch(`/instructors/${jonas.id}`, { email: 'jonas@school.example' }))
    await readAgain(made)
    expect(server.received[1]?.headers['if-none-match']).toBeUndefined()
    await reader.stop()
    hire({ now: () => new Date('2031-06-02T08:00:00Z') })
    await readAgain(made)
    expect(server.received[2]?.headers['if-none-match']).toBeUndefined()
  })

  it('is not read any more once it is deleted, and leaves no times', async () => {
    const server = await serve(() => ok(calendarWith('10:00–11:00')))
    const made = await addCalendar(service(), school, jonas, server.url)
    hire()
    await expect.poll(stateOf).toBe('ok')
    const address = `/instructors/${jonas.id}/busy-calendars/${made.id}`
    expect((await school.client.delete(address)).status).toBe(204)
    const left = await service()
      .db.selectFrom('busy_times')
      .selectAll()
      .where('calendar_id', '=', made.id)
      .execute()
    expect(left).toEqual([])
  })

  // The database joins them as multiranges.
  it('joins the times of several calendars', { tags: 'embedded' }, async () => {
    const first = await serve(() => ok(calendarWith('10:00–11:00')))
    const second = await serve(() => ok(calendarWith('10:30–12:00', '14:00–14:10')))
    await addCalendar(service(), school, jonas, first.url)
    await addCalendar(service(), school, jonas, second.url)
    hire()
    await expect.poll(() => timesOf(school, jonas)).toEqual(['12:00–14:00', '16:00–16:10'])
  })
})

describe('a busy calendar that cannot be read', () => {
  it('is failing with the reason, keeps its times, and recovers', async () => {
    let answer: { status: number; body?: string } = ok(calendarWith('10:00–11:00'))
    const server = await serve(() => answer)
    const made = await addCalendar(service(), school, jonas, server.url)
    hire()
    await expect.poll(stateOf).toBe('ok')
    answer = { status: 404 }
    expect(await readAgain(made)).toMatchObject({ state: 'failing', failure: 'not_found' })
    expect(await timesOf(school, jonas)).toEqual(['12:00–13:00'])
    expect(must(200, await school.client.get('/busy-times'))).toMatchObject([{ is_failing: true }])
    const entries = await entriesOf(school.client, 'busy_calendar_failing')
    expect(entries).toMatchObject([
      { id: made.id, instructor_id: jonas.id, calendar: { name: 'Private', failure: 'not_found' } },
    ])
    await readAgain(made)
    expect(await entriesOf(school.client, 'busy_calendar_failing')).toEqual(entries)
    answer = ok(calendarWith('09:00–10:00'))
    expect(await readAgain(made)).toMatchObject({ state: 'ok', failure: null })
    expect(await timesOf(school, jonas)).toEqual(['11:00–12:00'])
    expect(await entriesOf(school.client, 'busy_calendar_failing')).toEqual([])
  })

  it('that fails now and then makes one entry, until it has been well for a day', async () => {
    let answer: { status: number; body?: string } = { status: 503 }
    const server = await serve(() => answer)
    const made = await addCalendar(service(), school, jonas, server.url)
    hire()
    await expect.poll(stateOf).toBe('failing')
    const entries = () => entriesOf(school.client, 'busy_calendar_failing')
    const [first] = await entries()
    const wellHoursAgo = async (hours: number) =>
      sql`update busy_calendars set well_since = now() - make_interval(secs => ${hours * 3_600}::float8)
        where tenant_id = ${school.tenantId} and id = ${made.id}`.execute(service().db)
    const flap = async (hours: number) => {
      answer = ok(calendarWith('10:00–11:00'))
      await readAgain(made)
      expect(await entries()).toEqual([])
      // A second good reading must not begin the recovery anew.
      await wellHoursAgo(hours)
      answer = ok(calendarWith('10:00–12:00'))
      await readAgain(made)
      answer = { status: 503 }
      await readAgain(made)
      return entries()
    }
    expect(await flap(0)).toEqual([first])
    expect(await flap(23.9)).toEqual([first])
    const [second] = await flap(24.1)
    expect(second).toMatchObject({ id: made.id })
    expect(String(second?.at) > String(first?.at)).toBe(true)
  })

  it('loses its times after 7 days, not before', async () => {
    let answer: { status: number; body?: string } = ok(calendarWith('10:00–11:00'))
    const server = await serve(() => answer)
    const made = await addCalendar(service(), school, jonas, server.url)
    hire()
    await expect.poll(stateOf).toBe('ok')
    answer = { status: 500 }
    const lastReadDaysAgo = async (days: number) =>
      service()
        .db.updateTable('busy_calendars')
        .set({ last_read_at: new Date(Date.now() - days * 24 * 3_600_000) })
        .where('id', '=', made.id)
        .execute()
    await lastReadDaysAgo(6.99)
    expect(await readAgain(made)).toMatchObject({ state: 'failing', failure: 'http_error' })
    expect(await timesOf(school, jonas)).toEqual(['12:00–13:00'])
    await lastReadDaysAgo(7.01)
    await makeDue(service(), made)
    await expect.poll(() => timesOf(school, jonas)).toEqual([])
    answer = ok(calendarWith('10:00–11:00'))
    await readAgain(made)
    expect(await timesOf(school, jonas)).toEqual(['12:00–13:00'])
  })

  it('is failing with address_lost if the service has another secret', async () => {
    const server = await serve(() => ok(calendarWith()))
    await addCalendar(service(), school, jonas, server.url)
    hire({ jwtSecret: 'another secret of more than 32 characters' })
    await expect.poll(() => calendarOf(school, jonas)).toMatchObject({ failure: 'address_lost' })
    expect(server.received).toEqual([])
  })
})

// They claim calendars in the database.
describe('several processes', { tags: 'embedded' }, () => {
  it('read each calendar once, and again only when it is due', async () => {
    const server = await serve(() => ok(calendarWith('10:00–11:00')))
    const others = [await school.instructor(), await school.instructor(), await aSchool(service())]
    await addCalendar(service(), school, jonas, `${server.url}/1`)
    for (const [at, one] of [others[0], others[1]].entries())
      await addCalendar(service(), school, one as Row, `${server.url}/${at + 2}`)
    hire()
    hire()
    hire()
    await server.receives(3)
    for (const one of [jonas, others[0], others[1]])
      await expect.poll(async () => (await calendarOf(school, one as Row))?.state).toBe('ok')
    expect(server.received.map(({ path }) => path).toSorted()).toEqual(['/hook/1', '/hook/2', '/hook/3'])
  })

  it('take over from one that died, and store nothing of a claim that was lost', async () => {
    const answers: (() => void)[] = []
    let isHeld = true
    const server = await serve(async () => {
      const text = isHeld ? calendarWith('10:00–11:00') : calendarWith('09:00–10:00')
      if (isHeld) await new Promise<void>((resolve) => answers.push(resolve))
      return ok(text)
    })
    const made = await addCalendar(service(), school, jonas, server.url)
    hire()
    await server.receives(1)
    isHeld = false
    // The claim of the first process ends as if it had died.
    hire()
    await makeDue(service(), made)
    await expect.poll(() => timesOf(school, jonas)).toEqual(['11:00–12:00'])
    const before = await calendarOf(school, jonas)
    for (const answer of answers) answer()
    await server.receives(2)
    expect(await timesOf(school, jonas)).toEqual(['11:00–12:00'])
    expect(await calendarOf(school, jonas)).toEqual(before)
  })

  it('stop at once while a server does not answer, which counts as no failure', async () => {
    const server = await serve(() => new Promise(() => undefined))
    await addCalendar(service(), school, jonas, server.url)
    const reader = hire()
    await server.receives(1)
    await reader.stop()
    expect(await calendarOf(school, jonas)).toMatchObject({ state: 'waiting', failure: null })
    const [row] = await service().db.selectFrom('busy_calendars').select('next_read_at').execute()
    expect(row?.next_read_at.getTime()).toBeLessThan(Date.now() + 1_000)
  })
})
