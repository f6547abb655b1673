import { describe, expect, it } from 'vitest'
import {
  type RetentionFacts,
  type RetentionRules,
  recordKeptUntil,
  retentionVerdict,
  unendedEnrolments,
} from './retention.ts'

const DE: RetentionRules = { record: { years: 5, from: 'end_of_year' }, other: { years: 5, from: 'day' } }
const AT: RetentionRules = { record: { years: 3, from: 'day' }, other: null }
const NL: RetentionRules = { record: null, other: null }

const ended = {
  id: 'b',
  license_class: 'B',
  begins_on: '2025-01-02',
  ends_on: '2026-03-10',
  is_open: false,
  is_current: true,
}
const open = { ...ended, id: 'a', license_class: 'A', ends_on: null, is_open: true, is_current: false }
const drove = (last_on: string, enrolment_id: string | null = 'b') => ({ enrolment_id, last_on })
const facts = (given: Partial<RetentionFacts> = {}): RetentionFacts => ({
  id: 'lena',
  restricted: false,
  hold: null,
  coming_on: null,
  active_on: '2026-03-10',
  enrolments: [ended],
  taught: [drove('2026-02-03')],
  ...given,
})
const due = (retained_until: string) => {
  const { id, license_class, ends_on } = ended
  return { kind: 'due', enrolments: [{ id, license_class, ends_on, retained_until }] }
}
const kept = (reason: string, until: string | null) => ({ kind: 'kept', reason, until })

describe('the verdict on a student', () => {
  it.each([
    ['2031-02-03', facts(), undefined],
    ['2031-02-04', facts(), { kind: 'partial', until: '2031-12-31' }],
    ['2031-12-31', facts(), { kind: 'partial', until: '2031-12-31' }],
    ['2032-01-01', facts(), due('2031-12-31')],
    ['2031-12-31', facts({ restricted: true }), kept('record', '2031-12-31')],
    ['2032-01-01', facts({ restricted: true }), due('2031-12-31')],
    ['2032-01-01', facts({ taught: [] }), due('2031-12-31')],
    ['2032-01-01', facts({ taught: [drove('2025-06-01')] }), due('2030-12-31')],
    ['2032-01-01', facts({ taught: [drove('2026-02-03'), drove('2027-01-01', null)] }), undefined],
    ['2032-01-01', facts({ hold: { until: null } }), kept('hold', null)],
    ['2032-01-01', facts({ hold: { until: '2032-01-01' } }), kept('hold', '2032-01-01')],
    ['2032-01-01', facts({ hold: { until: '2031-12-31' } }), due('2031-12-31')],
    ['2026-04-01', facts({ hold: { until: null } }), kept('hold', null)],
    ['2032-01-01', facts({ coming_on: '2032-01-05' }), kept('coming_appointment', '2032-01-05')],
    ['2032-01-01', facts({ enrolments: [ended, open] }), kept('open_enrolment', null)],
    ['2031-12-31', facts({ enrolments: [open], restricted: true }), kept('open_enrolment', null)],
    ['2031-12-31', facts({ enrolments: [open] }), undefined],
  ])('on %s in Germany, case %#', (on, given, verdict) =>
    expect(retentionVerdict(given, DE, on)).toEqual(verdict),
  )

  it('waits for the last of several enrolments', () => {
    const later = { ...ended, id: 'c', license_class: 'C', ends_on: '2028-05-01', is_current: false }
    const both = facts({
      enrolments: [ended, later],
      taught: [drove('2026-02-03'), drove('2028-04-30', 'c')],
    })
    expect(retentionVerdict(both, DE, '2032-01-01')).toEqual(kept('record', '2033-12-31'))
    expect(retentionVerdict(both, DE, '2033-05-01')).toEqual({ kind: 'partial', until: '2033-12-31' })
    expect(retentionVerdict(both, DE, '2034-01-01')).toMatchObject({
      kind: 'due',
      enrolments: [{ retained_until: '2031-12-31' }, { retained_until: '2033-12-31' }],
    })
  })

  it('counts from the day in Austria, where nothing goes before the record', () => {
    expect(retentionVerdict(facts(), AT, '2029-02-03')).toBeUndefined()
    expect(retentionVerdict(facts(), AT, '2029-02-04')).toEqual(due('2029-02-03'))
  })

  it.each(['2026-04-01', '2090-01-01'])('is never due on %s where the law names no time', (on) => {
    expect(retentionVerdict(facts(), NL, on)).toBeUndefined()
    expect(retentionVerdict(facts({ hold: { until: null } }), NL, on)).toEqual(kept('hold', null))
  })

  it('counts from the last activity without training, if the law has a rule for all else', () => {
    const untrained = facts({ enrolments: [], taught: [], active_on: '2026-03-10' })
    expect(retentionVerdict(untrained, DE, '2031-03-10')).toBeUndefined()
    expect(retentionVerdict(untrained, DE, '2031-03-11')).toEqual({ kind: 'due', enrolments: [] })
    expect(retentionVerdict(untrained, AT, '2090-01-01')).toBeUndefined()
  })
})

it.each([
  [facts(), '2031-12-31'],
  [facts({ taught: [] }), '2031-12-31'],
  [facts({ enrolments: [open] }), null],
  [facts({ enrolments: [], taught: [] }), undefined],
])('the record is kept until the last day, case %#', (given, until) =>
  expect(recordKeptUntil(given, { years: 5, from: 'end_of_year' })).toBe(until),
)

it.each([
  ['2027-02-02', []],
  ['2027-02-03', [{ enrolment_id: 'a', last_lesson_on: '2026-02-03' }]],
])('an open enrolment without a lesson for twelve months is unended on %s', (on, found) => {
  const given = facts({ enrolments: [ended, open], taught: [drove('2026-02-03', 'a')] })
  expect(unendedEnrolments(given, on)).toEqual(found)
})

it('an open enrolment that never had a lesson counts from its begin', () => {
  const given = facts({ enrolments: [open], taught: [] })
  expect(unendedEnrolments(given, '2026-01-01')).toEqual([])
  expect(unendedEnrolments(given, '2026-01-02')).toEqual([{ enrolment_id: 'a', last_lesson_on: null }])
})
