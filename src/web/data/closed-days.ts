import { type QueryClient, QueryObserver, queryOptions } from '@tanstack/react-query'
import type { BusyTimes } from '../../contract/busy-calendar.ts'
import type { Closure, Holiday } from '../../contract/closure.ts'
import type { Tenant } from '../../contract/tenant.ts'
import type { HolidayCalendar } from '../../domain/agenda.ts'
import { daysLater, type LocalDate } from '../../domain/local-time.ts'
import { localToday } from '../../domain/time-zone.ts'
import { vacationWithin } from '../../domain/vacation.ts'
import { closuresOfSchool } from './closures.ts'
import { conditionalGet, constantQuery } from './conditional-get.ts'
import type { SchoolDays } from './school-days.ts'

const BUSY_DAYS = 92
const BUSY_EVERY_MS = 300_000

/** The place of the school, on which its holidays depend, and their effect on a booking. */
type Place = Pick<Tenant, 'id' | 'country' | 'region' | 'locale' | 'holidays' | 'timezone' | 'busy_calendars'>

/**
 * Reads the closures, and the holidays of each year when it is first needed. Calls `onChange` whenever the days change.
 * Returns a function that stops watching.
 */
export function watchClosedDays(
  client: QueryClient,
  place: Place,
  onChange: (days: SchoolDays) => void,
): () => void {
  const ends: (() => void)[] = []
  const years = new Map<string, ReadonlyMap<LocalDate, Holiday>>()
  let closures: readonly Closure[] = []
  let busy: SchoolDays['busy'] = new Map()
  const change = () => onChange({ ...daysFor(place.holidays, holidayOn, closures), busy })
  const watchYear = (year: string) => {
    years.set(year, new Map())
    const observer = new QueryObserver(client, holidaysOfYear(year, place))
    const take = ({ data }: { readonly data: readonly Holiday[] | undefined }) => {
      if (!data) return
      years.set(year, new Map(data.filter((one) => one.is_public).map((one) => [one.date, one])))
      change()
    }
    // `holidayOn` may be called during a render, when no state may change.
    queueMicrotask(() => {
      ends.push(observer.subscribe(take))
      take(observer.getCurrentResult())
    })
  }
  function holidayOn(date: LocalDate) {
    const year = date.slice(0, 4)
    if (!years.has(year) && /^\d{4}$/.test(year)) watchYear(year)
    return years.get(year)?.get(date)
  }
  const observer = new QueryObserver(client, closuresOfSchool)
  const take = ({ data = [] }: { readonly data: readonly Closure[] | undefined }) => {
    closures = data
    change()
  }
  ends.push(observer.subscribe(take))
  take(observer.getCurrentResult())
  if (place.busy_calendars !== 'ignore') {
    const watching = new QueryObserver(client, busyTimesFor(place))
    const takeBusy = ({ data }: { readonly data: readonly BusyTimes[] | undefined }) => {
      if (!data) return
      busy = new Map(data.map((one) => [one.instructor_id, one]))
      change()
    }
    ends.push(watching.subscribe(takeBusy))
    takeBusy(watching.getCurrentResult())
  }
  return () => {
    for (const end of ends) end()
  }
}

function daysFor(
  policy: Tenant['holidays'],
  holidayOn: HolidayCalendar,
  closures: readonly Closure[],
): Omit<SchoolDays, 'busy'> {
  const closed = { closures, ...(policy === 'refuse' && { holidayOn }) }
  const warnedOn = policy === 'warn' ? holidayOn : undefined
  return {
    closed,
    warnedOn,
    holidayOn,
    on: (date) => {
      const closure = vacationWithin(date, date, closures)
      const holiday = policy === 'ignore' ? undefined : holidayOn(date)
      if (!closure && !holiday) return undefined
      const isClosed = closure !== undefined || policy === 'refuse'
      return { name: holiday?.name ?? closure?.note ?? null, isClosed }
    },
  }
}

/** Queries the busy times from today on; refetched now and then, because they are not in the feed. */
function busyTimesFor({ id, timezone }: Place) {
  return queryOptions({
    queryKey: ['busy_calendars', 'times', id],
    queryFn: (context) => {
      const from = localToday(new Date(), timezone)
      const path = `/busy-times?from=${from}&to=${daysLater(from, BUSY_DAYS)}`
      return conditionalGet<readonly BusyTimes[]>(path, context)
    },
    refetchInterval: BUSY_EVERY_MS,
  })
}

function holidaysOfYear(year: string, { id, country, region, locale }: Place) {
  return constantQuery<readonly Holiday[]>(
    ['holidays', id, country, region, locale, year],
    `/holidays?from=${year}-01-01&to=${year}-12-31`,
  )
}
