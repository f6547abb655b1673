import { MAX_VEHICLES_OF_AN_APPOINTMENT } from './ranges.ts'
import { suitsClass, type VEHICLE_KINDS } from './vehicles.ts'

export type DrivenType = { readonly category: string; readonly counts_toward_legal_minutes: boolean }

export type VehicleClass = { readonly code: string; readonly license_class: string }

export type FleetVehicle = {
  readonly id: string
  readonly kind: (typeof VEHICLE_KINDS)[number]
  readonly active: boolean
  readonly license_classes: readonly string[]
}

export type Fleet = ReadonlyMap<string, FleetVehicle>

export type VehicleUse = {
  readonly usual_vehicle_id: string | null
  /** Undefined if unknown: the lesson counts as driven. */
  readonly lesson_type: DrivenType | undefined
  readonly student_class: VehicleClass | undefined
}

const DRIVEN_CATEGORIES: ReadonlySet<string> = new Set(['practical', 'special', 'practical_exam'])

/** Whether lessons of a type are driven: drives, practical tests, and drives of a seminar, which count as worked time. */
export function isDriven({ category, counts_toward_legal_minutes }: DrivenType): boolean {
  return DRIVEN_CATEGORIES.has(category) || (category === 'seminar' && counts_toward_legal_minutes)
}

/** The classes of Directive 2006/126/EC for combinations with a trailer. Tractors (`T`) are driven alone, too. */
const TRAILER_CLASSES: ReadonlySet<string> = new Set(['BE', 'C1E', 'CE', 'D1E', 'DE'])
/** The joint courses for a vehicle and its combination, by code. Some of their drives are without a trailer, and each has two exams. */
export const JOINT_COURSES: ReadonlySet<string> = new Set(['C1_C1E_JOINT', 'C_CE_JOINT'])

/** Whether every drive of a student's class needs a trailer. */
export function needsTrailer(student_class: VehicleClass | undefined): boolean {
  return (
    student_class !== undefined &&
    TRAILER_CLASSES.has(student_class.license_class) &&
    !JOINT_COURSES.has(student_class.code)
  )
}

export function isTowed(
  lesson_type: DrivenType,
  student: { readonly license_class_template_code: string | null; readonly license_class: string | null },
): boolean {
  const { license_class_template_code: code, license_class } = student
  if (code === null || license_class === null) return false
  return isDriven(lesson_type) && needsTrailer({ code, license_class })
}

/**
 * Returns the vehicles of a new lesson. A driven lesson has the instructor's usual vehicle, or the only other one of its
 * class if that does not suit it, and a trailer if the class needs one and only one suits it. `beside` are vehicles
 * chosen by hand; a trailer among them takes the place of the usual one.
 */
export function vehiclesFor(use: VehicleUse, fleet: Fleet, beside: readonly string[] = []): string[] {
  const { motor, trailer } = usualFor(use, fleet)
  const isTowing = beside.some((id) => roleOf(id, fleet) === 'trailer')
  const usual = [bookable(motor, fleet), isTowing ? undefined : bookable(trailer, fleet)]
  return [...new Set([...usual.filter((id) => id !== undefined), ...beside])].slice(
    0,
    MAX_VEHICLES_OF_AN_APPOINTMENT,
  )
}

/**
 * Returns the vehicles of a lesson after its instructor, type or student has changed. A usual vehicle gives way to the one
 * that is usual then; vehicles chosen by hand stay, and one taken out by hand is not replaced.
 */
export function vehiclesAfter(
  vehicle_ids: readonly string[],
  [before, after]: readonly [VehicleUse, VehicleUse],
  fleet: Fleet,
): string[] {
  const [former, next] = [usualFor(before, fleet), usualFor(after, fleet)]
  let ids = [...vehicle_ids]
  for (const role of ['motor', 'trailer'] as const) {
    const [from, to] = [former[role], bookable(next[role], fleet)]
    if (from === next[role]) continue
    const isOther = to !== undefined && !ids.includes(to)
    if (from !== undefined && ids.includes(from))
      ids = isOther ? ids.map((id) => (id === from ? to : id)) : ids.filter((id) => id !== from)
    else if (from === undefined && isOther && !ids.some((id) => roleOf(id, fleet) === role)) ids.push(to)
  }
  return ids.slice(0, MAX_VEHICLES_OF_AN_APPOINTMENT)
}

/**
 * Returns the vehicles of a lesson beside its usual ones, such that `vehiclesFor` returns all of them; undefined if one
 * that was chosen by hand has taken the place of a usual one, or a usual one was taken out.
 */
export function besideUsual(
  vehicle_ids: readonly string[],
  use: VehicleUse,
  fleet: Fleet,
): readonly string[] | undefined {
  const usual = vehiclesFor(use, fleet)
  const beside = vehicle_ids.filter((id) => !usual.includes(id))
  const isMotor = (id: string) => roleOf(id, fleet) === 'motor'
  if (beside.some(isMotor) && !usual.some(isMotor)) return undefined
  const all = vehiclesFor(use, fleet, beside)
  return all.toSorted().join() === vehicle_ids.toSorted().join() ? beside : undefined
}

type Usual = { readonly [Role in 'motor' | 'trailer']: string | undefined }

/** Returns the usual vehicles, also one that is not in use: a lesson may still have it. */
function usualFor({ usual_vehicle_id, lesson_type, student_class }: VehicleUse, fleet: Fleet): Usual {
  if (lesson_type && !isDriven(lesson_type)) return { motor: undefined, trailer: undefined }
  const license_class = student_class?.license_class ?? null
  const suiting = (isWanted: (one: FleetVehicle) => boolean) =>
    [...fleet.values()].filter(
      (one) => one.active && isWanted(one) && suitsClass(one.license_classes, license_class),
    )
  const motor = () => {
    const usual = fleet.get(usual_vehicle_id ?? '')
    if (!usual || suitsClass(usual.license_classes, license_class)) return usual_vehicle_id ?? undefined
    return (
      onlyOne(suiting(({ kind, license_classes }) => kind !== 'trailer' && license_classes.length > 0)) ??
      usual.id
    )
  }
  return {
    motor: motor(),
    trailer: needsTrailer(student_class) ? onlyOne(suiting(({ kind }) => kind === 'trailer')) : undefined,
  }
}

function onlyOne(vehicles: readonly FleetVehicle[]): string | undefined {
  return vehicles.length === 1 ? vehicles[0]?.id : undefined
}

function bookable(id: string | undefined, fleet: Fleet): string | undefined {
  return id !== undefined && fleet.get(id)?.active ? id : undefined
}

function roleOf(id: string, fleet: Fleet): keyof Usual {
  return fleet.get(id)?.kind === 'trailer' ? 'trailer' : 'motor'
}
