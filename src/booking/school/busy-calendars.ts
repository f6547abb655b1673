import type { BusyAddresses } from '../../auth/busy-addresses.ts'
import { lockSession } from '../../auth/lock-session.ts'
import type { Actor } from '../../contract/actor.ts'
import {
  type BusyCalendar,
  type BusyTimes,
  MAX_BUSY_CALENDARS,
  type NewBusyCalendar,
} from '../../contract/busy-calendar.ts'
import { newId } from '../../contract/new-id.ts'
import { invalidRequest, notFound } from '../../contract/problem.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import type { Database } from '../../db/schema/tables.ts'
import {
  countBusyCalendars,
  deleteBusyCalendarRow,
  insertBusyCalendar,
  listBusyTimes,
  listWatchedInstructors,
} from '../../db/school/busy-calendars.ts'
import { type Interval, intervalOf, joined } from '../../domain/interval.ts'
import { daysLater, type LocalDate, localDateTimeFor } from '../../domain/local-time.ts'
import { commitOnce } from '../idempotent.ts'
import { lockInstructor } from './change-instructor.ts'

const TOO_MANY = {
  pointer: '',
  code: 'too_many',
  detail: `An instructor has at most ${MAX_BUSY_CALENDARS} busy calendars.`,
} as const

type Adding = {
  readonly instructor_id: string
  readonly fields: NewBusyCalendar
  readonly addresses: BusyAddresses
}

/** Adds a calendar, which is read soon. Throws `not_found`, and `invalid_request` if the instructor has too many. */
export async function addBusyCalendar(
  database: DatabasePool,
  actor: Actor,
  { instructor_id, fields: { name, url }, addresses }: Adding,
  key?: IdempotencyKey,
): Promise<BusyCalendar> {
  const id = newId()
  const row = { id, instructor_id, name, host: new URL(url).host, sealed: addresses.seal(id, url) }
  return inTransaction(database, async (db, commitWith) => {
    await lockInstructor(db, actor, instructor_id)
    await lockSession(db, actor)
    const count = await countBusyCalendars(db, { tenantId: actor.tenant.id, instructor_id })
    if (count >= MAX_BUSY_CALENDARS) throw invalidRequest([TOO_MANY])
    return commitOnce({ db, actor, commitWith }, key, insertBusyCalendar(db, actor, row))
  })
}

/** Deletes a calendar and its times. Throws `not_found`. */
export async function deleteBusyCalendar(
  database: DatabasePool,
  actor: Actor,
  calendar: { readonly instructor_id: string; readonly id: string },
): Promise<void> {
  await inTransaction(database, async (db) => {
    if (!(await deleteBusyCalendarRow(db, actor, calendar))) throw notFound()
    await lockSession(db, actor)
  })
}

/** Returns the busy times of the instructors with busy calendars; none if the school ignores them. */
export async function readBusyTimes(
  db: Database,
  { tenant }: Actor,
  { own, from, to }: { readonly own?: string; readonly from: LocalDate; readonly to: LocalDate },
): Promise<readonly BusyTimes[]> {
  if (tenant.busy_calendars === 'ignore') return []
  const watched = await listWatchedInstructors(db, tenant.id, own)
  const ids = watched.map(({ instructor_id }) => instructor_id)
  const lines = await listBusyTimes(db, tenant.id, { ids, from, to: daysLater(to, 1) })
  const linesOf = Map.groupBy(lines, ({ instructor_id }) => instructor_id)
  return watched.map(({ instructor_id, is_failing }) => ({
    instructor_id,
    is_failing,
    times: joined((linesOf.get(instructor_id) ?? []).map(intervalOf)).map(timesOf),
  }))
}

function timesOf({ start, end }: Interval) {
  return { start_at: localDateTimeFor(start), end_at: localDateTimeFor(end) }
}
