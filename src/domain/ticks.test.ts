import { describe, expect, it } from 'vitest'
import {
  type EnteredTick,
  type Papers,
  type TestResult,
  type TickRule,
  ticksOf,
  ticksSummaryOf,
} from './ticks.ts'

const rule = (kind: TickRule['kind'], given: Partial<TickRule> = {}): TickRule => ({
  ...{ kind, needed_for: ['practical_test'], valid_months: null, until_age: null, without: [], ...given },
})
const stored = (kind: TickRule['kind'], date: string, valid_until: string | null = null): EnteredTick => ({
  ...{ kind, date, valid_until, note: null },
})
const result = (category: string, date: string, passed: boolean): TestResult => ({ category, date, passed })
const papers = (given: Partial<Papers>): Papers => ({
  ...{ rules: [], stored: [], results: [], template_code: 'B', birth_date: null, ...given },
})
const stateOf = (given: Partial<Papers>, today: string) => ticksOf(papers(given), today)[0]

const THEORY = rule('theory_test', { valid_months: 12 })

describe('a tick', () => {
  it('is missing until it is entered, and then done', () => {
    const rules = [rule('photo')]
    expect(stateOf({ rules }, '2026-05-04')).toEqual({
      ...{ kind: 'photo', state: 'missing', date: null, valid_until: null },
      ...{ needed_for: ['practical_test'], source: null, note: null },
    })
    expect(stateOf({ rules, stored: [stored('photo', '2026-05-01')] }, '2026-05-04')).toMatchObject({
      ...{ state: 'done', date: '2026-05-01', valid_until: null, source: 'manual' },
    })
  })

  it.each([
    ['2026-05-31', 'done'],
    ['2026-06-01', 'expiring'],
    ['2026-07-01', 'expiring'],
    ['2026-07-02', 'expired'],
  ])('valid until 2026-07-01 is on %s %s', (today, state) => {
    const one = { rules: [rule('sight_test')], stored: [stored('sight_test', '2024-07-01', '2026-07-01')] }
    expect(stateOf(one, today)).toMatchObject({ state })
  })

  it.each([
    ['2010-05-05', 'missing'],
    ['2010-05-04', 'not_needed'],
    [null, 'missing'],
  ])('needed up to 18 is for a student born on %s, on 2028-05-04, %s', (birth_date, state) => {
    const rules = [rule('guardian_consent', { until_age: 18 })]
    expect(stateOf({ rules, birth_date }, '2028-05-04')).toMatchObject({ state })
  })

  it('is not needed for a template that the law excepts', () => {
    const rules = [rule('theory_test', { without: ['BE'] })]
    expect(stateOf({ rules, template_code: 'BE' }, '2026-05-04')).toMatchObject({ state: 'not_needed' })
    expect(stateOf({ rules, template_code: 'B' }, '2026-05-04')).toMatchObject({ state: 'missing' })
  })
})

describe('a passed test', () => {
  it.each([
    ['2025-02-28', '2026-02-28'],
    ['2024-02-29', '2025-02-28'],
    ['2025-05-04', '2026-05-04'],
  ])('of %s ticks by itself until %s, that day included', (date, valid_until) => {
    const results = [result('theory_exam', date, true)]
    expect(stateOf({ rules: [THEORY], results }, valid_until)).toMatchObject({
      ...{ state: 'expiring', date, valid_until, source: 'appointment' },
    })
  })

  it('is the first that is still valid, a failed one none', () => {
    const results = [
      result('theory_exam', '2025-01-10', false),
      result('theory_exam', '2025-02-10', true),
      result('theory_exam', '2026-03-10', true),
      result('practical_exam', '2026-01-05', true),
    ]
    expect(stateOf({ rules: [THEORY], results }, '2026-02-01')).toMatchObject({ date: '2025-02-10' })
    expect(stateOf({ rules: [THEORY], results }, '2026-04-01')).toMatchObject({
      ...{ date: '2026-03-10', state: 'done' },
    })
    const [, ...early] = results.slice(0, 2)
    expect(stateOf({ rules: [THEORY], results: early }, '2026-04-01')).toMatchObject({ state: 'expired' })
    expect(stateOf({ rules: [THEORY], results: results.slice(0, 1) }, '2026-04-01')).toMatchObject({
      ...{ state: 'missing', source: null },
    })
  })

  it('counts before one that a person has entered', () => {
    const given = {
      rules: [THEORY],
      results: [result('theory_exam', '2026-03-10', true)],
      stored: [stored('theory_test', '2026-01-01', '2027-01-01')],
    }
    expect(stateOf(given, '2026-04-01')).toMatchObject({ date: '2026-03-10', source: 'appointment' })
  })
})

it('the summary names what is missing or expired, and what expires next', () => {
  const rules = [rule('photo'), rule('sight_test'), THEORY, rule('approval', { valid_months: 12 })]
  const all = papers({
    rules,
    stored: [
      stored('sight_test', '2023-01-01', '2025-01-01'),
      stored('approval', '2026-01-01', '2026-09-01'),
    ],
    results: [result('theory_exam', '2025-11-10', true)],
  })
  expect(ticksSummaryOf(ticksOf(all, '2026-05-04'))).toEqual({
    missing: ['photo', 'sight_test'],
    expired: ['sight_test'],
    next: { kind: 'approval', valid_until: '2026-09-01' },
  })
  expect(ticksSummaryOf([])).toEqual({ missing: [], expired: [], next: null })
})
