import { isLocalDate, isLocalDateTime, isTimeOfDay } from '../domain/local-time.ts'
import { EMAIL_LENGTH } from '../domain/ranges.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/
const TO_SECONDS = 19
const EMAIL = /^[^\s@]+@[^\s@]+$/
const PUBLIC_EMAIL = /^[\w.+-]+@(?:[a-z0-9-]+\.)+[a-z]{2,9}$/i

/** Whether the text is an RFC 9562 UUID of any version and case. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** Whether the text is a time since 1970 in UTC (RFC 3339), with or without a fraction of a second. */
export function isTimestamp(text: string): boolean {
  const instant = new Date(TIMESTAMP.test(text) ? text : Number.NaN)
  return instant.getTime() >= 0 && instant.toISOString().startsWith(text.slice(0, TO_SECONDS))
}

/** Whether the text resembles an e-mail address; only a delivered message proves it. */
export function isEmail(text: string): boolean {
  return text.length <= EMAIL_LENGTH.max && EMAIL.test(text)
}

/** Whether the text is an address, not a password: `P@ssw0rd` has no dot, one typed after an address makes a label too long. */
export function looksLikeEmail(text: string): boolean {
  return text.length <= EMAIL_LENGTH.max && PUBLIC_EMAIL.test(text)
}

/** The check and the description of each `format` in schemas. */
export const formats: Readonly<
  Record<string, { readonly is: (text: string) => boolean; readonly description: string }>
> = {
  uuid: { is: isUuid, description: 'a UUID' },
  email: { is: isEmail, description: 'an e-mail address' },
  'local-date': { is: isLocalDate, description: 'a day that exists, as YYYY-MM-DD' },
  'local-date-or-all': {
    is: (text) => text === 'all' || isLocalDate(text),
    description: 'a day that exists, as YYYY-MM-DD, or all',
  },
  'local-date-time': {
    is: isLocalDateTime,
    description: 'a time that exists, as YYYY-MM-DD HH:MM, in the years 2000 to 2099',
  },
  'range-end': {
    is: (text) => isLocalDate(text) || isLocalDateTime(text),
    description: 'a day or a time that exists, as YYYY-MM-DD or YYYY-MM-DD HH:MM',
  },
  'time-of-day': { is: isTimeOfDay, description: 'a time of day, as HH:MM' },
  'date-time': { is: isTimestamp, description: 'a moment in UTC, as YYYY-MM-DDTHH:MM:SSZ' },
  'end-of-window': {
    is: (text) => text === '24:00' || isTimeOfDay(text),
    description: 'a time of day, as HH:MM, or 24:00',
  },
}
