import type { TFunction } from 'i18next'
import type { AbsenceDecision } from '../../contract/absence-decision.ts'
import type { Instructor } from '../../contract/instructor.ts'
import type { Vehicle } from '../../contract/vehicle.ts'
import type { CANCELLATION_REASONS } from '../../domain/cancellation.ts'
import { CLOSURE_PATHS, changePathsOf, type PlanPaths } from '../data/absences.ts'
import { CLOSURE, changeKey } from '../data/undecided.ts'
import { nameOf, type School } from '../ui/school.tsx'
import type { AbsenceSearch } from './absence-search.ts'

/** The change whose lessons the page lists. */
export type AbsenceCause = {
  readonly kind: 'instructor' | 'vehicle' | 'retired' | 'closure' | 'change'
  /** The key of its draft, and its value in the list of causes. */
  readonly key: string
  readonly paths: PlanPaths
  /** The person or vehicle in texts. */
  readonly name: string
  readonly actions: readonly AbsenceDecision['action'][]
  /** The reason of cancellations at first. */
  readonly reason: (typeof CANCELLATION_REASONS)[number] | null
  readonly instructor?: Instructor
  readonly vehicle?: Vehicle
}

const OTHERS = ['move', 'cancel', 'keep'] as const

/** Returns the cause that the address names; undefined if it names none, or none of this school. */
export function causeFor(
  { instructor: instructorId = '', vehicle: vehicleId = '', closed, change }: AbsenceSearch,
  { instructor: instructors, vehicles }: School,
  t: TFunction,
): AbsenceCause | undefined {
  const instructor = instructors.get(instructorId)
  const vehicle = vehicles.find(({ id }) => id === vehicleId)
  if (closed) {
    const name = t('absencePage.school')
    return { kind: 'closure', key: CLOSURE, paths: CLOSURE_PATHS, name, actions: OTHERS, reason: null }
  }
  if (vehicle) {
    const path = `/vehicles/${vehicle.id}`
    const car = {
      name: vehicle.name,
      actions: ['other_vehicle', ...OTHERS] as const,
      reason: 'vehicle',
    } as const
    if (!change) return { kind: 'vehicle', key: vehicle.id, paths: pathsOf(path), ...car, vehicle }
    return { kind: 'retired', key: changeKey(vehicle.id), paths: changePathsOf(path), ...car, vehicle }
  }
  if (!instructor) return undefined
  const path = `/instructors/${instructor.id}`
  const person = { name: nameOf(instructor), actions: ['take_over', ...OTHERS] as const, instructor }
  if (!change)
    return { kind: 'instructor', key: instructor.id, paths: pathsOf(path), reason: 'illness', ...person }
  return {
    ...{ kind: 'change', key: changeKey(instructor.id), paths: changePathsOf(path), reason: null },
    ...person,
  }
}

/** Whether the change has no days to enter. */
export function hasNoDays({ kind }: AbsenceCause): boolean {
  return kind === 'change' || kind === 'retired'
}

/** Returns the causes to choose from: the active instructors and vehicles, and the whole school. */
export function causeOptions(
  { instructors, vehicles }: School,
  cause: AbsenceCause | undefined,
  t: TFunction,
): readonly (readonly [value: string, text: string])[] {
  return [
    ...(cause && !hasNoDays(cause) ? [] : [['', t('absencePage.choose')] as const]),
    ...instructors
      .filter((one) => one.active || one === cause?.instructor)
      .map((one) => [one.id, nameOf(one)] as const),
    ...vehicles
      .filter((one) => one.active || one === cause?.vehicle)
      .map(({ id, name, plate }) => [id, [name, plate].filter(Boolean).join(' · ')] as const),
    [CLOSURE, t('absencePage.school')],
  ]
}

/** Returns the part of the address that names a chosen cause. */
export function searchOf(key: string, { instructor }: Pick<School, 'instructor'>): AbsenceSearch {
  const none = { instructor: undefined, vehicle: undefined, closed: undefined, change: undefined }
  if (key === CLOSURE) return { ...none, closed: true }
  return instructor.has(key) ? { ...none, instructor: key } : { ...none, vehicle: key || undefined }
}

function pathsOf(path: string): PlanPaths {
  return { plan: `${path}/absence-plan`, record: `${path}/absences` }
}
