import { dateOf, type LocalDate, type LocalDateTime } from './local-time.ts'
import {
  type ExamRules,
  earliestTestDate,
  lackingFor,
  nextAttemptAfter,
  type TestAges,
  trainingValidUntil,
} from './readiness.ts'
import { type Papers, type TickKind, type TickRule, testOf, ticksOf } from './ticks.ts'

/** A fact about an exam to know before booking it. It breaks no rule. */
export type ExamWarning =
  | { readonly code: 'paper_missing'; readonly params: { readonly kinds: readonly TickKind[] } }
  | {
      readonly code: 'test_expired' | 'approval_expired'
      readonly params: { readonly valid_until: LocalDate }
    }
  | { readonly code: 'too_early' | 'retry_too_early'; readonly params: { readonly earliest_date: LocalDate } }
  | {
      readonly code: 'training_outdated'
      readonly params: { readonly ended_on: LocalDate; readonly valid_until: LocalDate }
    }

/** The rules of a country for exams. The app has only those about the age. */
export type ExamLaw = TestAges &
  Partial<Pick<ExamRules, 'retry_days' | 'training_years'>> & {
    readonly tickRulesOf?: (license_class: string) => readonly TickRule[]
  }

/** The papers of the student's current enrolment, and the days on which parts of the training ended. */
export type LearnerPapers = Omit<Papers, 'rules'> & {
  readonly license_class: string
  readonly theory_ended_on: LocalDate | null
  readonly practice_ended_on: LocalDate | null
}

type Candidate = {
  readonly birth_date: LocalDate | null
  readonly min_age: number | null
  readonly papers?: LearnerPapers | undefined
}

type Exam = { readonly category: string; readonly start_at: LocalDateTime }

/** Returns the warnings about an exam, judged on its day. Without papers there are only those about the age. */
export function examWarningsFor(
  { category, start_at }: Exam,
  { papers, ...person }: Candidate,
  law: ExamLaw,
): readonly ExamWarning[] {
  const day = dateOf(start_at)
  const earliest_date = earliestTestDate(category, person, law)
  const isEarly = earliest_date !== undefined && day < earliest_date
  return [
    ...(papers ? paperWarningsFor({ category, day }, papers, law) : []),
    ...(isEarly ? [{ code: 'too_early', params: { earliest_date } } as const] : []),
    ...(papers ? attemptWarningsFor({ category, day }, papers, law) : []),
  ]
}

type ExamDay = { readonly category: string; readonly day: LocalDate }

function paperWarningsFor(
  { category, day }: ExamDay,
  papers: LearnerPapers,
  { tickRulesOf = () => [] }: ExamLaw,
): readonly ExamWarning[] {
  const rules = tickRulesOf(papers.license_class).filter(
    ({ without }) => !without.includes(papers.template_code),
  )
  const results = papers.results.filter(({ date }) => date <= day)
  const lacking = lackingFor(testOf(category), ticksOf({ ...papers, rules, results }, day))
  const lapsedOf = (kind: TickKind) =>
    lacking.find((one) => one.kind === kind && one.state === 'expired')?.valid_until
  const [test, approval] = [lapsedOf('theory_test'), lapsedOf('approval')]
  const kinds = lacking
    .map(({ kind }) => kind)
    .filter((kind) => !(kind === 'theory_test' && test) && !(kind === 'approval' && approval))
  return [
    ...(kinds.length > 0 ? [{ code: 'paper_missing', params: { kinds } } as const] : []),
    ...(test ? [{ code: 'test_expired', params: { valid_until: test } } as const] : []),
    ...(approval ? [{ code: 'approval_expired', params: { valid_until: approval } } as const] : []),
  ]
}

function attemptWarningsFor(
  { category, day }: ExamDay,
  { results, theory_ended_on, practice_ended_on }: LearnerPapers,
  { retry_days = null, training_years = null }: ExamLaw,
): readonly ExamWarning[] {
  const test = testOf(category)
  const attempts = results.filter((one) => testOf(one.category) === test && one.date <= day)
  const earliest_date = nextAttemptAfter(attempts, retry_days)
  const ended_on = test === 'theory_test' ? theory_ended_on : practice_ended_on
  const valid_until = trainingValidUntil(ended_on, training_years)
  return [
    ...(earliest_date !== null && day < earliest_date
      ? [{ code: 'retry_too_early', params: { earliest_date } } as const]
      : []),
    ...(ended_on !== null && valid_until !== null && day > valid_until
      ? [{ code: 'training_outdated', params: { ended_on, valid_until } } as const]
      : []),
  ]
}
