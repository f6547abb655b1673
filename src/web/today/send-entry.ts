import type { QueryClient } from '@tanstack/react-query'
import type { Appointment } from '../../contract/appointment.ts'
import { changeAppointment } from '../api/appointments.ts'
import { Stale } from '../api/writes.ts'
import { askFor } from '../session/ask.ts'
import { ApiProblem } from '../session/send.ts'
import { changedFields } from '../ui/changed-fields.ts'
import { currentIn } from '../ui/problem-words.ts'
import type { Noted } from './noted.ts'

type Said = { readonly seen: Appointment; readonly change: Noted }

/** The text fields, which depend on no other field; all others depend on the status. */
const TEXTS: ReadonlySet<string> = new Set(['notes', 'practised'])

/**
 * Writes what was said, beside what others have changed meanwhile; gives the lesson as it is then. Throws `Stale` where they have
 * changed the same, `ApiProblem` or `Unreachable`.
 */
export async function send({ seen, change }: Said, client: QueryClient): Promise<Appointment> {
  try {
    return await changeAppointment({ seen, change }, { client })
  } catch (error) {
    const current = currentIn(error) ?? (await currentWhereForbidden(error, seen))
    if (!current) throw error
    // An earlier request may have done it whose answer was lost.
    if (Object.keys(changedFields(change, current)).length === 0) return current
    if (isTouched(change, seen, current)) throw new Stale(current)
    return send({ seen: current, change }, client)
  }
}

/** Returns the current lesson if a write was forbidden only because it was cancelled meanwhile. */
async function currentWhereForbidden(error: unknown, seen: Appointment): Promise<Appointment | undefined> {
  if (!(error instanceof ApiProblem && error.is('forbidden'))) return undefined
  const current = await askFor<Appointment>(`/appointments/${seen.id}`)
  return current.status === seen.status ? undefined : current
}

function isTouched(change: Noted, seen: Appointment, current: Appointment): boolean {
  const fields = Object.keys(change) as (keyof Noted)[]
  const isOutcome = fields.some((field) => !TEXTS.has(field))
  return [...fields, ...(isOutcome ? (['status'] as const) : [])].some(
    (field) => seen[field] !== current[field],
  )
}
