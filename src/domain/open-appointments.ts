import { MAX_OPEN_APPOINTMENTS } from './ranges.ts'
import type { Refusal } from './refusal.ts'

/** Rule 9: stops a program that books without end. An unknown number passes. */
export function tooManyRefusalFor(open_appointments = 0): Refusal | undefined {
  if (open_appointments < MAX_OPEN_APPOINTMENTS) return undefined
  return {
    code: 'too_many_appointments',
    params: { open_appointments, limit_appointments: MAX_OPEN_APPOINTMENTS },
  }
}
