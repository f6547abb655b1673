import type { NewVehicle } from '../contract/vehicle.ts'
import { type Day, localDateFor } from '../domain/local-time.ts'

/** The school's branches, and the minutes between them. */
export const DEMO_LOCATIONS = [
  { name: 'Sonnenallee', address: 'Sonnenallee 120, 12059 Berlin' },
  { name: 'Karlshorst', address: 'Treskowallee 40, 10318 Berlin' },
] as const
export const DEMO_TRAVEL_MINUTES = 25

/** The index of the branch at which an instructor or a car with that index starts. */
export function branchOf(index: number): number {
  return index < 4 ? 0 : 1
}

const CARS = ['Golf', 'Polo', 'Octavia', 'Ceed', 'i30', 'Astra']

/** Returns the vehicles, cars first. The automatic one is inspected on the second Tuesday after the given Monday. */
export function demoVehicles(monday: Day, branches: readonly string[]): readonly NewVehicle[] {
  const inspected = localDateFor(monday + 8)
  const cars = CARS.map((name, index): NewVehicle => {
    const isAutomatic = name === 'Ceed'
    return {
      name,
      kind: 'car',
      gearbox: isAutomatic ? 'automatic' : 'manual',
      license_classes: ['B', 'BE'],
      plate: `B-SA ${101 + index}`,
      location_id: branches[branchOf(index)] ?? null,
      absences: isAutomatic
        ? [{ start_at: `${inspected} 08:00`, end_at: `${inspected} 12:00`, note: 'Hauptuntersuchung' }]
        : [],
    }
  })
  const trailer: NewVehicle = {
    name: 'Anhänger',
    kind: 'trailer',
    license_classes: ['BE'],
    plate: 'B-SA 201',
  }
  return [...cars, { ...trailer, location_id: branches[0] ?? null }]
}

/** Returns the day on which the whole school is closed. */
export function demoClosure(monday: Day) {
  const date = localDateFor(monday + 18)
  return { start_date: date, end_date: date, note: 'Betriebsausflug' }
}
