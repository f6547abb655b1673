import { type DrivenType, type FleetVehicle, isTowed } from './lesson-vehicles.ts'
import { suitsClass } from './vehicles.ts'

export type VehicleWarning =
  | {
      readonly code: 'vehicle_not_fitting'
      readonly params: {
        readonly vehicle_id: string
        readonly license_class: string
        readonly license_classes: readonly string[]
      }
    }
  | {
      readonly code: 'vehicle_missing'
      readonly params: { readonly license_class: string; readonly kind: 'trailer' }
    }

export type PlannedVehicle = Pick<FleetVehicle, 'id' | 'kind' | 'license_classes'>

type PlannedVehicles = {
  readonly lesson_type: DrivenType | undefined
  readonly learning:
    | { readonly license_class_template_code: string | null; readonly license_class: string | null }
    | undefined
  readonly vehicles?: readonly PlannedVehicle[] | undefined
}

/** Returns a warning for each vehicle that does not suit the student's class, and one if the class lacks a trailer. */
export function vehicleWarningsFor({
  lesson_type,
  learning,
  vehicles,
}: PlannedVehicles): readonly VehicleWarning[] {
  const license_class = learning?.license_class ?? null
  if (!vehicles || !learning || license_class === null) return []
  const unsuited = vehicles.flatMap(({ id: vehicle_id, license_classes }) =>
    suitsClass(license_classes, license_class)
      ? []
      : [{ code: 'vehicle_not_fitting', params: { vehicle_id, license_class, license_classes } } as const],
  )
  const isMissing = !vehicles.some(({ kind }) => kind === 'trailer')
  if (!lesson_type || !isMissing || !isTowed(lesson_type, learning)) return unsuited
  return [...unsuited, { code: 'vehicle_missing', params: { license_class, kind: 'trailer' } }]
}
