import { countedMinutesOf, type OffPlan, offPlanIn } from './counted-minutes.ts'
import {
  countsToward,
  type Gearbox,
  isNamedBy,
  type Requirement,
  requiredUnits,
  unitsToward,
} from './requirements.ts'
import { unitsOf } from './units.ts'

/** Lessons with the same type, status and lengths, and their number. */
export type LessonCount = {
  readonly lesson_type_id: string
  /** Types with the same key count toward one requirement. */
  readonly requirement_key: string | null
  /** Whether they count for the enrolment; the app, which knows the class only, leaves it out. */
  readonly is_own?: boolean
  /** The class of the lessons; null if they count for any class. */
  readonly license_class?: string | null
  /** `opening` for the opening balance, which has `units` and no minutes. */
  readonly status: string
  readonly minutes: number
  readonly actual_minutes?: number | null
  readonly units?: number
  /** The topic of a theory class, which counts once per topic; null for drives. */
  readonly topic?: string | null
  readonly gearbox?: Gearbox | null
  readonly by_trainee?: boolean
  readonly count: number
}

export type Training = {
  readonly template_id: string | null
  readonly license_class: string | null
  readonly prior_classes?: readonly string[] | null
  readonly requirements: readonly (Requirement & { readonly is_theory: boolean })[]
  readonly lessons: readonly LessonCount[]
  readonly opening: readonly LessonCount[]
}

/** The progress toward a requirement, in whole units per lesson. */
export type RequirementProgress = Pick<
  Requirement,
  'lesson_type_id' | 'required_units' | 'min_one_block_units'
> & {
  readonly done_units: number
  /** The units from the opening balance, if any. */
  readonly opening_units?: number
  readonly planned_units: number
  readonly open_units: number
  /** Whether one completed lesson, or several that touch, are long enough; `null` if any length will do. */
  readonly block_done: boolean | null
  readonly off_plan?: OffPlan
}

/** Units outside the requirements, with fractions. */
export type OtherProgress = {
  readonly lesson_type_id: string
  readonly done_units: number
  /** The units from the opening balance, if any. */
  readonly opening_units?: number
  readonly planned_units: number
  readonly off_plan?: OffPlan
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
  const { template_id, license_class } = training
  const own = lessonsFor(license_class, allLessonsOf(training))
  const required = requirementsOf(training).map((requirement) => progressIn(requirement, own, unitMinutes))
  return {
    template_id,
    requirements: required,
    other: otherIn(training, unitMinutes),
    ready: template_id !== null && required.every(isMet),
  }
}

/** Returns the requirements for drives that need further units, planned ones not included. */
export function openDrivesIn(training: Training, unitMinutes: number): readonly RequirementProgress[] {
  const { requirements } = progressOf(training, unitMinutes)
  return requirements.filter(({ open_units }, at) => open_units > 0 && !training.requirements[at]?.is_theory)
}

/** Returns the requirements with the units that the student needs, by the classes that they hold. */
export function requirementsOf({
  requirements,
  prior_classes = null,
}: Pick<Training, 'requirements' | 'prior_classes'>): Training['requirements'] {
  return requirements.map((one) => ({ ...one, required_units: requiredUnits(one, prior_classes) }))
}

export function allLessonsOf({
  lessons,
  opening,
}: Pick<Training, 'lessons' | 'opening'>): readonly LessonCount[] {
  return [...lessons, ...opening]
}

export function sumOf(training: Training, unitMinutes: number): ProgressSum {
  const { requirements, ready } = progressOf(training, unitMinutes)
  const all = requirements.map((one, index) => ({ ...training.requirements[index], ...one }))
  return { ...unitsOfAll(all), theory: unitsOfAll(all.filter(({ is_theory }) => is_theory)), ready }
}

export function drivesOf({ theory, ...all }: ProgressSum): SummedUnits {
  return {
    done_units: all.done_units - theory.done_units,
    planned_units: all.planned_units - theory.planned_units,
    required_units: all.required_units - theory.required_units,
  }
}

type SummedRequirement = RequirementProgress & Partial<Training['requirements'][number]>

/** Adds up requirements. A surplus in one does not offset another, and units of an included one are the including one's. */
function unitsOfAll(requirements: readonly SummedRequirement[]): SummedUnits {
  const includedIn = ({ includes = [] }: SummedRequirement) =>
    requirements.filter((one) => includes.some((type) => type.lesson_type_id === one.lesson_type_id))
  const included = new Set(requirements.flatMap(includedIn))
  let [done_units, planned_units, required_units] = [0, 0, 0]
  for (const one of requirements) {
    if (included.has(one)) continue
    const parts = includedIn(one)
    const lackingAfter = (unitsIn: (line: RequirementProgress) => number) => {
      const lacking = (line: RequirementProgress) => Math.max(line.required_units - unitsIn(line), 0)
      return Math.max(
        lacking(one),
        parts.reduce((sum, part) => sum + lacking(part), 0),
      )
    }
    const required = lackingAfter(() => 0)
    const undone = lackingAfter((line) => line.done_units)
    done_units += required - undone
    planned_units += undone - lackingAfter((line) => line.done_units + line.planned_units)
    required_units += required
  }
  return { done_units, planned_units, required_units }
}

/** Returns the lessons that count for the training: those of its enrolment, or as far as only classes are known, of its class. */
export function lessonsFor<Lesson extends Pick<LessonCount, 'license_class' | 'is_own'>>(
  license_class: string | null,
  lessons: readonly Lesson[],
): readonly Lesson[] {
  return lessons.filter((one) => one.is_own ?? (!one.license_class || one.license_class === license_class))
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
  const had = lessons.map((one) =>
    one.status === PLANNED ? { ...one, status: DONE, actual_minutes: null } : one,
  )
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
  const wholeUnits = (one: LessonCount) => unitsToward(requirement, one, unitMinutes)
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
    ...offPlanIn(ofType),
  }
}

/** Keeps one class per topic: the longest completed one, or else the longest planned one. */
function eachTopicOnce(lessons: readonly LessonCount[]): readonly LessonCount[] {
  if (lessons.every(({ topic }) => !topic)) return lessons
  const seen = new Set<string>()
  const rank = ({ status }: LessonCount) => [DONE, PLANNED].indexOf(status)
  return lessons
    .filter(({ status }) => isSummed(status))
    .toSorted((a, b) => rank(a) - rank(b) || countedMinutesOf(b) - countedMinutesOf(a))
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
    own.has(one) && requirements.some((all) => isNamedBy(all, one) && countsToward(all, one))
  const others = lessons.filter((one) => isSummed(one.status) && !isRequired(one) && one.units !== 0)
  return [...Map.groupBy(others, ({ lesson_type_id }) => lesson_type_id)].map(([lesson_type_id, ofType]) => {
    const sumIn = (status: string) =>
      ofType
        .filter((one) => one.status === status)
        .reduce((sum, one) => sum + (one.units ?? countedMinutesOf(one)) * one.count, 0)
    const opening = sumIn(OPENING)
    return {
      lesson_type_id,
      done_units: unitsOf(sumIn(DONE) + opening * unitMinutes, unitMinutes),
      ...(opening > 0 && { opening_units: opening }),
      planned_units: unitsOf(sumIn(PLANNED), unitMinutes),
      ...offPlanIn(ofType),
    }
  })
}

function isSummed(status: string): boolean {
  return status === DONE || status === PLANNED || status === OPENING
}
