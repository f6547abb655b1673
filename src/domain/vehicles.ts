export const VEHICLE_KINDS = ['car', 'motorcycle', 'trailer', 'truck', 'other'] as const

/** Whether a vehicle suits a class. A vehicle without classes suits all. */
export function suitsClass(license_classes: readonly string[], license_class: string | null): boolean {
  return license_class === null || license_classes.length === 0 || license_classes.includes(license_class)
}
