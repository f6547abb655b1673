import { expect, it } from 'vitest'
import { type ExamLaw, examWarningsFor, type LearnerPapers } from './exam-warnings.ts'
import type { EnteredTick, TestResult, TickKind, TickRule } from './ticks.ts'

const rule = (kind: TickKind, more: Partial<TickRule>): TickRule => ({
  ...{ kind, needed_for: [], valid_months: null, until_age: null, without: [], ...more },
})
const RULES: readonly TickRule[] = [
  rule('application', { needed_for: ['theory_test', 'practical_test'] }),
  rule('approval', { needed_for: ['theory_test', 'practical_test'], valid_months: 12 }),
  rule('photo', { needed_for: ['application'] }),
  rule('first_aid', { needed_for: ['practical_test'] }),
  rule('theory_test', { needed_for: ['practical_test'], valid_months: 12, without: ['BE'] }),
]
const LAW: ExamLaw = {
  ...{ theory_before_age_months: 3, practice_before_age_months: 1, retry_days: 14, training_years: 2 },
  tickRulesOf: () => RULES,
}
const PAPERS: LearnerPapers = {
  ...{ license_class: 'B', template_code: 'B', birth_date: null, stored: [], results: [] },
  ...{ theory_ended_on: null, practice_ended_on: null },
}
const tick = (kind: TickKind, date: string, valid_until: string | null = null): EnteredTick => ({
  ...{ kind, date, valid_until, note: null },
})
const result = (category: string, date: string, passed: boolean): TestResult => ({ category, date, passed })

const DAY = '2026-05-04'
const warnings = (papers: Partial<LearnerPapers>, category = 'practical_exam', law = LAW) =>
  examWarningsFor(
    { category, start_at: `${DAY} 08:00` },
    { birth_date: null, min_age: 18, papers: { ...PAPERS, ...papers } },
    law,
  )

it('there are none about papers of a school that keeps none here, or that are not known', () => {
  expect(warnings({})).toEqual([])
  const person = { birth_date: '2009-01-01', min_age: 18 }
  expect(examWarningsFor({ category: 'exam', start_at: `${DAY} 08:00` }, person, LAW)).toEqual([
    { code: 'too_early', params: { earliest_date: '2026-12-01' } },
  ])
})

it('missing papers are those that the test needs itself, in the order of the law', () => {
  const stored = [tick('photo', '2026-01-01')]
  expect(warnings({ stored })).toEqual([
    { code: 'paper_missing', params: { kinds: ['approval', 'first_aid', 'theory_test'] } },
  ])
  expect(warnings({ stored }, 'theory_exam')).toEqual([
    { code: 'paper_missing', params: { kinds: ['approval'] } },
  ])
  expect(warnings({ stored, template_code: 'BE' })).toEqual([
    { code: 'paper_missing', params: { kinds: ['approval', 'first_aid'] } },
  ])
  const lapsed = [tick('approval', '2026-01-01'), tick('first_aid', '2020-01-01', '2026-05-03')]
  const results = [result('theory_exam', '2026-01-01', true)]
  expect(warnings({ stored: lapsed, results })).toEqual([
    { code: 'paper_missing', params: { kinds: ['first_aid'] } },
  ])
})

it.each([
  ['2025-05-04', []],
  ['2025-05-03', [{ code: 'test_expired', params: { valid_until: '2026-05-03' } }]],
])('a theory test passed on %s has the warnings %j', (date, expected) => {
  const results = [result('theory_exam', date, true)]
  expect(warnings({ results })).toEqual(expected)
  expect(warnings({ results }, 'theory_exam')).toEqual([])
  expect(warnings({ results, template_code: 'BE' })).toEqual([])
})

it('a test that is passed again counts, not one that is passed after the exam', () => {
  const old = result('theory_exam', '2025-01-01', true)
  expect(warnings({ results: [old, result('theory_exam', '2026-03-01', true)] })).toEqual([])
  expect(warnings({ results: [old, result('theory_exam', '2026-05-05', true)] })).toEqual([
    { code: 'test_expired', params: { valid_until: '2026-01-01' } },
  ])
})

it.each([
  ['2026-05-04', []],
  ['2026-05-03', [{ code: 'approval_expired', params: { valid_until: '2026-05-03' } }]],
])('an approval until %s has the warnings %j', (valid_until, expected) => {
  const stored = [tick('approval', '2025-05-04', valid_until)]
  expect(warnings({ stored }, 'theory_exam')).toEqual(expected)
})

it.each([
  ['practical_exam', '2026-04-20', []],
  ['practical_exam', '2026-04-21', ['2026-05-05']],
  ['exam', '2026-05-04', ['2026-05-18']],
  ['practical_exam', '2026-05-05', []],
  ['theory_exam', '2026-04-21', []],
])('an attempt at a %s that failed on %s has the next one on %j', (category, date, dates) => {
  const expected = dates.map((earliest_date) => ({ code: 'retry_too_early', params: { earliest_date } }))
  expect(warnings({ results: [result(category, date, false)] })).toEqual(expected)
})

it('each test looks at the end of its own part of the training', () => {
  const ended = { theory_ended_on: '2024-05-03', practice_ended_on: '2024-05-04' }
  const outdated = {
    code: 'training_outdated',
    params: { ended_on: '2024-05-03', valid_until: '2026-05-03' },
  }
  expect(warnings(ended, 'theory_exam')).toEqual([outdated])
  expect(warnings(ended)).toEqual([])
  expect(warnings({ practice_ended_on: '2024-05-03' })).toEqual([outdated])
  expect(warnings(ended, 'theory_exam', { ...LAW, training_years: null })).toEqual([])
})
