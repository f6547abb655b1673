import type { Appointment, AppointmentChange } from '../../contract/appointment.ts'
import { createStore } from '../ui/store.ts'

/** A change of a lesson, or that it goes. */
export type Expected = AppointmentChange | 'deleted'

/** The unanswered requests, in order, by the appointment's id. */
type Pending = ReadonlyMap<string, readonly Expected[]>

const pending = createStore<Pending>(new Map())

export const usePending = pending.use

/** Shows a change before the service has answered, however often the list is read meanwhile. */
export function expectChange(id: string, change: Expected): void {
  pending.set(new Map(pending.get()).set(id, [...(pending.get().get(id) ?? []), change]))
}

/** The service has answered, or nobody will ask it: from here on the list tells, and what else has been asked for. */
export function forgetChange(id: string, change: Expected): void {
  const rest =
    pending
      .get()
      .get(id)
      ?.filter((one) => one !== change) ?? []
  const all = new Map(pending.get())
  if (rest.length > 0) all.set(id, rest)
  else all.delete(id)
  pending.set(all)
}

/** The list as it will be if all goes well. */
export function withPending(
  appointments: readonly Appointment[],
  changes = pending.get(),
): readonly Appointment[] {
  if (changes.size === 0) return appointments
  return appointments.flatMap((appointment) => {
    const expected = changes.get(appointment.id) ?? []
    if (expected.includes('deleted')) return []
    return [Object.assign({}, appointment, ...expected) as Appointment]
  })
}
