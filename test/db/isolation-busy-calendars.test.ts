import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { newId } from '../../src/contract/new-id.ts'
import { NO_ORDER } from '../../src/db/claim-order.ts'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import {
  type CalendarReading,
  type ClaimedCalendar,
  claimBusyCalendar,
  moveBusyTimes,
  renewBusyClaim,
  storeFailure,
  storeReading,
} from '../../src/db/school/busy-calendar-claims.ts'
import {
  countBusyCalendars,
  deleteBusyCalendarRow,
  insertBusyCalendar,
  listBusyTimes,
  listFailingCalendars,
  listWatchedInstructors,
} from '../../src/db/school/busy-calendars.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { anActor, aSchool } from '../support/factory.ts'
import { everythingOf, plantTwin } from '../support/twin.ts'

const service = useService()
const NOTHING: CalendarReading = { read_for: null, etag: null, last_modified: null, digest: null, seconds: 0 }

/** Returns one busy hour on a Monday, as the database stores it. */
const hourFrom = (from: string, to: string) => `{["2031-03-03 ${from}","2031-03-03 ${to}")}`

it('busy calendars are read, listed and deleted as if alone between two schools with the same ids', async () => {
  const { db } = service()
  // The clock stands still: warnings contain the current minute.
  service().setClock(new Date('2031-02-24T10:00:00Z'))
  await db.deleteFrom('busy_calendars').execute()
  const school = await aSchool(service())
  const { client, tenantId } = school
  const { id: instructor_id } = await school.instructor()
  const actor = await anActor(service(), tenantId)
  const [kept, left] = [newId(), newId()]
  for (const id of [kept, left]) {
    const calendar = { id, instructor_id, name: 'Club', host: 'club.example', sealed: Buffer.from(id) }
    await inTransaction(db, (within) => insertBusyCalendar(within, actor, calendar))
  }
  const claim = async (): Promise<ClaimedCalendar> => {
    const claimed = await claimBusyCalendar(db, { seconds: 0, order: NO_ORDER })
    if (!claimed) throw new Error('no calendar is due')
    expect(claimed.tenant_id).toBe(tenantId)
    return claimed
  }
  const store = async (one: ClaimedCalendar, times: string) =>
    inTransaction(db, (within) => storeReading(within, one, { ...NOTHING, times }))
  for (const _ of [kept, left]) expect(await store(await claim(), hourFrom('08:00', '09:00'))).toBe(true)
  must(200, await client.patch('/tenant', { busy_calendars: 'refuse' }))
  const day = 'from=2031-03-03&to=2031-03-03&minutes=60&limit=200'
  const free = async () => must(200, await client.get(`/slots?${day}&instructor_id=${instructor_id}`))
  const freeBefore = await free()
  expect(freeBefore).not.toEqual([])
  const twins = [
    await plantTwin(service(), tenantId, 'Club'),
    await plantTwin(service(), tenantId, 'Club', 'ffffffff'),
  ]
  await sql`update busy_times set times = ${hourFrom('12:00', '13:00')}::tsmultirange
    where tenant_id = any(${twins}::uuid[])`.execute(db)
  const everything = () => Promise.all(twins.map((twin) => everythingOf(service(), twin)))
  const before = await everything()

  const path = `/instructors/${instructor_id}/busy-calendars`
  const state = { name: 'Club', state: 'ok' }
  expect(must(200, await client.get(path))).toMatchObject([state, state])
  expect(await countBusyCalendars(db, { tenantId, instructor_id })).toBe(2)
  expect(await listFailingCalendars(db, tenantId, 14)).toEqual([])
  const watched = [{ instructor_id, is_failing: false }]
  expect(await listWatchedInstructors(db, tenantId)).toEqual(watched)
  expect(await listWatchedInstructors(db, tenantId, instructor_id)).toEqual(watched)
  expect(await free()).toEqual(freeBefore)
  const times = async () => {
    const asked = { ids: [instructor_id], from: '2031-03-03 00:00', to: '2031-03-10 00:00' }
    return (await listBusyTimes(db, tenantId, asked)).map(({ start_at }) => start_at.slice(-5))
  }
  expect(await times()).toEqual(['08:00', '08:00'])

  // At the time that the twins have already.
  expect(await store(await claim(), hourFrom('12:00', '13:00'))).toBe(true)
  expect(await times()).toEqual(['08:00', '12:00'])
  const failed = await claim()
  const failure = { failure: 'timeout', seconds: 0, keptDays: 14 } as const
  expect(await inTransaction(db, (within) => storeFailure(within, failed, failure))).toBe(true)
  expect(await listFailingCalendars(db, tenantId, 14)).toMatchObject([{ id: failed.id, failure: 'timeout' }])
  expect(await renewBusyClaim(db, await claim(), 3600)).toBe(true)
  await inTransaction(db, (within) =>
    moveBusyTimes(within, tenantId, { from: 'Europe/Berlin', to: 'Europe/Istanbul' }),
  )
  expect(await times()).toEqual(['10:00', '14:00'])
  const row = { instructor_id, id: left }
  expect(await inTransaction(db, (within) => deleteBusyCalendarRow(within, actor, row))).toBe(true)
  expect(await everything()).toEqual(before)
})
