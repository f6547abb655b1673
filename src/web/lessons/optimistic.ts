import type { Appointment, AppointmentChange } from '../../contract/appointment.ts'
import { createStore } from '../ui/store.ts'

type Expected = AppointmentChange | 'deleted'

/** What has been asked for and not yet answered, by the appointment's id. */
type Pending = ReadonlyMap<string, Expected>

const pending = createStore<Pending>(new Map())

export const usePending = pending.use

/** Shows a change before the service has answered, however often the list is read meanwhile. */
export function expectChange(id: string, change: Expected): void {
  pending.set(new Map(pending.get()).set(id, change))
}

/** The service has answered, or nobody will ask it: from here on the list tells, unless more has been asked for. */
export function forgetChange(id: string, change: Expected): void {
  if (pending.get().get(id) !== change) return
  const rest = new Map(pending.get())
  rest.delete(id)
  pending.set(rest)
}

/** The list as it will be if all goes well. */
export function withPending(
  appointments: readonly Appointment[],
  changes = pending.get(),
): readonly Appointment[] {
  if (changes.size === 0) return appointments
  return appointments.flatMap((appointment) => {
    const change = changes.get(appointment.id)
    if (change === 'deleted') return []
    return [change ? { ...appointment, ...change } : appointment]
  })
}
