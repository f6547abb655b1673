import type { Occupied, TimedAppointment, TimedProposal } from './agenda.ts'
import { overlaps } from './interval.ts'
import type { Refusal } from './refusal.ts'

/** Rules 1 and 2: one of those whom the proposal would occupy has an overlapping appointment. Appointments are sorted by start. */
export function conflictRefusalFor(
  proposed: TimedProposal,
  { code, appointments }: Occupied<TimedAppointment>,
): Refusal | undefined {
  const rival = appointments.find((appointment) => overlaps(appointment, proposed))?.source
  return (
    rival && { code, params: { appointment_id: rival.id, start_at: rival.start_at, end_at: rival.end_at } }
  )
}
