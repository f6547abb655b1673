import { sql } from 'kysely'
import { notFound } from '../contract/problem.ts'
import type { Interval } from '../domain/interval.ts'
import { type LocalDateTime, localDateTimeFor } from '../domain/local-time.ts'
import {
  type Calendar,
  type CalendarRow,
  calendarColumns,
  calendarJoins,
  calendarOf,
} from './calendar-rows.ts'
import { type Parameters, statement } from './statement.ts'
import type { Database } from './tables.ts'

/** A calendar's id and the range to load of it. */
export type CalendarRange = { readonly id: string; readonly range: Interval }

/** The id of nothing. */
const NOTHING = '00000000-0000-0000-0000-000000000000'

/**
 * Loads a range of each calendar, in one statement and in the order of the request. `now` is the school's wall clock. Throws
 * `not_found` if the tenant does not have one of them.
 */
export async function requireCalendarRanges(
  db: Database,
  tenant_id: string,
  wanted: readonly CalendarRange[],
  now: LocalDateTime,
): Promise<readonly Calendar[]> {
  const asked = wanted.map(({ id, range }, number) => {
    return { number, id, from: localDateTimeFor(range.start), to: localDateTimeFor(range.end) }
  })
  const rows = await selectRanges(db, { tenant_id, asked: JSON.stringify(asked), now, except: NOTHING })
  if (rows.length < wanted.length) throw notFound()
  return rows.toSorted((a, b) => a.number - b.number).map(calendarOf)
}

type Question = {
  readonly tenant_id: string
  readonly asked: string
  readonly now: string
  readonly except: string
}

const selectRanges = statement((db, { tenant_id, asked, now, except }: Parameters<Question>) => {
  const range = { from: sql<string>`asked."from"`, to: sql<string>`asked."to"` }
  return sql<CalendarRow & { readonly number: number }>`
    select asked.number, ${calendarColumns({ tenant_id, now, except, ...range })}
    from json_to_recordset(${asked}::json) asked (number integer, id uuid, "from" timestamp, "to" timestamp)
    join calendars calendar on calendar.tenant_id = ${tenant_id} and calendar.id = asked.id
    ${calendarJoins({ tenant_id, now, except, ...range })}
    where calendar.tenant_id = ${tenant_id}`.compile(db)
})
