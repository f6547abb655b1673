import { daysLater, type LocalDate, monthsLater } from './local-time.ts'

export const TICK_KINDS = [
  'contract',
  'guardian_consent',
  'application',
  'approval',
  'identity',
  'photo',
  'sight_test',
  'first_aid',
  'medical',
  'eye_test',
  'police_certificate',
  'theory_test',
  'practical_test',
  'licence',
] as const
export type TickKind = (typeof TICK_KINDS)[number]

export const TICK_NEEDS = ['application', 'theory_test', 'practical_test', 'licence'] as const
export type TickNeed = (typeof TICK_NEEDS)[number]

export type TickRule = {
  readonly kind: TickKind
  readonly needed_for: readonly TickNeed[]
  /** The months for which it is valid; null if it does not expire. */
  readonly valid_months: number | null
  /** The age at which it is no longer needed; null if it always is. */
  readonly until_age: number | null
  readonly without: readonly string[]
}

export type EnteredTick = {
  readonly kind: TickKind
  readonly date: LocalDate
  readonly valid_until: LocalDate | null
  readonly note: string | null
}

export type TestResult = {
  readonly category: string
  readonly date: LocalDate
  readonly passed: boolean
}

export const TICK_STATES = ['missing', 'done', 'expiring', 'expired', 'not_needed'] as const

/** A tick of an enrolment. A passed test is one by itself, and counts before one that a person has entered. */
export type Tick = {
  readonly kind: TickKind
  readonly state: (typeof TICK_STATES)[number]
  readonly date: LocalDate | null
  readonly valid_until: LocalDate | null
  readonly needed_for: readonly TickNeed[]
  readonly source: 'manual' | 'appointment' | null
  readonly note: string | null
}

export type Papers = {
  /** The rules of the enrolment's class, in the order of the pack. */
  readonly rules: readonly TickRule[]
  readonly stored: readonly EnteredTick[]
  readonly results: readonly TestResult[]
  readonly template_code: string
  readonly birth_date: LocalDate | null
}

const EXPIRING_DAYS = 30
const MONTHS_PER_YEAR = 12

/** Returns the state of each tick of the enrolment's class, in the order of the rules. */
export function ticksOf(papers: Papers, today: LocalDate): readonly Tick[] {
  return papers.rules.map((rule) => tickFor(rule, papers, today))
}

/** Whether the school keeps papers here: somebody has entered one. */
export function arePapersKept(ticks: readonly Tick[]): boolean {
  return ticks.some(({ source }) => source === 'manual')
}

/** Returns the day of the passed test that makes the tick: the first that is still valid, or else the last; undefined without one. */
export function passedOn(
  rule: Pick<TickRule, 'kind' | 'valid_months'>,
  results: readonly TestResult[],
  today: LocalDate,
): LocalDate | undefined {
  const passed = results
    .filter((one) => one.passed && rule.kind === testOf(one.category))
    .map(({ date }) => date)
    .toSorted()
  return passed.find((date) => stateOn(today, validUntil(rule, date)) !== 'expired') ?? passed.at(-1)
}

/** Returns the test that an exam of the category is. */
export function testOf(category: string): 'theory_test' | 'practical_test' {
  return category === 'theory_exam' ? 'theory_test' : 'practical_test'
}

/** Returns the last valid day of a tick made on the date: the same day of the month, or its last; null if it does not expire. */
export function validUntil(
  { valid_months }: Pick<TickRule, 'valid_months'>,
  date: LocalDate,
): LocalDate | null {
  return valid_months === null ? null : monthsLater(date, valid_months)
}

/** Returns the summary for lists of students: the kinds that are missing or expired, those expired, and the next one to expire. */
export function ticksSummaryOf(ticks: readonly Tick[]): {
  readonly missing: readonly TickKind[]
  readonly expired: readonly TickKind[]
  readonly next: { readonly kind: TickKind; readonly valid_until: LocalDate } | null
} {
  const isOpen = ({ state }: Tick) => state === 'missing' || state === 'expired'
  const expiring = ticks.flatMap((one) =>
    one.valid_until === null || isOpen(one) || one.state === 'not_needed'
      ? []
      : { kind: one.kind, valid_until: one.valid_until },
  )
  const [next = null] = expiring.toSorted((a, b) => (a.valid_until < b.valid_until ? -1 : 1))
  const kindsOf = (some: readonly Tick[]) => some.map(({ kind }) => kind)
  const expired = kindsOf(ticks.filter(({ state }) => state === 'expired'))
  return { missing: kindsOf(ticks.filter(isOpen)), expired, next }
}

function tickFor(rule: TickRule, papers: Papers, today: LocalDate): Tick {
  const { kind, needed_for } = rule
  const passed = passedOn(rule, papers.results, today)
  const stored = papers.stored.find((one) => one.kind === kind)
  if (passed === undefined && !stored) {
    const state = isNeeded(rule, papers, today) ? 'missing' : 'not_needed'
    return { kind, state, date: null, valid_until: null, needed_for, source: null, note: null }
  }
  const made =
    passed === undefined
      ? { date: stored?.date ?? null, valid_until: stored?.valid_until ?? null, source: 'manual' as const }
      : { date: passed, valid_until: validUntil(rule, passed), source: 'appointment' as const }
  const state = stateOn(today, made.valid_until)
  return { kind, state, ...made, needed_for, note: stored?.note ?? null }
}

function isNeeded(
  { until_age, without }: TickRule,
  { template_code, birth_date }: Papers,
  today: LocalDate,
): boolean {
  if (without.includes(template_code)) return false
  return (
    until_age === null || birth_date === null || today < monthsLater(birth_date, until_age * MONTHS_PER_YEAR)
  )
}

function stateOn(today: LocalDate, valid_until: LocalDate | null): Tick['state'] {
  if (valid_until === null) return 'done'
  if (valid_until < today) return 'expired'
  return valid_until <= daysLater(today, EXPIRING_DAYS) ? 'expiring' : 'done'
}
