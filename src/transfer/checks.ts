import { isEmail, isUuid } from '../contract/formats.ts'
import { isLocalDate, isLocalDateTime, isTimeOfDay } from '../domain/local-time.ts'
import { NOTES_LENGTH, OPENING_UNITS, type Range, TITLE_LENGTH, TRAVEL_MINUTES } from '../domain/ranges.ts'
import { isTimeZone } from '../domain/time-zone.ts'

/** Returns the end of an error sentence that begins with the field, or undefined if the value can be served. */
export type Check = (value: unknown) => string | undefined

const MOMENT = /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?Z$/
const FIRST_YEAR = '1970'
const LAST_YEAR = '2199'

/** Deeper JSON can stop the embedded database; the service stores nothing half as deep. */
const DEEPEST = 32

function check(isValid: (value: unknown) => boolean, reason: string): Check {
  return (value) => (isValid(value) ? undefined : reason)
}

function ofText(isValid: (text: string) => boolean, reason: string): Check {
  return check((value) => typeof value === 'string' && isValid(value), reason)
}

export function orNull(other: Check): Check {
  return (value) => (value === null ? undefined : other(value))
}

export const uuid = ofText(isUuid, 'must be a UUID')
export const email = ofText((text) => isEmail(text) && isStorable(text), 'must be an e-mail address')
export const date = ofText(isLocalDate, 'must be a day that exists, in the years 1900 to 2099')
export const wallClock = ofText(isLocalDateTime, 'must be a minute that exists, in the years 2000 to 2099')
export const timeOfDay = ofText(isTimeOfDay, 'must be a time of day, as HH:MM')
export const endOfWindow = ofText(isEndOfWindow, 'must be a time of day, as HH:MM, or 24:00')
export const moment = ofText(isMoment, `must be a moment in UTC, in the years ${FIRST_YEAR} to ${LAST_YEAR}`)
export const flag = check((value) => typeof value === 'boolean', 'must be true or false')
// Checks the form first: the runtime caches every zone that it is asked about.
export const zone = ofText(
  (text) => /^[A-Z][\w+/-]{0,63}$/.test(text) && isTimeZone(text),
  'must be a time zone that this runtime knows, such as Europe/Berlin',
)

/** A text within the length, without NUL and lone surrogates. */
export function text({ min, max }: Range): Check {
  return ofText(
    (value) => isStorable(value) && [...value].length >= min && [...value].length <= max,
    `must be a text of ${min} to ${max} characters without NUL`,
  )
}

export function pattern(expression: RegExp, what: string): Check {
  return ofText((value) => expression.test(value), `must be ${what}`)
}

export function integer({ min, max }: Range): Check {
  return check(
    (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
    `must be a whole number from ${min} to ${max}`,
  )
}

export function number({ min, max }: Range): Check {
  return check(
    (value) => typeof value === 'number' && value >= min && value <= max,
    `must be a number from ${min} to ${max}`,
  )
}

export function oneOf(values: readonly string[]): Check {
  return ofText((value) => values.includes(value), `must be one of ${values.join(', ')}`)
}

export function listOf(item: Check, max: number): Check {
  return (value) => {
    if (!Array.isArray(value) || value.length > max) return `must be a list of at most ${max}`
    const reasons = value.map(item)
    const at = reasons.findIndex((reason) => reason !== undefined)
    return at === -1 ? undefined : `has an entry ${at + 1} that ${reasons[at]}`
  }
}

const travelMinutes = integer(TRAVEL_MINUTES)

/** Bytes as PostgreSQL spells them; the range counts bytes. */
export function bytes({ min, max }: Range): Check {
  return ofText(
    (value) =>
      /^\\x(?:[0-9a-f]{2})*$/.test(value) && value.length >= 2 + 2 * min && value.length <= 2 + 2 * max,
    min === max ? `must be ${min} bytes, as \\x and hexadecimal digits` : `must be ${min} to ${max} bytes`,
  )
}

export const windows = (max: number): Check =>
  listOf((value) => (isWindow(value) ? undefined : 'must be a weekday with a start before its end'), max)

export const openingEntry = check(
  isOpeningEntry,
  `must be a lesson type, ${OPENING_UNITS.min} to ${OPENING_UNITS.max} whole units, a date and a source`,
)

/** An attendee of a group, as it is stored in JSON. */
const attendee = check(isAttendee, 'must be a student, and whether the student was there')

/** The attendees of a group, at most so many, each once. */
export function attendees(max: number): Check {
  const each = listOf(attendee, max)
  return (value) => {
    const reason = each(value)
    if (reason !== undefined) return reason
    const ids = (value as readonly { readonly student_id: string }[]).map(({ student_id }) => student_id)
    return new Set(ids).size === ids.length ? undefined : 'must have each student once'
  }
}

export const absence = check(isAbsence, 'must be a start before its end, and a note or null')

/** The minutes to other locations, by their ids in lower case. */
export const ways = check(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(value).every(
      ([id, minutes]) =>
        uuid(id) === undefined && id === id.toLowerCase() && travelMinutes(minutes) === undefined,
    ),
  `must be ${TRAVEL_MINUTES.min} to ${TRAVEL_MINUTES.max} whole minutes by the id of a location`,
)

/** An object of exactly these fields, all of which pass. */
export function object(checks: Readonly<Record<string, Check>>, what: string): Check {
  const names = Object.keys(checks)
  return check((value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    const given = value as Readonly<Record<string, unknown>>
    const isWhole = Object.keys(given).length === names.length && names.every((name) => name in given)
    return isWhole && names.every((name) => checks[name]?.(given[name]) === undefined)
  }, `must be ${what}`)
}

/** An object with storable texts and bounded depth. */
export const fields = check(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && isStorableJson(value),
  `must be an object, nested at most ${DEEPEST} deep, of texts without NUL`,
)

export const fieldsAsText = ofText(
  (value) => fields(parsedOrNull(value)) === undefined,
  'must be the JSON of an object',
)

function isEndOfWindow(value: string): boolean {
  return value === '24:00' || isTimeOfDay(value)
}

function isMoment(value: string): boolean {
  const [, year = '', month, day] = MOMENT.exec(value) ?? []
  if (year < FIRST_YEAR || year > LAST_YEAR) return false
  const midnight = new Date(`${year}-${month}-${day}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.getUTCDate() === Number(day)
}

function isWindow(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const {
    weekday,
    start,
    end,
    valid_from = null,
    valid_to = null,
    ...others
  } = value as Readonly<Record<string, unknown>>
  const isDated = [valid_from, valid_to].every((one) => orNull(date)(one) === undefined)
  if (!isDated) return false
  if (typeof start !== 'string' || typeof end !== 'string' || Object.keys(others).length > 0) return false
  const isWeekday = Number.isInteger(weekday) && Number(weekday) >= 1 && Number(weekday) <= 7
  return isWeekday && isTimeOfDay(start) && isEndOfWindow(end) && start < end
}

function isAttendee(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { student_id, attended, ...others } = value as Readonly<Record<string, unknown>>
  // In lower case, as the queries of attendees spell it.
  const isSpelled = typeof student_id === 'string' && student_id === student_id.toLowerCase()
  if (!isSpelled) return false
  const faults = [uuid(student_id), orNull(flag)(attended), ...Object.keys(others)]
  return faults.every((fault) => fault === undefined)
}

function isOpeningEntry(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { lesson_type_id, units, date: day, source, ...others } = value as Readonly<Record<string, unknown>>
  const faults = [
    uuid(lesson_type_id),
    integer(OPENING_UNITS)(units),
    date(day),
    text(TITLE_LENGTH)(source),
    ...Object.keys(others),
  ]
  return faults.every((fault) => fault === undefined)
}

function isAbsence(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { start_at, end_at, note, ...others } = value as Readonly<Record<string, unknown>>
  const faults = [
    wallClock(start_at),
    wallClock(end_at),
    orNull(text(NOTES_LENGTH))(note),
    ...Object.keys(others),
  ]
  return faults.every((fault) => fault === undefined) && String(start_at) < String(end_at)
}

/** PostgreSQL stores neither NUL nor lone surrogates, and rejects JSON that escapes them. */
function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0')
}

function isStorableJson(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth >= DEEPEST) return false
  return Object.entries(value).every(([name, one]) => isStorable(name) && isStorableJson(one, depth + 1))
}

function parsedOrNull(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return null
  }
}
