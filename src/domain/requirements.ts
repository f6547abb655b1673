import { countedMinutesOf } from './counted-minutes.ts'
import { wholeUnitsOf } from './units.ts'

export type Gearbox = 'manual' | 'automatic'

export type CountedType = { readonly lesson_type_id: string; readonly requirement_key: string | null }

export type PriorUnits = { readonly classes: readonly string[]; readonly required_units: number }

/** The units of a type that a class requires, and the shortest block among them (`null`: any length). */
export type Requirement = CountedType & {
  readonly required_units: number
  readonly min_one_block_units: number | null
  /** The fewer units for students who hold another class. */
  readonly by_prior?: readonly PriorUnits[]
  readonly unit_minutes?: number | null
  /** Whether lessons count for every class that the student is trained for. */
  readonly shared?: boolean
  readonly includes?: readonly CountedType[]
  /** The drives that count, too, whatever their type. Drives with another gearbox never count. */
  readonly also?: { readonly gearbox: Gearbox } | null
  /** The shortest length in minutes that counts as one unit. */
  readonly min_minutes?: number | null
  readonly not_by_trainee?: boolean
}

type CountedLesson = CountedType & {
  /** The gearbox of the vehicle of a drive; null if it is unknown, or if the lesson is no drive of the training. */
  readonly gearbox?: Gearbox | null
  readonly by_trainee?: boolean
}

const ANY_CLASS = '*'
/** The categories of lessons that are drives of the training: tests are not. */
const TRAINING_DRIVES: ReadonlySet<string> = new Set(['practical', 'special'])

/** Returns the units that a student with these classes needs. `null` are unknown classes: the units of a first licence. */
export function requiredUnits(
  { required_units, by_prior = [] }: Pick<Requirement, 'required_units' | 'by_prior'>,
  priorClasses: readonly string[] | null,
): number {
  const holds = (name: string) =>
    name === ANY_CLASS ? priorClasses?.length !== 0 : priorClasses?.includes(name)
  if (priorClasses === null) return required_units
  const lower = by_prior.filter(({ classes }) => classes.some(holds))
  return Math.min(required_units, ...lower.map((one) => one.required_units))
}

export function countsToward(
  requirement: Omit<Requirement, 'required_units' | 'min_one_block_units'>,
  lesson: CountedLesson,
): boolean {
  if (requirement.not_by_trainee && lesson.by_trainee) return false
  const { also } = requirement
  if (also && lesson.gearbox != null) return lesson.gearbox === also.gearbox
  return isNamedBy(requirement, lesson)
}

/** Whether the requirement names the lesson's type, by type or key, for itself or among those included. */
export function isNamedBy(
  { includes = [], ...own }: CountedType & Pick<Requirement, 'includes'>,
  lesson: CountedType,
): boolean {
  return [own, ...includes].some((type) => isAlike(type, lesson))
}

function isAlike(a: CountedType, b: CountedType): boolean {
  if (a.lesson_type_id === b.lesson_type_id) return true
  return a.requirement_key !== null && a.requirement_key === b.requirement_key
}

/** Returns the whole units of one lesson toward the requirement. */
export function unitsToward(
  { unit_minutes, min_minutes }: Pick<Requirement, 'unit_minutes' | 'min_minutes'>,
  lesson: Parameters<typeof countedMinutesOf>[0] & { readonly units?: number },
  unitMinutes: number,
): number {
  if (lesson.units !== undefined) return lesson.units
  const minutes = countedMinutesOf(lesson)
  if (min_minutes != null) return minutes >= min_minutes ? 1 : 0
  return wholeUnitsOf(minutes, unit_minutes ?? unitMinutes)
}

/** Returns the gearbox by which a lesson of the category counts: the automatic one if its vehicles have both. */
export function countedGearboxOf(
  lessonType: { readonly category: string } | undefined,
  vehicles: readonly { readonly gearbox: Gearbox | null }[],
): Gearbox | null {
  if (!lessonType || !TRAINING_DRIVES.has(lessonType.category)) return null
  const known = vehicles.map(({ gearbox }) => gearbox)
  return known.includes('automatic') ? 'automatic' : known.includes('manual') ? 'manual' : null
}
