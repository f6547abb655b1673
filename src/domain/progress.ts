import { unitsOf, wholeUnitsOf } from './units.ts'

/** Lessons with the same type, status and length, and their number. */
export type LessonCount = {
  readonly lesson_type_id: string
  /** Types with the same key count toward one requirement. */
  readonly requirement_key: string | null
  /** The class that they were for; `null` counts for any. */
  readonly license_class: string | null
  /** `opening` for the opening balance, which has `units` and no minutes. */
  readonly status: string
  readonly minutes: number
  readonly units?: number
  /** The topic of a theory class, which counts once per topic; null for drives. */
  readonly topic?: string | null
  readonly count: number
}

/** The units of a type that a class requires, and the shortest block among them (`null`: any length). */
export type Requirement = {
  readonly lesson_type_id: string
  readonly requirement_key: string | null
  readonly required_units: number
  readonly min_one_block_units: number | null
}

export type Training = {
  readonly template_id: string | null
  readonly license_class: string | null
  readonly requirements: readonly (Requirement & { readonly is_theory: boolean })[]
  readonly lessons: readonly LessonCount[]
  readonly opening: readonly LessonCount[]
}

/** The progress toward a requirement, in whole units per lesson. */
export type RequirementProgress = Omit<Requirement, 'requirement_key'> & {
  readonly done_units: number
  /** The units from the opening balance, if any. */
  readonly opening_units?: number
  readonly planned_units: number
  readonly open_units: number
  /** Whether one completed lesson is long enough; `null` if any length will do. */
  readonly block_done: boolean | null
}

/** Units outside the requirements, with fractions. */
export type OtherProgress = {
  readonly lesson_type_id: string
  readonly done_units: number
  /** The units from the opening balance, if any. */
  readonly opening_units?: number
  readonly planned_units: number
}

export type Progress = {
  readonly template_id: string | null
  readonly requirements: readonly RequirementProgress[]
  readonly other: readonly OtherProgress[]
  readonly ready: boolean
}

type SummedUnits = {
  readonly done_units: number
  readonly planned_units: number
  readonly required_units: number
}

export type ProgressSum = SummedUnits & { readonly theory: SummedUnits; readonly ready: boolean }

const DONE = 'completed'
const PLANNED = 'planned'
const OPENING = 'opening'

export function progressOf(training: Training, unitMinutes: number): Progress {
  const { template_id, license_class, requirements } = training
  const own = lessonsFor(license_class, allLessonsOf(training))
  const required = requirements.map((requirement) => progressIn(requirement, own, unitMinutes))
  return {
    template_id,
    requirements: required,
    other: otherIn(training, unitMinutes),
    ready: template_id !== null && required.every(isMet),
  }
}

export function allLessonsOf({
  lessons,
  opening,
}: Pick<Training, 'lessons' | 'opening'>): readonly LessonCount[] {
  return [...lessons, ...opening]
}

export function sumOf(training: Training, unitMinutes: number): ProgressSum {
  const { requirements, ready } = progressOf(training, unitMinutes)
  const theory = requirements.filter((_, index) => training.requirements[index]?.is_theory)
  return { ...unitsOfAll(requirements), theory: unitsOfAll(theory), ready }
}

/** Subtracts theory, which cannot replace drives. */
export function drivesOf({ theory, ...all }: ProgressSum): SummedUnits {
  return {
    done_units: all.done_units - theory.done_units,
    planned_units: all.planned_units - theory.planned_units,
    required_units: all.required_units - theory.required_units,
  }
}

/** Adds up requirements. A surplus in one does not offset another. */
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

/** Returns the lessons for the class, and those without a class. */
export function lessonsFor(
  license_class: string | null,
  lessons: readonly LessonCount[],
): readonly LessonCount[] {
  return lessons.filter((one) => one.license_class === null || one.license_class === license_class)
}

/** Whether the requirement has the lessons' type or key. */
export function countsToward(
  requirement: Pick<Requirement, 'lesson_type_id' | 'requirement_key'>,
  { lesson_type_id, requirement_key }: Pick<LessonCount, 'lesson_type_id' | 'requirement_key'>,
): boolean {
  if (lesson_type_id === requirement.lesson_type_id) return true
  return requirement_key !== null && requirement_key === requirement.requirement_key
}

/** Whether completed lessons meet the requirement: enough units, and a block if it needs one. */
export function isMet({
  required_units,
  done_units,
  block_done,
}: Pick<RequirementProgress, 'required_units' | 'done_units' | 'block_done'>): boolean {
  return done_units >= required_units && block_done !== false
}

/** Whether the completed and planned lessons together meet the requirement. */
export function isCovered(
  requirement: Requirement,
  lessons: readonly LessonCount[],
  unitMinutes: number,
): boolean {
  const had = lessons.map((one) => (one.status === PLANNED ? { ...one, status: DONE } : one))
  return isMet(progressIn(requirement, had, unitMinutes))
}

/** Computes progress toward one requirement, in whole units per lesson. */
export function progressIn(
  requirement: Requirement,
  lessons: readonly LessonCount[],
  unitMinutes: number,
): RequirementProgress {
  const { lesson_type_id, required_units, min_one_block_units } = requirement
  const ofType = eachTopicOnce(lessons.filter((one) => countsToward(requirement, one)))
  const wholeUnits = ({ units, minutes }: LessonCount) => units ?? wholeUnitsOf(minutes, unitMinutes)
  const unitsIn = (status: string) =>
    ofType.reduce((sum, one) => (one.status === status ? sum + wholeUnits(one) * one.count : sum), 0)
  const isBlock = (one: LessonCount) =>
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
    // The lengths of earlier lessons are unknown: the balance includes a block only if it meets the whole requirement.
    block_done: min_one_block_units === null ? null : opening_units >= required_units || ofType.some(isBlock),
  }
}

/** Keeps one class per topic: the longest completed one, or else the longest planned one. */
function eachTopicOnce(lessons: readonly LessonCount[]): readonly LessonCount[] {
  if (lessons.every(({ topic }) => !topic)) return lessons
  const seen = new Set<string>()
  const rank = ({ status }: LessonCount) => [DONE, PLANNED].indexOf(status)
  return lessons
    .filter(({ status }) => isSummed(status))
    .toSorted((a, b) => rank(a) - rank(b) || b.minutes - a.minutes)
    .flatMap((one) => {
      if (!one.topic) return [one]
      if (seen.has(one.topic)) return []
      seen.add(one.topic)
      return [{ ...one, count: 1 }]
    })
}

function otherIn(training: Training, unitMinutes: number): readonly OtherProgress[] {
  const { license_class, requirements } = training
  const lessons = allLessonsOf(training)
  const own = new Set(lessonsFor(license_class, lessons))
  const isRequired = (one: LessonCount) =>
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
