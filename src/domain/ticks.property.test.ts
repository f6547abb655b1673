import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { type ExamLaw, examWarningsFor, type LearnerPapers } from './exam-warnings.ts'
import { type Readiness, readinessOf, withPapers } from './readiness.ts'
import {
  type EnteredTick,
  type Tick,
  type TickKind,
  type TickRule,
  ticksOf,
  ticksSummaryOf,
} from './ticks.ts'

/** The rules of a class: some expire, some end with an age, some hold for other classes only. */
const rule = (kind: TickKind, more: Partial<TickRule> = {}): TickRule => ({
  ...{ kind, needed_for: [], valid_months: null, until_age: null, without: [], ...more },
})
const RULES: readonly TickRule[] = [
  rule('guardian_consent', { needed_for: ['application'], until_age: 18 }),
  rule('application', { needed_for: ['theory_test', 'practical_test'] }),
  rule('approval', { needed_for: ['theory_test', 'practical_test'], valid_months: 12 }),
  rule('sight_test', { needed_for: ['application'], valid_months: 24 }),
  rule('first_aid', { needed_for: ['practical_test'], without: ['MOFA'] }),
  rule('theory_test', { needed_for: ['practical_test'], valid_months: 12, without: ['BE'] }),
  rule('practical_test', { needed_for: ['licence'], valid_months: 24 }),
]
const LAW: ExamLaw = {
  ...{ theory_before_age_months: 3, practice_before_age_months: 1, retry_days: 14, training_years: 2 },
  tickRulesOf: () => RULES,
}
const MIN_AGE = 18

/** Days as [year, month, day], counted without the functions under test. */
type Day = readonly [number, number, number]
const read = (text: string): Day => {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  return [year, month, day]
}
const write = (day: Day) => day.map((part) => String(part).padStart(2, '0')).join('-')
const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
const lengthOf = (year: number, month: number) =>
  [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
const dayAfter = ([year, month, day]: Day): Day => {
  if (day < lengthOf(year, month)) return [year, month, day + 1]
  return month < 12 ? [year, month + 1, 1] : [year + 1, 1, 1]
}
const after = (text: string, days: number) => {
  let day = read(text)
  for (let count = 0; count < days; count += 1) day = dayAfter(day)
  return write(day)
}
const monthsOn = (text: string, months: number) => {
  let [year, month] = read(text)
  const [, , day] = read(text)
  for (let count = 0; count < Math.abs(months); count += 1) {
    month += Math.sign(months)
    if (month > 12) [year, month] = [year + 1, 1]
    if (month < 1) [year, month] = [year - 1, 12]
  }
  return write([year, month, Math.min(day, lengthOf(year, month))])
}

// Around the end of February of a leap year and of others, so that days of the month are missing.
const aDate = (from: string, days: number) => fc.nat(days).map((count) => after(from, count))
const aNear = fc.oneof(aDate('2024-01-25', 40), aDate('2025-01-25', 40), aDate('2026-01-25', 40))
const aTick = fc
  .record({
    kind: fc.constantFrom(...RULES.map(({ kind }) => kind)),
    date: aNear,
    valid_days: fc.option(fc.nat(900)),
  })
  .map(
    ({ kind, date, valid_days }): EnteredTick => ({
      ...{ kind, date, valid_until: valid_days === null ? null : after(date, valid_days), note: null },
    }),
  )
const anExam = fc.record({
  category: fc.constantFrom('theory_exam', 'practical_exam', 'exam'),
  date: aNear,
  passed: fc.boolean(),
})
const aCase = fc.record({
  stored: fc.uniqueArray(aTick, { selector: ({ kind }) => kind, maxLength: 5 }),
  results: fc.array(anExam, { maxLength: 5 }),
  template_code: fc.constantFrom('B', 'BE', 'MOFA'),
  birth_date: fc.option(fc.oneof(aDate('2008-02-01', 40), aDate('2006-01-25', 60))),
  theory_ended_on: fc.option(aNear),
  practice_ended_on: fc.option(aNear),
  today: aNear,
})

type Case = LearnerPapers & { readonly today: string }
const papersOf = (one: object) => ({ license_class: 'B', ...one }) as Case

const isTheory = (category: string) => category === 'theory_exam'

/** Returns the state of one tick by a reading of the rule, without the order of the code under test. */
function stateOf({ kind, valid_months, until_age, without }: TickRule, one: Case) {
  const { stored, results, birth_date, today } = one
  const passed = results.filter(
    ({ category, passed }) =>
      passed &&
      ((kind === 'theory_test' && isTheory(category)) || (kind === 'practical_test' && !isTheory(category))),
  )
  const entered = stored.find((tick) => tick.kind === kind)
  const untils = passed.map(({ date }) => (valid_months === null ? null : monthsOn(date, valid_months)))
  const ends = passed.length > 0 ? untils : entered ? [entered.valid_until] : undefined
  if (!ends) {
    const isGrown = until_age !== null && birth_date !== null && today >= monthsOn(birth_date, until_age * 12)
    return without.includes(one.template_code) || isGrown ? 'not_needed' : 'missing'
  }
  const valid = ends.filter((end) => end === null || end >= today)
  if (valid.length === 0) return 'expired'
  // If several tests were passed, the first one that is still valid counts.
  const first = valid.toSorted((a, b) => (a ?? '9').localeCompare(b ?? '9'))[0] ?? null
  return first !== null && first <= after(today, 30) ? 'expiring' : 'done'
}

it('ticks, their summary and the readiness are those of a plain reading of the rules', () => {
  fc.assert(
    fc.property(aCase.map(papersOf), (one) => {
      const ticks = ticksOf({ ...one, rules: RULES }, one.today)
      const states = RULES.map((each) => stateOf(each, one))
      expect(ticks.map(({ state }) => state)).toEqual(states)

      const open = RULES.filter((_, at) => ['missing', 'expired'].includes(states[at] ?? ''))
      const { missing, next } = ticksSummaryOf(ticks)
      expect(missing).toEqual(open.map(({ kind }) => kind))
      const running = ticks.filter(({ state }) => state === 'done' || state === 'expiring')
      const ends = running.flatMap(({ valid_until }) => valid_until ?? [])
      expect(next?.valid_until).toBe(ends.toSorted()[0])

      expect(readyIn(one, ticks)).toEqual(obstaclesIn(one, states))
    }),
    { numRuns: 2_000 },
  )
})

/** Returns the missing items of a learner who has met all requirements. */
function readyIn(one: Case, ticks: readonly Tick[]): readonly string[] {
  const { template_code, today, theory_ended_on, practice_ended_on } = one
  const training = { template_id: 'b', license_class: 'B', requirements: [], lessons: [], opening: [] }
  const exams = one.results.map((result) => ({ ...result, license_class: null }))
  const rules = {
    ...{ unit_minutes: 45, retry_days: 14, without_theory_test: ['BE'], theory_test_months: 12, today },
  }
  const readiness: Readiness = readinessOf({ training, exams, template_code }, rules)
  const papers = { ticks, theory_ended_on, practice_ended_on, training_years: 2 }
  return withPapers(readiness, papers, today).missing
}

function obstaclesIn(one: Case, states: readonly string[]): readonly string[] {
  const { stored, results, today, template_code, theory_ended_on, practice_ended_on } = one
  const stateFor = (kind: TickKind) => states[RULES.findIndex((each) => each.kind === kind)] ?? ''
  const tests = results.filter(({ category }) => isTheory(category))
  const hasTest =
    tests.length === 0
      ? template_code === 'BE'
      : tests.some(({ passed, date }) => passed && monthsOn(date, 12) >= today)
  const fromExam = (kind: TickKind) =>
    results.some(
      ({ category, passed }) =>
        passed &&
        ((kind === 'theory_test' && isTheory(category)) ||
          (kind === 'practical_test' && !isTheory(category))),
    )
  const isKept = stored.some(({ kind }) => !fromExam(kind))
  const lacks = (kind: TickKind) => stateFor(kind) === 'expired' || (isKept && stateFor(kind) === 'missing')
  const isOld = (ended: string | null) => ended !== null && monthsOn(ended, 24) < today
  return [
    ...(hasTest ? [] : ['theory_test']),
    ...(lacks('first_aid') ? ['papers'] : []),
    ...(lacks('approval') ? ['approval'] : []),
    ...(isOld(practice_ended_on) || (!hasTest && isOld(theory_ended_on)) ? ['training_outdated'] : []),
  ]
}

it('the warnings of an exam are those of a plain reading of the rules on its day', () => {
  fc.assert(
    fc.property(aCase.map(papersOf), fc.constantFrom('theory_exam', 'practical_exam'), (one, category) => {
      const { today, birth_date, template_code } = one
      const warnings = examWarningsFor(
        { category, start_at: `${today} 10:00` },
        { birth_date, min_age: MIN_AGE, papers: one },
        LAW,
      )
      const isTest = isTheory(category)
      const known = { ...one, results: one.results.filter(({ date }) => date <= today) }
      const needed = RULES.filter(
        ({ kind, needed_for, without }) =>
          kind !== 'application' &&
          needed_for.includes(isTest ? 'theory_test' : 'practical_test') &&
          !without.includes(template_code),
      )
      const passed = (test: boolean) =>
        known.results.some((result) => result.passed && isTheory(result.category) === test)
      const isKept = one.stored.some(({ kind }) =>
        kind === 'theory_test'
          ? !passed(true) && template_code !== 'BE'
          : kind === 'practical_test'
            ? !passed(false)
            : kind !== 'first_aid' || template_code !== 'MOFA',
      )
      const lacking = needed.filter((each) => {
        const state = stateOf(each, known)
        return state === 'expired' || (isKept && state === 'missing')
      })
      const isExpired = (kind: TickKind) =>
        lacking.some((each) => each.kind === kind && stateOf(each, known) === 'expired')
      const kinds = lacking
        .map(({ kind }) => kind)
        .filter((kind) => !(['theory_test', 'approval'].includes(kind) && isExpired(kind)))
      const attempts = known.results
        .filter((result) => isTheory(result.category) === isTest)
        .toSorted((a, b) => a.date.localeCompare(b.date) || Number(a.passed) - Number(b.passed))
      const last = attempts.at(-1)
      const ended = isTest ? one.theory_ended_on : one.practice_ended_on
      const firstDay = birth_date && monthsOn(birth_date, MIN_AGE * 12 - (isTest ? 3 : 1))
      expect(warnings.map(({ code }) => code)).toEqual([
        ...(kinds.length > 0 ? ['paper_missing'] : []),
        ...(isExpired('theory_test') ? ['test_expired'] : []),
        ...(isExpired('approval') ? ['approval_expired'] : []),
        ...(firstDay && today < firstDay ? ['too_early'] : []),
        ...(last && !last.passed && today < after(last.date, 14) ? ['retry_too_early'] : []),
        ...(ended && monthsOn(ended, 24) < today ? ['training_outdated'] : []),
      ])
      const missing = warnings.find(({ code }) => code === 'paper_missing')
      expect(missing?.params).toEqual(kinds.length > 0 ? { kinds } : undefined)
    }),
    { numRuns: 2_000 },
  )
})
