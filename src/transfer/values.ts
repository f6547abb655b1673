import type { ErrorObject, ValidateFunction } from 'ajv'
import { isAffordableHash } from '../auth/password.ts'
import { absenceTimeFaultsFor } from '../contract/absence-times.ts'
import { attendeeFaultsFor } from '../contract/appointment.ts'
import { policyFaultsFor } from '../contract/cancellation.ts'
import { enquirySettingFaultsFor } from '../contract/enquiry.ts'
import { formats, isUuid } from '../contract/formats.ts'
import { windowFaultsFor } from '../contract/instructor.ts'
import type { Fault } from '../contract/problem.ts'
import { strictAjv } from '../contract/strict-ajv.ts'
import { zoneFaultFor } from '../domain/time-zone.ts'
import { FileFault } from './format.ts'
import { ROW_SCHEMAS } from './row-schemas.ts'
import type { SchoolTable, TableName } from './tables.ts'

type Row = Readonly<Record<string, unknown>>

const MOMENT = /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?Z$/
const FIRST_YEAR = '1970'
const LAST_YEAR = '2199'

/** The maximum depth of JSON, over twice the service's own: deeper JSON can stop the embedded database. */
const DEEPEST = 32

const FORMATS: typeof formats = {
  'stored-moment': {
    is: isMoment,
    description: `a moment in UTC, in the years ${FIRST_YEAR} to ${LAST_YEAR}`,
  },
  zone: {
    is: (text) => zoneFaultFor(text) === undefined,
    description: 'a time zone that this runtime knows, by a place, such as Europe/Berlin',
  },
  'affordable-hash': {
    is: isAffordableHash,
    description: 'an Argon2id hash that costs no more than one of this service',
  },
  'json-object': { is: isJsonObject, description: 'the JSON of an object' },
}

const RULES: { readonly [Table in SchoolTable]?: Readonly<Record<string, (value: never) => boolean>> } = {
  tenants: {
    default_availability_windows: isInOrder,
    cancellation_policy: (policy) => isFaultless(policyFaultsFor('', policy)),
    enquiries: (settings) => isFaultless(enquirySettingFaultsFor(settings)),
  },
  locations: {
    travel_minutes: (ways: object) => Object.keys(ways).every((id) => isUuid(id) && id === id.toLowerCase()),
  },
  vehicles: { absences: areInOrder },
  instructors: { absences: areInOrder },
  appointments: { attendees: (attendees) => isFaultless(attendeeFaultsFor({ attendees })) },
  schedule_requests: { availability_windows: isInOrder, windows_before: isInOrder },
  changes: { before: isStorableJson, after: isStorableJson },
}

function isFaultless(faults: readonly Fault[]): boolean {
  return faults.length === 0
}

/** Whether absences are valid. Compares them in UTC, because a file may have times that the school's clocks skip. */
function areInOrder(absences: Parameters<typeof absenceTimeFaultsFor>[0]): boolean {
  return isFaultless(absenceTimeFaultsFor(absences, 'UTC'))
}

function isInOrder(windows: Parameters<typeof windowFaultsFor>[1] | null): boolean {
  return isFaultless(windowFaultsFor('', windows ?? []))
}

const validators = new Map<SchoolTable, ValidateFunction>()
// The log of changes has each text as it was stored.
const ajv = strictAjv((text) => text.trim())
for (const [name, { is }] of Object.entries(FORMATS)) ajv.addFormat(name, is)

function validatorOf(table: SchoolTable): ValidateFunction {
  const validate = validators.get(table) ?? ajv.compile({ type: 'object', properties: ROW_SCHEMAS[table] })
  validators.set(table, validate)
  return validate
}

/** Throws a `FileFault` with line, field and reason for a value that could be stored but not served. May change the row. */
export function requireServable(line: number, name: TableName, row: Row): void {
  if (!(name in ROW_SCHEMAS)) return
  const table = name as SchoolTable
  const validate = validatorOf(table)
  if (!validate(row)) throw new FileFault(line, `${table}.${reasonOf(validate.errors?.[0])}.`)
  for (const [field, isKept] of Object.entries(RULES[table] ?? {}))
    if (field in row && !isKept(row[field] as never))
      throw new FileFault(line, `${table}.${field} must keep the rules of the service.`)
}

function reasonOf(error: ErrorObject | undefined): string {
  const [, field = '', ...within] = error?.instancePath.split('/') ?? []
  const format = error?.keyword === 'format' ? String(error.params.format) : ''
  const description = (formats[format] ?? FORMATS[format])?.description
  const must = description ? `must be ${description}` : (error?.message ?? 'must have no other fields')
  return within.length === 0 ? `${field} ${must}` : `${field} has a value at ${within.join('/')} that ${must}`
}

function isMoment(value: string): boolean {
  const [, year = '', month, day] = MOMENT.exec(value) ?? []
  if (year < FIRST_YEAR || year > LAST_YEAR) return false
  const midnight = new Date(`${year}-${month}-${day}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.getUTCDate() === Number(day)
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) && isStorableJson(value)
  } catch {
    return false
  }
}

/** Whether a value is shallow enough and free of NUL and lone surrogates, which PostgreSQL rejects even if escaped. */
function isStorableJson(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  if (depth >= DEEPEST) return false
  return Object.entries(value).every(([name, one]) => isStorableJson(name) && isStorableJson(one, depth + 1))
}
