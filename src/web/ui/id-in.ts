import { isLocalDate, type LocalDate } from '../../domain/local-time.ts'

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Returns a search parameter that is a UUID. */
export function idIn(value: unknown): string | undefined {
  return typeof value === 'string' && ID.test(value) ? value : undefined
}

/** Returns a search parameter as text; the router turns digits into a number. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** Returns a search parameter that is a date. */
export function dayIn(value: unknown): LocalDate | undefined {
  return typeof value === 'string' && isLocalDate(value) && value >= '2000' ? value : undefined
}
