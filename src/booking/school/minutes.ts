import { ownOf } from '../../auth/permissions.ts'
import type { Actor } from '../../contract/actor.ts'
import { notFound } from '../../contract/problem.ts'
import type { Database } from '../../db/schema/tables.ts'
import { type MinutesInstructor, readMinutesInstructors, readTimeSheet } from '../../db/school/minutes.ts'
import { daysLater, type LocalDate, mondayOf, monthsLater } from '../../domain/local-time.ts'
import {
  daysOfMinutes,
  type MonthOfMinutes,
  type SheetEntry,
  sheetEntriesOn,
  sumsOf,
  type TimeSheetRow,
} from '../../domain/minutes.ts'
import { localNow, localToday } from '../../domain/time-zone.ts'
import { dayRulesOf } from '../packs/packs.ts'

/** Runs a part of the work when it is the school's turn. */
type Read = <T>(part: () => Promise<T>) => Promise<T>

export type MinutesQuery = {
  readonly month: string
  /** Undefined for all who worked in the month. */
  readonly instructor_ids?: readonly string[] | undefined
}

/** Returns the minutes of instructors in a month, by name; none for a month ahead. Throws `not_found` before the first one. */
export async function minutesOfMonth(
  db: Database,
  actor: Actor,
  { month, instructor_ids }: MinutesQuery,
  read: Read,
): Promise<AsyncGenerator<MonthOfMinutes>> {
  const seen = await read(() => instructorsSeen(db, actor, instructor_ids))
  const from = `${month}-01`
  const isAhead = from > localToday(actor.now, actor.tenant.timezone)
  const isKept = ({ days }: MonthOfMinutes) => days.length > 0 || instructor_ids !== undefined
  return monthsOf(isAhead ? [] : seen, isKept, async (instructor) => {
    const range = { from, to: monthsLater(from, 1) }
    const rows = await read(() => rowsOfWeeks(db, actor.tenant.id, instructor.id, range))
    const days = daysOfMinutes(range, rows, rulesFor(actor, instructor))
    const name = `${instructor.first_name} ${instructor.last_name}`
    return { instructor_id: instructor.id, name, number: instructor.number, days, sums: sumsOf(days) }
  })
}

async function* monthsOf(
  instructors: readonly MinutesInstructor[],
  isKept: (month: MonthOfMinutes) => boolean,
  monthOf: (instructor: MinutesInstructor) => Promise<MonthOfMinutes>,
): AsyncGenerator<MonthOfMinutes> {
  for (const instructor of instructors) {
    const month = await monthOf(instructor)
    if (isKept(month)) yield month
  }
}

type RowsQuery = { readonly instructor_id: string; readonly date: LocalDate }

/** Returns the appointments behind the minutes of a day. Throws `not_found`. */
export async function minutesRows(
  db: Database,
  actor: Actor,
  { instructor_id, date }: RowsQuery,
): Promise<readonly SheetEntry[]> {
  const [instructor] = await instructorsSeen(db, actor, [instructor_id])
  if (!instructor) throw notFound()
  const range = { from: date, to: daysLater(date, 1) }
  const rows = await rowsAround(db, actor.tenant.id, instructor_id, range)
  return sheetEntriesOn(date, rows, rulesFor(actor, instructor))
}

/** Returns the instructors of whom an actor may see minutes: an instructor only their own. Throws `not_found` for others. */
async function instructorsSeen(
  db: Database,
  actor: Actor,
  ids: readonly string[] | undefined,
): Promise<readonly MinutesInstructor[]> {
  const { own } = ownOf(actor)
  const all = await readMinutesInstructors(db, actor.tenant.id)
  const seen = all.filter(({ id }) => own === undefined || id === own)
  if (!ids) return seen
  if (ids.some((id) => !seen.some((one) => one.id === id))) throw notFound()
  return seen.filter(({ id }) => ids.includes(id))
}

type Range = { readonly from: LocalDate; readonly to: LocalDate }

/** Reads all ISO weeks that touch the range, because a weekly limit counts whole weeks. */
async function rowsOfWeeks(
  db: Database,
  tenantId: string,
  instructorId: string,
  { from, to }: Range,
): Promise<TimeSheetRow[]> {
  const weeks = { from: mondayOf(from), to: daysLater(mondayOf(daysLater(to, -1)), 7) }
  return rowsAround(db, tenantId, instructorId, weeks)
}

/** Reads a day more on both sides, because actual times may lie on another day than the planned ones. */
function rowsAround(
  db: Database,
  tenant_id: string,
  instructor_id: string,
  { from, to }: Range,
): Promise<TimeSheetRow[]> {
  const [start, end] = [daysLater(from, -1), daysLater(to, 1)]
  return readTimeSheet(db, { tenant_id, instructor_id, from: `${start} 00:00`, to: `${end} 00:00` })
}

function rulesFor({ tenant, now }: Actor, instructor: MinutesInstructor) {
  return {
    timezone: tenant.timezone,
    now: localNow(now, tenant.timezone),
    unit_minutes: tenant.unit_minutes,
    ...dayRulesOf(tenant.country),
    instructor,
  }
}
