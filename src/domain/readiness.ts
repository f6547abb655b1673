import { daysLater, type LocalDate } from './local-time.ts'
import { allLessonsOf, isMet, lessonsFor, progressIn, type Training } from './progress.ts'

/** A country's exam rules. */
export type ExamRules = {
  /** The days from a failed exam to the next one; null if there is no such rule. */
  readonly retry_days: number | null
  /** The codes of the templates that need no theory test. */
  readonly without_theory_test: readonly string[]
}

/** An exam with a result. */
export type ExamTaken = {
  readonly category: string
  /** The class that it was for; null counts for any. */
  readonly license_class: string | null
  readonly date: LocalDate
  readonly passed: boolean
}

/** The training and exams of a student, and the code of their template. */
export type ExamCandidate = {
  readonly template_code: string | null
  readonly training: Training
  readonly exams: readonly ExamTaken[]
}

export const EXAM_OBSTACLES = ['requirements', 'theory', 'theory_test'] as const
export type ExamObstacle = (typeof EXAM_OBSTACLES)[number]

/** Whether a student may take the practical exam. */
export type Readiness = {
  /** Whether all requirements but theory are met. */
  readonly requirements: boolean
  readonly theory: boolean
  /** Whether the theory test is passed; null without a result. */
  readonly theory_test: boolean | null
  readonly ready: boolean
  readonly missing: readonly ExamObstacle[]
  /** The first day of the next attempt after a failed exam. */
  readonly earliest_date: LocalDate | null
}

const THEORY_TEST = 'theory_exam'

/** Whether lessons of the category are exams, which have a result. */
export function isExam(category: string): boolean {
  return category === 'exam' || category.endsWith('_exam')
}

export function readinessOf(
  { training, exams, template_code }: ExamCandidate,
  { unit_minutes, retry_days, without_theory_test }: ExamRules & { readonly unit_minutes: number },
): Readiness {
  const { template_id, license_class } = training
  const learnt = lessonsFor(license_class, allLessonsOf(training))
  const isDone = (isTheory: boolean) =>
    template_id !== null &&
    training.requirements
      .filter(({ is_theory }) => is_theory === isTheory)
      .every((requirement) => isMet(progressIn(requirement, learnt, unit_minutes)))
  const own = exams.filter((exam) => exam.license_class === null || exam.license_class === license_class)
  const tests = own.filter(({ category }) => category === THEORY_TEST)
  const drives = own.filter(({ category }) => category !== THEORY_TEST)
  const theory_test = tests.length === 0 ? null : tests.some(({ passed }) => passed)
  const needsTest = template_code === null || !without_theory_test.includes(template_code)
  const done = {
    requirements: isDone(false),
    theory: isDone(true),
    theory_test: theory_test ?? !needsTest,
  }
  const missing = EXAM_OBSTACLES.filter((one) => !done[one])
  const nextAfter = (taken: readonly ExamTaken[]) => nextDateAfter(taken, retry_days)
  return {
    ...done,
    theory_test,
    ready: missing.length === 0 && !drives.some(({ passed }) => passed),
    missing,
    earliest_date: nextAfter(tests) ?? nextAfter(drives),
  }
}

/** Returns the first day of another attempt; null if none was failed, one was passed, or there is no such rule. */
function nextDateAfter(exams: readonly ExamTaken[], retry_days: ExamRules['retry_days']): LocalDate | null {
  if (retry_days === null || exams.some(({ passed }) => passed)) return null
  const last = exams
    .map(({ date }) => date)
    .toSorted()
    .at(-1)
  return last === undefined ? null : daysLater(last, retry_days)
}
