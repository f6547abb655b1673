import { dateOf, type LocalDate, type TimeOfDay, timeOf } from './local-time.ts'
import { isExam } from './readiness.ts'
import { type CountedType, countedGearboxOf, type Gearbox } from './requirements.ts'
import type { ExamRow, PracticeRow, TheoryRow } from './training-record.ts'
import { actualMinutesOf, actualTimesOf, type WorkedLesson } from './worked.ts'

/** A lesson of a student as records read it. `status` is its outcome for the student; a cancelled one is left out. */
export type RecordLesson = WorkedLesson &
  CountedType & {
    readonly id: string
    readonly instructor_id: string
    readonly code: string
    readonly category: string
    readonly only_in_the_dark: boolean
    /** Whether it counts for the enrolment of the record. */
    readonly is_own: boolean
    readonly seats: number
    /** Whether the student attended the group; null until it is recorded. True for a lesson of one student. */
    readonly attended: boolean | null
    /** The number of students who took part. */
    readonly students: number
    readonly topic: string | null
    readonly practised: string | null
    readonly passed: boolean | null
    readonly by_trainee: boolean
    readonly vehicles: readonly { readonly name: string; readonly gearbox: Gearbox | null }[]
  }

/** The codes of a form by the code of a lesson type; null for types that it leaves out. */
export type FormCodes = Readonly<Record<string, string | null>>

const PRACTICE: ReadonlySet<string> = new Set(['practical', 'special', 'simulator', 'course'])
const THEORY = 'theory'
const BASIC_THEORY = 'THEORY_BASIC'
const THEORY_TEST = 'theory_exam'

/** Whether lessons of the type belong into a record, as theory, practice or test. */
export function isRecorded(
  { category, code }: Pick<RecordLesson, 'category' | 'code'>,
  codes: FormCodes,
): boolean {
  if (isExam(category) || category === THEORY) return true
  return PRACTICE.has(category) && codes[code] !== null
}

export function isTheory({ category }: Pick<RecordLesson, 'category'>): boolean {
  return category === THEORY
}

export function isPractice({ category }: Pick<RecordLesson, 'category'>): boolean {
  return PRACTICE.has(category)
}

type Start = { readonly date: LocalDate; readonly start_time: TimeOfDay }

/** Returns the day and time at which a lesson began. */
export function startOf(lesson: RecordLesson): Start {
  const { start_at } = actualTimesOf(lesson)
  return { date: dateOf(start_at), start_time: timeOf(start_at) }
}

/** Returns the completed lessons of the enrolment that belong into its record, by start. */
export function recordedLessons(lessons: readonly RecordLesson[], codes: FormCodes): readonly RecordLesson[] {
  return lessons
    .filter((one) => one.is_own && tookPlace(one) && isRecorded(one, codes))
    .toSorted((a, b) => compare(actualTimesOf(a).start_at, actualTimesOf(b).start_at) || compare(a.id, b.id))
}

/** Whether a lesson was completed; a test with a result is, too. */
export function tookPlace({ status, category, passed }: RecordLesson): boolean {
  return status === 'completed' || (status === 'planned' && isExam(category) && passed !== null)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

type Numbered = { readonly timezone: string; readonly numberOf: (instructor_id: string) => number }

export function theoryRowOf(lesson: RecordLesson, { timezone, numberOf }: Numbered): TheoryRow {
  return {
    appointment_id: lesson.id,
    ...startOf(lesson),
    part: lesson.code === BASIC_THEORY ? 'basic' : 'specific',
    topic: lesson.topic,
    minutes: minutesOfRow(lesson, timezone),
    instructor_no: numberOf(lesson.instructor_id),
  }
}

export function practiceRowOf(
  lesson: RecordLesson,
  { timezone, numberOf, codes }: Numbered & { readonly codes: FormCodes },
): PracticeRow {
  const names = lesson.vehicles.map(({ name }) => name)
  return {
    appointment_id: lesson.id,
    ...startOf(lesson),
    minutes: minutesOfRow(lesson, timezone),
    code: codes[lesson.code] ?? null,
    content: lesson.practised,
    instructor_no: numberOf(lesson.instructor_id),
    vehicle: names.length === 0 ? null : names.join(', '),
    gearbox: gearboxOfRow(lesson),
  }
}

export function examRowOf(lesson: RecordLesson): ExamRow {
  return {
    appointment_id: lesson.id,
    date: startOf(lesson).date,
    kind: lesson.category === THEORY_TEST ? 'theory' : 'practical',
    passed: lesson.passed,
  }
}

export function gearboxOfRow(lesson: Pick<RecordLesson, 'category' | 'vehicles'>): Gearbox | null {
  return countedGearboxOf(lesson, lesson.vehicles)
}

/** Returns the whole elapsed minutes of a row, also over a clock change. */
export function minutesOfRow(lesson: Omit<WorkedLesson, 'status'>, timezone: string): number {
  return Math.max(actualMinutesOf(lesson, timezone), 0)
}
