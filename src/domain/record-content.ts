import { intervalOf, minutesOf } from './interval.ts'
import type { LocalDate } from './local-time.ts'
import { type LessonCount, progressIn, requirementsOf } from './progress.ts'
import {
  examRowOf,
  type FormCodes,
  gearboxOfRow,
  isPractice,
  isTheory,
  minutesOfRow,
  practiceRowOf,
  type RecordLesson,
  recordedLessons,
  startOf,
  theoryRowOf,
} from './record-lessons.ts'
import { countsToward, type Requirement } from './requirements.ts'
import { type RetentionRule, retainedUntil } from './retention.ts'
import type {
  Cooperation,
  Credit,
  ExamRow,
  PracticeRow,
  PriorClass,
  RecordInstructor,
  RecordState,
  RecordTotal,
  TheoryRow,
} from './training-record.ts'
import { actualIntervalOf, actualTimesOf } from './worked.ts'

export type RecordedInstructor = {
  readonly id: string
  readonly name: string
  readonly number: string | null
  readonly license_classes: readonly string[]
}

export type RecordRequirement = Requirement & { readonly code: string; readonly is_theory: boolean }

export type RecordedCredit = Credit & { readonly requirement_key: string | null }

/** The facts of a training from which its record is made. */
export type TrainingFacts = {
  readonly timezone: string
  readonly unit_minutes: number
  readonly license_class: string
  readonly codes: FormCodes
  readonly requirements: readonly RecordRequirement[]
  readonly prior_classes: readonly PriorClass[] | null
  readonly cooperation: Cooperation | null
  readonly credits: readonly RecordedCredit[]
  /** All lessons of the student but cancelled ones. */
  readonly lessons: readonly RecordLesson[]
  readonly instructors: readonly RecordedInstructor[]
}

export type RecordRows = {
  readonly instructors: readonly RecordInstructor[]
  readonly theory: readonly TheoryRow[]
  readonly practice: readonly PracticeRow[]
  readonly exams: readonly ExamRow[]
}

/** Returns the rows of a record by start, and its instructors numbered by their first one. */
export function recordRowsOf({ lessons, instructors, codes, timezone }: TrainingFacts): RecordRows {
  const recorded = recordedLessons(lessons, codes)
  const taught = recorded.filter((one) => isTheory(one) || isPractice(one))
  const ids = [...new Set(taught.map(({ instructor_id }) => instructor_id))]
  const numberOf = (id: string) => ids.indexOf(id) + 1
  const nameOf = (id: string) => instructors.find((one) => one.id === id)?.name ?? ''
  return {
    instructors: ids.map((id) => ({ no: numberOf(id), instructor_id: id, name: nameOf(id) })),
    theory: taught.filter(isTheory).map((one) => theoryRowOf(one, { timezone, numberOf })),
    practice: taught.filter(isPractice).map((one) => practiceRowOf(one, { timezone, numberOf, codes })),
    exams: recorded.filter((one) => !taught.includes(one)).map(examRowOf),
  }
}

/** Returns the units toward each requirement, as progress counts them; rows that touch make up one block. */
export function recordTotalsOf(facts: TrainingFacts): readonly RecordTotal[] {
  const { requirements, prior_classes, unit_minutes } = facts
  const held = prior_classes?.map(({ license_class }) => license_class) ?? null
  const lessons = facts.lessons.filter(({ is_own }) => is_own)
  const counts = [...lessons.map(lessonCountOf), ...facts.credits.map(creditCountOf)]
  const codes = new Map(requirements.map((one) => [one.lesson_type_id, one.code]))
  return requirementsOf({ requirements, prior_classes: held }).map((requirement) => {
    const { lesson_type_id, required_units, done_units, opening_units, block_done } = progressIn(
      requirement,
      counts,
      unit_minutes,
    )
    return {
      requirement: codes.get(lesson_type_id) ?? '',
      required_units,
      done_units,
      credited_units: opening_units ?? 0,
      block_done: block_done === false ? hasBlock(requirement, facts) : block_done,
    }
  })
}

function lessonCountOf(lesson: RecordLesson): LessonCount {
  const { lesson_type_id, requirement_key, is_own, status, seats, topic, by_trainee } = lesson
  const isTimed = lesson.actual_start_at !== null && lesson.actual_end_at !== null
  return {
    ...{ lesson_type_id, requirement_key, is_own, status, by_trainee },
    minutes: minutesOf(intervalOf(lesson)),
    actual_minutes: isTimed ? minutesOf(actualIntervalOf(lesson)) : null,
    topic: seats > 1 ? topic : null,
    gearbox: gearboxOfRow(lesson),
    count: 1,
  }
}

function creditCountOf({ lesson_type_id, requirement_key, units }: RecordedCredit): LessonCount {
  return { lesson_type_id, requirement_key, is_own: true, status: 'opening', units, minutes: 0, count: 1 }
}

/** Whether a chain of completed lessons without a pause, with the same instructor, type and day, is a block. */
function hasBlock(requirement: Requirement, facts: TrainingFacts): boolean {
  const { min_one_block_units, unit_minutes } = requirement
  if (min_one_block_units === null) return false
  const needed = min_one_block_units * (unit_minutes ?? facts.unit_minutes)
  const counted = recordedLessons(facts.lessons, facts.codes).filter((one) =>
    countsToward(requirement, { ...one, gearbox: gearboxOfRow(one) }),
  )
  return chainsIn(counted).some(
    (chain) => chain.reduce((sum, one) => sum + minutesOfRow(one, facts.timezone), 0) >= needed,
  )
}

function chainsIn(lessons: readonly RecordLesson[]): readonly (readonly RecordLesson[])[] {
  const chains: RecordLesson[][] = []
  for (const lesson of lessons) {
    const chain = chains.find((one) => continues(one.at(-1), lesson))
    if (chain) chain.push(lesson)
    else chains.push([lesson])
  }
  return chains
}

function continues(before: RecordLesson | undefined, next: RecordLesson): boolean {
  return (
    before !== undefined &&
    before.instructor_id === next.instructor_id &&
    before.lesson_type_id === next.lesson_type_id &&
    startOf(before).date === startOf(next).date &&
    actualTimesOf(before).end_at === actualTimesOf(next).start_at
  )
}

/** Returns the part of a record that signatures are about: instructors by id, and nothing that only names somebody. */
export function signedContentOf(
  student_id: string,
  { theory, practice, instructors }: RecordRows,
  { license_class, prior_classes, credits, cooperation }: Omit<SignedFacts, 'student_id'>,
) {
  const idOf = (no: number) => instructors[no - 1]?.instructor_id ?? null
  return {
    student_id,
    license_class,
    prior_classes,
    theory: theory.map(({ instructor_no, ...row }) => ({ ...row, instructor_id: idOf(instructor_no) })),
    practice: practice.map(({ instructor_no, vehicle: _, ...row }) => ({
      ...row,
      instructor_id: idOf(instructor_no),
    })),
    credits,
    cooperation,
  }
}

type SignedFacts = Pick<TrainingFacts, 'license_class' | 'prior_classes' | 'cooperation'> & {
  readonly credits: readonly Credit[]
}

type Ended = { readonly outcome: string | null }

/** Returns the state of the record of a training. It is partial if the training ended before it was complete. */
export function recordStateOf({ outcome }: Ended): RecordState {
  if (outcome === null) return 'running'
  return outcome === 'passed' ? 'ended' : 'partial'
}

/** Returns the last day on which a record must be kept: null while the training goes on, and without rows or a rule. */
export function recordRetainedUntil(
  { theory, practice }: Pick<RecordRows, 'theory' | 'practice'>,
  state: RecordState,
  rule: RetentionRule | null,
): LocalDate | null {
  const last = [...theory, ...practice].reduce((day, { date }) => (date > day ? date : day), '')
  return state === 'running' || last === '' || !rule ? null : retainedUntil(last, rule)
}
