import { MAX_OPEN_APPOINTMENTS } from './ranges.ts'
import type { Refusal } from './refusal.ts'

/** Checks rule 9, which stops a program that books endlessly. Accepts an unknown number. */
export function tooManyRefusalFor(open_appointments = 0): Refusal | undefined {
  if (open_appointments < MAX_OPEN_APPOINTMENTS) return undefined
  return {
    code: 'too_many_appointments',
    params: { open_appointments, limit_appointments: MAX_OPEN_APPOINTMENTS },
  }
}
