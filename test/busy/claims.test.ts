import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { addCalendar, calendarWith, makeDue, timesOf, useReaders } from './readers.ts'

const service = useService()
const { hire, serve } = useReaders(service)
let school: School
let jonas: Row

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor()
})

/** Returns the milliseconds until a calendar may be claimed again. */
async function leaseOf({ id }: Row): Promise<number> {
  const { rows } = await sql<{ at: Date }>`
    select next_read_at as at from busy_calendars where tenant_id = ${school.tenantId} and id = ${id}`.execute(
    service().db,
  )
  return rows[0]?.at.getTime() ?? 0
}

/** Starts a server that responds only once it is released. */
async function servedLate() {
  const release = Promise.withResolvers<void>()
  const server = await serve(async () => {
    await release.promise
    return { status: 200, body: calendarWith('10:00–11:00') }
  })
  return { ...server, release: release.resolve }
}

it('a claim is renewed for as long as its calendar is read, so that no other process reads it', async () => {
  const server = await servedLate()
  const calendar = await addCalendar(service(), school, jonas, server.url)
  hire({ intervals: { renew: 10 } })
  await server.receives(1)
  for (let renewal = 0; renewal < 3; renewal += 1) {
    const before = await leaseOf(calendar)
    await expect.poll(() => leaseOf(calendar)).toBeGreaterThan(before)
  }
  server.release()
  await expect.poll(() => timesOf(school, jonas)).toEqual(['12:00–13:00'])
  const { rows } = await sql<{ minutes: number }>`
    select extract(epoch from next_read_at - last_read_at) / 60 as minutes from busy_calendars
    where tenant_id = ${school.tenantId} and id = ${calendar.id}`.execute(service().db)
  // The pause until the next reading, which no late renewal has shortened.
  expect(Math.round(Number(rows[0]?.minutes))).toBe(15)
  expect(server.received).toHaveLength(1)
})

it('a lost claim ends the reading, which stores nothing', async () => {
  const hanging = await servedLate()
  const quick = await serve(() => ({ status: 200, body: calendarWith('10:00–11:00') }))
  const mona = await school.instructor()
  const next = await addCalendar(service(), school, mona, quick.url)
  await sql`update busy_calendars set next_read_at = 'infinity'`.execute(service().db)
  const calendar = await addCalendar(service(), school, jonas, hanging.url)
  hire({ intervals: { renew: 10, download: 3_600_000 } })
  await hanging.receives(1)
  await sql`update busy_calendars set turn = turn + 1, next_read_at = 'infinity'
    where tenant_id = ${school.tenantId} and id = ${calendar.id}`.execute(service().db)
  await makeDue(service(), next)
  // A process reads one calendar of a school at a time: the first reading is over.
  await expect.poll(() => timesOf(school, mona)).toEqual(['12:00–13:00'])
  expect(await timesOf(school, jonas)).toEqual([])
})
