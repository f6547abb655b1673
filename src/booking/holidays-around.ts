import type { Actor } from '../contract/actor.ts'
import { holidayCalendarOf } from '../db/school/holidays.ts'
import type { Holiday } from '../domain/agenda.ts'
import { type Day, type LocalDate, localDateFor } from '../domain/local-time.ts'

/** Returns the public holidays of some days on which the school is closed. */
export async function holidaysAround(
  { tenant }: Actor,
  { first, last }: { readonly first: Day; readonly last: Day },
): Promise<ReadonlyMap<LocalDate, Holiday>> {
  const holidayOn = await holidayCalendarOf(tenant, 'refuse')
  const holidays = new Map<LocalDate, Holiday>()
  for (let day = first; holidayOn && day <= last; day += 1) {
    const date = localDateFor(day)
    const found = holidayOn(date)
    if (found) holidays.set(date, { date: found.date, name: found.name })
  }
  return holidays
}
