import { daysLater, type LocalDate, monthsLater } from './local-time.ts'
import { allLessonsOf, isMet, lessonsFor, progressIn, requirementsOf, type Training } from './progress.ts'
import { arePapersKept, type Tick, type TickNeed } from './ticks.ts'

/** A country's exam rules. */
export type ExamRules = {
  /** The days from a failed exam to the next one; null if there is no such rule. */
  readonly retry_days: number | null
  /** The codes of the templates that need no theory test. */
  readonly without_theory_test: readonly string[]
  /** The months for which a passed theory test is valid; null if it stays valid. */
  readonly theory_test_months: number | null
  /** The years after which a training is too old for a test; null if there is no such rule. */
  readonly training_years: number | null
} & TestAges

/** The months before the minimum age of a class in which its tests may be taken. If null, the test requires the age itself. */
export type TestAges = {
  readonly theory_before_age_months: number | null
  readonly practice_before_age_months: number | null
}

/** An exam of the training, with a result. */
export type ExamTaken = {
  readonly category: string
  readonly date: LocalDate
  readonly passed: boolean
}

/** The training and exams of a student, and the code of their template. */
export type ExamCandidate = {
  readonly template_code: string | null
  readonly training: Training
  readonly exams: readonly ExamTaken[]
}

const UNLEARNT = ['requirements', 'theory', 'theory_test'] as const
export const EXAM_OBSTACLES = [...UNLEARNT, 'papers', 'approval', 'training_outdated'] as const
export type ExamObstacle = (typeof EXAM_OBSTACLES)[number]

/** Whether a student may take the practical test. */
export type Readiness = {
  /** Whether all requirements but theory are met. */
  readonly requirements: boolean
  readonly theory: boolean
  /** Whether a theory test is passed and still valid; null without a result. */
  readonly theory_test: boolean | null
  readonly ready: boolean
  readonly missing: readonly ExamObstacle[]
  /** The first day of the next attempt after a failed exam. */
  readonly earliest_date: LocalDate | null
}

const THEORY_TEST = 'theory_exam'
const MONTHS_PER_YEAR = 12

/** Whether lessons of the category are exams, which have a result. */
export function isExam(category: string): boolean {
  return category === 'exam' || category.endsWith('_exam')
}

/** Returns the first day on which a student may take a test of the category; undefined if it is no test, or nothing is known. */
export function earliestTestDate(
  category: string,
  { birth_date, min_age }: { readonly birth_date: LocalDate | null; readonly min_age: number | null },
  { theory_before_age_months, practice_before_age_months }: TestAges,
): LocalDate | undefined {
  const months = category === THEORY_TEST ? theory_before_age_months : practice_before_age_months
  // A page that was loaded from the release before may lack the months.
  if (!isExam(category) || months === undefined || birth_date === null || min_age === null) return undefined
  return monthsLater(birth_date, min_age * MONTHS_PER_YEAR - (months ?? 0))
}

export function readinessOf(
  { training, exams, template_code }: ExamCandidate,
  {
    unit_minutes,
    retry_days,
    without_theory_test,
    theory_test_months,
    today,
  }: Omit<ExamRules, keyof TestAges | 'training_years'> & {
    readonly unit_minutes: number
    readonly today: LocalDate
  },
): Readiness {
  const { template_id, license_class } = training
  const learnt = lessonsFor(license_class, allLessonsOf(training))
  const isDone = (isTheory: boolean) =>
    template_id !== null &&
    requirementsOf(training)
      .filter(({ is_theory }) => is_theory === isTheory)
      .every((requirement) => isMet(progressIn(requirement, learnt, unit_minutes)))
  const tests = exams.filter(({ category }) => category === THEORY_TEST)
  const drives = exams.filter(({ category }) => category !== THEORY_TEST)
  const isValid = ({ passed, date }: ExamTaken) =>
    passed && (theory_test_months === null || today <= monthsLater(date, theory_test_months))
  const theory_test = tests.length === 0 ? null : tests.some(isValid)
  const needsTest = template_code === null || !without_theory_test.includes(template_code)
  const done = {
    requirements: isDone(false),
    theory: isDone(true),
    theory_test: theory_test ?? !needsTest,
  }
  const missing = UNLEARNT.filter((one) => !done[one])
  return {
    ...done,
    theory_test,
    ready: missing.length === 0 && !drives.some(({ passed }) => passed),
    missing,
    earliest_date: nextAttemptAfter(tests, retry_days) ?? nextAttemptAfter(drives, retry_days),
  }
}

/** The ticks of a student, and the days on which parts of the training ended. */
export type ExamPapers = {
  readonly ticks: readonly Tick[]
  readonly theory_ended_on: LocalDate | null
  readonly practice_ended_on: LocalDate | null
  readonly training_years: ExamRules['training_years']
}

/** Adds papers to a readiness. The theory's end no longer matters once its test is passed. */
export function withPapers(
  readiness: Readiness,
  { ticks, theory_ended_on, practice_ended_on, training_years }: ExamPapers,
  today: LocalDate,
): Readiness {
  const lacking = lackingFor('practical_test', ticks).map(({ kind }) => kind)
  const isOld = (ended_on: LocalDate | null) => {
    const valid_until = trainingValidUntil(ended_on, training_years)
    return valid_until !== null && today > valid_until
  }
  const isTheoryOld = isOld(theory_ended_on) && readiness.missing.includes('theory_test')
  const obstacles: readonly (readonly [ExamObstacle, boolean])[] = [
    ['papers', lacking.some((kind) => kind !== 'approval' && kind !== 'theory_test')],
    ['approval', lacking.includes('approval')],
    ['training_outdated', isTheoryOld || isOld(practice_ended_on)],
  ]
  const more = obstacles.filter(([, isThere]) => isThere).map(([one]) => one)
  if (more.length === 0) return readiness
  return { ...readiness, ready: false, missing: [...readiness.missing, ...more] }
}

/**
 * Returns the expired and missing ticks that a test requires. Missing ones are reported only after somebody has entered a tick,
 * because other schools do not record papers here. The approval implies the application, which is therefore left out.
 */
export function lackingFor(need: TickNeed, ticks: readonly Tick[]): readonly Tick[] {
  const isKept = arePapersKept(ticks)
  return ticks.filter(
    ({ kind, state, needed_for }) =>
      kind !== 'application' &&
      needed_for.includes(need) &&
      (state === 'expired' || (isKept && state === 'missing')),
  )
}

/** Returns the last day of a test after a part of the training ended; null before its end, or if there is no such rule. */
export function trainingValidUntil(
  ended_on: LocalDate | null,
  training_years: ExamRules['training_years'],
): LocalDate | null {
  if (ended_on === null || training_years === null) return null
  return monthsLater(ended_on, training_years * MONTHS_PER_YEAR)
}

/** Returns the first day of another attempt; null if the last one was passed, there was none, or there is no such rule. */
export function nextAttemptAfter(
  exams: readonly Pick<ExamTaken, 'date' | 'passed'>[],
  retry_days: ExamRules['retry_days'],
): LocalDate | null {
  if (retry_days === null) return null
  const [last] = exams.toSorted((a, b) => b.date.localeCompare(a.date) || Number(b.passed) - Number(a.passed))
  return last === undefined || last.passed ? null : daysLater(last.date, retry_days)
}
