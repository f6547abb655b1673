import { useSyncExternalStore } from 'react'
import type { Appointment, AppointmentChange } from '../../contract/appointment.ts'

type Expected = AppointmentChange | 'deleted'

/** What has been asked for and not yet answered, by the appointment's id. */
type Pending = ReadonlyMap<string, Expected>

let pending: Pending = new Map()
const listeners = new Set<() => void>()

/** Shows a change before the service has answered, however often the list is read meanwhile. */
export function expectChange(id: string, change: Expected): void {
  become(new Map(pending).set(id, change))
}

/** The service has answered, or nobody will ask it: from here on the list tells, unless more has been asked for. */
export function forgetChange(id: string, change: Expected): void {
  if (pending.get(id) !== change) return
  const rest = new Map(pending)
  rest.delete(id)
  become(rest)
}

export function usePending(): Pending {
  return useSyncExternalStore(subscribe, () => pending)
}

/** The list as it will be if all goes well. */
export function withPending(appointments: readonly Appointment[], changes: Pending): readonly Appointment[] {
  if (changes.size === 0) return appointments
  return appointments.flatMap((appointment) => {
    const change = changes.get(appointment.id)
    if (change === 'deleted') return []
    return [change ? { ...appointment, ...change } : appointment]
  })
}

function become(next: Pending): void {
  pending = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
