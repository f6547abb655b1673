import { unitsOf, wholeUnitsOf } from './units.ts'

/** Lessons of one type, status and length, and how many of them there are. */
export type LessonsAlike = {
  readonly lesson_type_id: string
  /** The key of the lesson type: types with the same key count toward one requirement. */
  readonly requirement_key: string | null
  /** The class that they were driven for; `null` counts for any. */
  readonly license_class: string | null
  /** `opening` of units of the opening balance, which have `units` and no minutes. */
  readonly status: string
  readonly minutes: number
  readonly units?: number
  readonly count: number
}

/** The units of a lesson type that a class demands, and how many of them in one piece (`null`: pieces of any length). */
export type Requirement = {
  readonly lesson_type_id: string
  readonly requirement_key: string | null
  readonly required_units: number
  readonly min_one_block_units: number | null
}

/** A student's class, what it demands, and the lessons that stand; the deleted are not among them. */
export type Training = {
  readonly template_id: string | null
  readonly license_class: string | null
  readonly requirements: readonly (Requirement & { readonly is_theory: boolean })[]
  readonly lessons: readonly LessonsAlike[]
  /** The opening balance. */
  readonly opening: readonly LessonsAlike[]
}

/** A requirement, and how far it is met, in whole units of each lesson. */
export type RequirementProgress = Omit<Requirement, 'requirement_key'> & {
  readonly done_units: number
  /** The units of the opening balance among them; left out if there are none. */
  readonly opening_units?: number
  readonly planned_units: number
  readonly open_units: number
  /** Whether one lesson that was had is long enough; `null` where any length will do. */
  readonly block_done: boolean | null
}

/** The other units driven or planned, with their fractions. */
export type OtherProgress = {
  readonly lesson_type_id: string
  readonly done_units: number
  /** The units of the opening balance among them; left out if there are none. */
  readonly opening_units?: number
  readonly planned_units: number
}

/** A student's progress toward the licence. */
export type Progress = {
  readonly template_id: string | null
  readonly requirements: readonly RequirementProgress[]
  readonly other: readonly OtherProgress[]
  readonly ready: boolean
}

/** Units of several requirements together. */
type SummedUnits = {
  readonly done_units: number
  readonly planned_units: number
  readonly required_units: number
}

/** All requirements together, and those of theory apart. */
export type ProgressSum = SummedUnits & { readonly theory: SummedUnits; readonly ready: boolean }

const DONE = 'completed'
const PLANNED = 'planned'
const OPENING = 'opening'

/** Computes the progress of a training. Requirements keep their own order, the rest that of the lessons. */
export function progressOf(training: Training, unitMinutes: number): Progress {
  const { template_id, license_class, requirements } = training
  const own = lessonsFor(license_class, learntIn(training))
  const required = requirements.map((requirement) => progressIn(requirement, own, unitMinutes))
  return {
    template_id,
    requirements: required,
    other: otherIn(training, unitMinutes),
    ready: template_id !== null && required.every(isMet),
  }
}

/** Returns the lessons, and after them the opening balance. */
export function learntIn({
  lessons,
  opening,
}: Pick<Training, 'lessons' | 'opening'>): readonly LessonsAlike[] {
  return [...lessons, ...opening]
}

/** Returns the sum of the requirements of a training. */
export function sumOf(training: Training, unitMinutes: number): ProgressSum {
  const { requirements, ready } = progressOf(training, unitMinutes)
  const theory = requirements.filter((_, index) => training.requirements[index]?.is_theory)
  return { ...unitsOfAll(requirements), theory: unitsOfAll(theory), ready }
}

/** Returns the units but those of theory: hours in a classroom make up for no drive. */
export function drivesOf({ theory, ...all }: ProgressSum): SummedUnits {
  return {
    done_units: all.done_units - theory.done_units,
    planned_units: all.planned_units - theory.planned_units,
    required_units: all.required_units - theory.required_units,
  }
}

/** Adds up requirements. What exceeds one of them is not in the sum, for it makes up for no other. */
function unitsOfAll(requirements: readonly RequirementProgress[]): SummedUnits {
  let [done_units, planned_units, required_units] = [0, 0, 0]
  for (const one of requirements) {
    const done = Math.min(one.done_units, one.required_units)
    done_units += done
    planned_units += Math.min(one.planned_units, one.required_units - done)
    required_units += one.required_units
  }
  return { done_units, planned_units, required_units }
}

/** Returns the lessons that count for a class: those driven for it, and those driven for none. */
export function lessonsFor(
  license_class: string | null,
  lessons: readonly LessonsAlike[],
): readonly LessonsAlike[] {
  return lessons.filter((one) => one.license_class === null || one.license_class === license_class)
}

/** Whether lessons of a type count toward a requirement: it names their type, or one with the same key. */
export function countsToward(
  requirement: Pick<Requirement, 'lesson_type_id' | 'requirement_key'>,
  { lesson_type_id, requirement_key }: Pick<LessonsAlike, 'lesson_type_id' | 'requirement_key'>,
): boolean {
  if (lesson_type_id === requirement.lesson_type_id) return true
  return requirement_key !== null && requirement_key === requirement.requirement_key
}

/** Whether the lessons that were had meet the requirement: enough units, and a block where it asks for one. */
export function isMet({
  required_units,
  done_units,
  block_done,
}: Pick<RequirementProgress, 'required_units' | 'done_units' | 'block_done'>): boolean {
  return done_units >= required_units && block_done !== false
}

/** Whether nothing of the requirement is open: it is met once the planned lessons have been had. */
export function isCovered(
  requirement: Requirement,
  lessons: readonly LessonsAlike[],
  unitMinutes: number,
): boolean {
  const had = lessons.map((one) => (one.status === PLANNED ? { ...one, status: DONE } : one))
  return isMet(progressIn(requirement, had, unitMinutes))
}

/** Computes the progress of lessons toward one requirement, in whole units of each; lessons of other types do not count. */
export function progressIn(
  requirement: Requirement,
  lessons: readonly LessonsAlike[],
  unitMinutes: number,
): RequirementProgress {
  const { lesson_type_id, required_units, min_one_block_units } = requirement
  const ofType = lessons.filter((one) => countsToward(requirement, one))
  const wholeUnits = ({ units, minutes }: LessonsAlike) => units ?? wholeUnitsOf(minutes, unitMinutes)
  const unitsIn = (status: string) =>
    ofType.reduce((sum, one) => (one.status === status ? sum + wholeUnits(one) * one.count : sum), 0)
  const isBlock = (one: LessonsAlike) =>
    one.status === DONE && min_one_block_units !== null && wholeUnits(one) >= min_one_block_units
  const [opening_units, planned_units] = [unitsIn(OPENING), unitsIn(PLANNED)]
  const done_units = unitsIn(DONE) + opening_units
  return {
    lesson_type_id,
    required_units,
    done_units,
    ...(opening_units > 0 && { opening_units }),
    planned_units,
    open_units: Math.max(required_units - done_units - planned_units, 0),
    min_one_block_units,
    // The balance does not tell how long the lessons were: only one that meets the whole requirement includes the block.
    block_done: min_one_block_units === null ? null : opening_units >= required_units || ofType.some(isBlock),
  }
}

function otherIn(training: Training, unitMinutes: number): readonly OtherProgress[] {
  const { license_class, requirements } = training
  const lessons = learntIn(training)
  const own = new Set(lessonsFor(license_class, lessons))
  const isRequired = (one: LessonsAlike) =>
    own.has(one) && requirements.some((requirement) => countsToward(requirement, one))
  const sums = new Map<string, { completed: number; planned: number; opening: number }>()
  for (const lesson of lessons) {
    const { lesson_type_id, status, units, minutes, count } = lesson
    if (!isSummed(status) || isRequired(lesson) || units === 0) continue
    const sum = sums.get(lesson_type_id) ?? { completed: 0, planned: 0, opening: 0 }
    sum[status] += (units ?? minutes) * count
    sums.set(lesson_type_id, sum)
  }
  return [...sums].map(([lesson_type_id, { completed, planned, opening }]) => ({
    lesson_type_id,
    done_units: unitsOf(completed + opening * unitMinutes, unitMinutes),
    ...(opening > 0 && { opening_units: opening }),
    planned_units: unitsOf(planned, unitMinutes),
  }))
}

function isSummed(status: string): status is typeof DONE | typeof PLANNED | typeof OPENING {
  return status === DONE || status === PLANNED || status === OPENING
}
