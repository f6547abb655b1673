import { readFileSync } from 'node:fs'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Holiday } from '../../contract/closure.ts'
import type { Tenant } from '../../contract/tenant.ts'
import type { HolidayCalendar } from '../../domain/agenda.ts'
import { dayOf, type LocalDate, localDateFor } from '../../domain/local-time.ts'
import type { Database } from '../schema/tables.ts'

export type HolidayPlace = Pick<Tenant, 'country' | 'region' | 'locale'>

type Year = ReadonlyMap<LocalDate, readonly Holiday[]>

/** The kinds with a day off; the others are observances. */
const KINDS: ReadonlySet<string> = new Set(['public', 'bank', 'optional'])
const DAY_MS = 24 * 60 * 60 * 1000
const years = new LRUCache<string, Year>({ max: 500 })

type Library = typeof import('date-holidays')['default']
let library: Promise<Library> | undefined

/** Loads the rules of all countries: 26 MB and 0.4 s that schools without holidays do not need. */
function loadLibrary(): Promise<Library> {
  library ??= import('date-holidays').then((loaded) => loaded.default)
  return library
}

/** The years to compute beforehand, from this one: bookings are about these, and working days are counted back. */
const COMMON_YEARS = [-2, -1, 0, 1]

export async function holidaysOf(place: HolidayPlace): Promise<(date: LocalDate) => readonly Holiday[]> {
  const Holidays = await loadLibrary()
  const thisYear = new Date().getUTCFullYear()
  // A year takes several milliseconds: only one is computed in each turn of the event loop.
  for (const distance of COMMON_YEARS) {
    if (isComputed(place, thisYear + distance)) continue
    yearOf(Holidays, place, thisYear + distance)
    await turnOfLoop()
  }
  return (date) => yearOf(Holidays, place, Number(date.slice(0, 4))).get(date) ?? []
}

const MAX_PLACES = 50

/** Computes the holidays that schools observe, before requests come: loading the library would make them wait. */
export async function prepareHolidays(db: Database): Promise<void> {
  const places = await db
    .selectFrom('tenants')
    .select(['country', 'region', 'locale'])
    .distinct()
    .where('holidays', '<>', 'ignore')
    .limit(MAX_PLACES)
    .execute()
  for (const place of places) await holidaysOf(place)
}

export function isComputed(place: HolidayPlace, year: number): boolean {
  return years.has(keyOf(place, year))
}

/** Returns the public holidays if the school has this policy for them; undefined otherwise. */
export async function holidayCalendarOf(
  { holidays, ...place }: HolidayPlace & Pick<Tenant, 'holidays'>,
  policy: Exclude<Tenant['holidays'], 'ignore'>,
): Promise<HolidayCalendar | undefined> {
  if (holidays !== policy) return undefined
  const find = await holidaysOf(place)
  return (date) => find(date).find(({ is_public }) => is_public)
}

export async function hasRegion(country: string, region: string): Promise<boolean> {
  const Holidays = await loadLibrary()
  const [prefix, code = ''] = region.split('-')
  const states = Object.keys(new Holidays(country).getStates(country) ?? {})
  return prefix === country && states.some((state) => state.toUpperCase() === code)
}

function keyOf({ country, region, locale }: HolidayPlace, year: number): string {
  return JSON.stringify([country, region, locale, year])
}

function yearOf(Holidays: Library, place: HolidayPlace, year: number): Year {
  const key = keyOf(place, year)
  const known = years.get(key)
  if (known) return known
  const computed = computedYear(Holidays, place, year)
  years.set(key, computed)
  return computed
}

function computedYear(Holidays: Library, { country, region, locale }: HolidayPlace, year: number): Year {
  const options = { languages: [locale, locale.slice(0, 2), 'en'] }
  const ofCountry = listed(new Holidays(country, options), year)
  const state = region?.split('-')[1]
  const all = state ? listed(new Holidays(country, state, options), year) : ofCountry
  const everywhere = new Set(ofCountry.map(({ date, name }) => `${date} ${name}`))
  const known = all.map(({ date, name, is_public }): Holiday => {
    const isRegional = region !== null && !everywhere.has(`${date} ${name}`)
    return { date, name, region: isRegional ? region : null, is_public }
  })
  return Map.groupBy(
    corrected(known, { region, locale, year }).toSorted((a, b) => Number(b.is_public) - Number(a.is_public)),
    ({ date }) => date,
  )
}

/** A public holiday of one region that the library does not know, perhaps because it has it on another day. */
type Correction = {
  readonly region: string
  readonly date: LocalDate
  readonly instead_of?: LocalDate
  readonly names: { readonly en: string; readonly [language: string]: string | undefined }
}

const CORRECTIONS: readonly Correction[] = JSON.parse(
  readFileSync(new URL('../../../packs/holidays.json', import.meta.url), 'utf8'),
)

/** Returns the holidays of a year with the corrections of `packs/holidays.json`, which has the source of each. */
function corrected(
  holidays: readonly Holiday[],
  { region, locale, year }: Pick<HolidayPlace, 'region' | 'locale'> & { readonly year: number },
): readonly Holiday[] {
  const own = CORRECTIONS.filter((one) => one.region === region && one.date.startsWith(`${year}-`))
  const wrong = new Set(own.flatMap(({ date, instead_of }) => [date, instead_of]))
  const right = own.map(({ date, names }): Holiday => {
    return { date, name: names[locale.slice(0, 2)] ?? names.en, region, is_public: true }
  })
  return [...holidays.filter(({ date, is_public }) => !(is_public && wrong.has(date))), ...right]
}

function listed(holidays: InstanceType<Library>, year: number): readonly Omit<Holiday, 'region'>[] {
  const found = holidays.getHolidays(year) || []
  return found
    .filter(({ type }) => KINDS.has(type))
    .flatMap(({ date, start, end, name, type }) => {
      const first = dayOf(date.slice(0, 10))
      const count = Math.max(1, Math.round((end.getTime() - start.getTime()) / DAY_MS))
      return Array.from({ length: count }, (_, at) => ({
        date: localDateFor(first + at),
        name,
        is_public: type === 'public',
      }))
    })
}
