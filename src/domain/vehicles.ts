import type { Occupancy, TimedAppointment, TimedProposal, VehicleRules } from './agenda.ts'
import { conflictRefusalFor } from './conflicts.ts'
import { type Interval, intervalOf, overlaps } from './interval.ts'
import type { Refusal, RefusalCode } from './refusal.ts'

export const VEHICLE_KINDS = ['car', 'motorcycle', 'trailer', 'truck', 'other'] as const
/** Checks rule 10: each vehicle is active, not absent, and free. Results are by rule, then in the order of the vehicles. */
export function vehicleChecksFor(
  proposed: TimedProposal,
  occupied: readonly Occupancy<TimedAppointment>[],
): readonly { readonly code: RefusalCode; readonly refusal: Refusal | undefined }[] {
  const vehicles = occupied.filter(({ vehicle }) => vehicle)
  const rules = vehicles.flatMap(({ vehicle }) => vehicle ?? [])
  return [
    ...rules.map(({ id, active }) => broken('vehicle_inactive', id, !active)),
    ...rules.map((rule) => broken('vehicle_absent', rule.id, isAbsent(rule, proposed))),
    ...vehicles.map((one) => ({ code: one.code, refusal: conflictRefusalFor(proposed, one) })),
  ]
}

export function isAbsent({ absences }: VehicleRules, interval: Interval): boolean {
  return absences.some((absence) => overlaps(intervalOf(absence), interval))
}

/** Whether a vehicle suits a class. A vehicle without classes suits all. */
export function suitsClass(license_classes: readonly string[], license_class: string | null): boolean {
  return license_class === null || license_classes.length === 0 || license_classes.includes(license_class)
}

function broken(code: 'vehicle_inactive' | 'vehicle_absent', vehicle_id: string, isBroken: boolean) {
  return { code, refusal: isBroken ? { code, params: { vehicle_id } } : undefined }
}
