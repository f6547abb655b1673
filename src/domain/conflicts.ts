import type { Occupancy, TimedAppointment, TimedProposal } from './agenda.ts'
import { overlaps } from './interval.ts'
import type { Refusal } from './refusal.ts'

/** Checks rules 1, 2 and 10: the person or vehicle has no overlapping appointment. Expects sorted appointments. */
export function conflictRefusalFor(
  proposed: TimedProposal,
  { code, vehicle, student_id, appointments }: Occupancy<TimedAppointment>,
): Refusal | undefined {
  const rival = appointments.find((appointment) => overlaps(appointment, proposed))?.source
  if (!rival) return undefined
  const params = { appointment_id: rival.id, start_at: rival.start_at, end_at: rival.end_at }
  if (code === 'vehicle_busy') return vehicle && { code, params: { vehicle_id: vehicle.id, ...params } }
  if (code === 'student_busy' && student_id !== undefined) return { code, params: { student_id, ...params } }
  return { code, params }
}

export function firstConflictFor(
  code: Occupancy['code'],
  proposed: TimedProposal,
  occupied: readonly Occupancy<TimedAppointment>[],
): Refusal | undefined {
  for (const one of occupied) {
    const refusal = one.code === code ? conflictRefusalFor(proposed, one) : undefined
    if (refusal) return refusal
  }
  return undefined
}
