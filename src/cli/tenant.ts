import { countries } from '../booking/packs/packs.ts'
import { createTenant } from '../booking/school/create-tenant.ts'
import { LOCALE } from '../contract/tenant.ts'
import type { Database } from '../db/schema/tables.ts'
import { listTenants } from '../db/school/tenants.ts'
import { isKnownLocale } from '../domain/locale.ts'
import {
  BREAK_MINUTES,
  CONTINUOUS_MINUTES,
  DAILY_UNITS,
  UNIT_MINUTES,
  WEEKLY_UNITS,
} from '../domain/ranges.ts'
import { zoneFaultFor } from '../domain/time-zone.ts'
import {
  CommandFailure,
  type DataCommand,
  integerOf,
  nameOption,
  rangeText,
  requiredOption,
  type Terminal,
  UsageError,
  type Values,
} from './command.ts'

export const tenantCreate: DataCommand = {
  kind: 'data',
  name: 'tenant create',
  makesDatabase: true,
  summary: "Create a driving school with its country's lesson types and licence classes.",
  options: {
    name: { type: 'string', value: 'NAME', help: "The school's name", required: true },
    country: { type: 'string', value: 'CODE', help: `One of ${countries().join(', ')}`, required: true },
    timezone: { type: 'string', value: 'ZONE', help: 'IANA zone, such as Europe/Berlin', required: true },
    locale: { type: 'string', value: 'LOCALE', help: 'Language, such as de or fr-CH', required: true },
    'unit-minutes': {
      type: 'string',
      value: 'N',
      help: `Minutes of a unit [the country's], ${rangeText(UNIT_MINUTES)}`,
    },
    'max-daily-units': {
      type: 'string',
      value: 'N',
      help: `Default of new instructors, ${rangeText(DAILY_UNITS)}`,
    },
    'max-weekly-units': {
      type: 'string',
      value: 'N',
      help: `Default of new instructors, ${rangeText(WEEKLY_UNITS)}`,
    },
    'required-break-minutes': {
      type: 'string',
      value: 'N',
      help: `Default of new instructors [0], ${rangeText(BREAK_MINUTES)}`,
    },
    'max-continuous-minutes': {
      type: 'string',
      value: 'N',
      help: `Default of new instructors [360], ${rangeText(CONTINUOUS_MINUTES)}`,
    },
    force: { type: 'boolean', help: 'Do not ask if there is a school of the same name' },
    json: { type: 'boolean', help: 'Print JSON' },
  },
  check: (values) => void { ...identityOf(values), ...defaultsOf(values) },
  run: async ({ db, values, terminal }) => {
    if (!values.force) await confirmSecond(db, terminal, nameOption(values))
    const founding = { command: 'tenant create', now: new Date() }
    const { tenant } = await createTenant(db, founding, { ...identityOf(values), ...defaultsOf(values) })
    const { id } = tenant
    terminal.out(
      values.json ? JSON.stringify({ id }) : `Created the school ${requiredOption(values, 'name')}: ${id}`,
    )
  },
}

export const tenantList: DataCommand = {
  kind: 'data',
  name: 'tenant list',
  summary: 'List the driving schools.',
  options: { json: { type: 'boolean', help: 'Print JSON' } },
  run: async ({ db, values, terminal }) => {
    const tenants = await listTenants(db)
    if (values.json) return terminal.out(JSON.stringify(tenants))
    for (const { id, name, country, timezone } of tenants)
      terminal.out(`${id}  ${country}  ${timezone}  ${name}`)
  },
}

/** Asks before creating a second school of a name; in a script, only warns. Throws a `CommandFailure` if the answer is no. */
async function confirmSecond(db: Database, terminal: Terminal, name: string): Promise<void> {
  const namesake = (await listTenants(db)).find((tenant) => tenant.name.toLowerCase() === name.toLowerCase())
  if (!namesake) return
  const fact = `There is already a school ${namesake.name}: ${namesake.id}.`
  const answer = await terminal.confirm(`${fact} Create another one?`)
  if (answer === undefined) terminal.err(`${fact} Creating another one.`)
  else if (!answer) throw new CommandFailure('No school was created.')
}

function identityOf(values: Values) {
  const name = nameOption(values)
  const country = requiredOption(values, 'country').toUpperCase()
  const timezone = requiredOption(values, 'timezone')
  const locale = requiredOption(values, 'locale')
  if (!countries().includes(country))
    throw new UsageError(`--country must be one of ${countries().join(', ')}`)
  const fault = zoneFaultFor(timezone)
  if (fault !== undefined) throw new UsageError(`--timezone ${fault}`)
  if (!new RegExp(LOCALE).test(locale) || !isKnownLocale(locale))
    throw new UsageError(`--locale must be a language such as de or fr-CH, not ${locale}`)
  return { name, country, timezone, locale }
}

function defaultsOf(values: Values) {
  const given = {
    unit_minutes: integerOf(values, 'unit-minutes', UNIT_MINUTES),
    default_max_daily_units: integerOf(values, 'max-daily-units', DAILY_UNITS),
    default_max_weekly_units: integerOf(values, 'max-weekly-units', WEEKLY_UNITS),
    default_required_break_minutes: integerOf(values, 'required-break-minutes', BREAK_MINUTES),
    default_max_continuous_minutes: integerOf(values, 'max-continuous-minutes', CONTINUOUS_MINUTES),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
