import { expect, it } from 'vitest'
import { type ExamPapers, nextAttemptAfter, type Readiness, withPapers } from './readiness.ts'
import type { Tick } from './ticks.ts'

const READY: Readiness = {
  ...{ requirements: true, theory: true, theory_test: true, ready: true, missing: [], earliest_date: null },
}
const tick = (kind: Tick['kind'], state: Tick['state'], source: Tick['source'] = null): Tick => ({
  ...{ kind, state, date: null, valid_until: null, needed_for: ['practical_test'], source, note: null },
})
const PHOTO = { ...tick('photo', 'done', 'manual'), needed_for: [] }
const papers = (given: Partial<ExamPapers>): ExamPapers => ({
  ...{ ticks: [], theory_ended_on: null, practice_ended_on: null, training_years: 2, ...given },
})

it.each<[string, readonly Tick[], readonly string[]]>([
  ['nothing entered', [tick('first_aid', 'missing'), tick('approval', 'missing')], []],
  ['all done', [PHOTO, tick('first_aid', 'expiring', 'manual'), tick('approval', 'done', 'manual')], []],
  ['a paper missing', [PHOTO, tick('first_aid', 'missing')], ['papers']],
  [
    'a paper that is not for the exam',
    [PHOTO, { ...tick('medical', 'missing'), needed_for: ['licence'] }],
    [],
  ],
  ['an expired approval', [tick('approval', 'expired', 'manual')], ['approval']],
  [
    'no approval and no paper',
    [PHOTO, tick('first_aid', 'missing'), tick('approval', 'missing')],
    ['papers', 'approval'],
  ],
  [
    'an application or a theory test missing',
    [PHOTO, tick('application', 'missing'), tick('theory_test', 'missing')],
    [],
  ],
])('with %s lacks what the exam needs', (_, ticks, missing) => {
  const readiness = withPapers(READY, papers({ ticks }), '2026-05-04')
  expect([readiness.missing, readiness.ready]).toEqual([missing, missing.length === 0])
})

it.each([
  [null, '2024-05-04', 2, []],
  ['2026-01-01', '2024-05-03', 2, ['training_outdated']],
  ['2024-05-03', '2026-01-01', 2, []],
  [null, '2024-05-03', null, []],
])(
  'with theory that ended on %j and practice on %j, valid for %j years, lacks %j',
  (theory_ended_on, practice_ended_on, training_years, missing) => {
    const ended = papers({ theory_ended_on, practice_ended_on, training_years })
    expect(withPapers(READY, ended, '2026-05-04').missing).toEqual(missing)
  },
)

it('lacks a recent theory only until its test is passed', () => {
  const ended = papers({ theory_ended_on: '2024-05-03' })
  const untested: Readiness = { ...READY, ready: false, missing: ['theory_test'] }
  expect(withPapers(untested, ended, '2026-05-04').missing).toEqual(['theory_test', 'training_outdated'])
  expect(withPapers(READY, ended, '2026-05-04')).toEqual(READY)
})

it.each([
  [[], 14, null],
  [[['2026-05-01', false]], 14, '2026-05-15'],
  [[['2026-05-01', false]], null, null],
  [
    [
      ['2026-05-01', true],
      ['2026-04-01', false],
    ],
    14,
    null,
  ],
  [
    [
      ['2026-05-01', false],
      ['2025-01-01', true],
    ],
    14,
    '2026-05-15',
  ],
  [
    [
      ['2026-05-01', false],
      ['2026-05-01', true],
    ],
    14,
    null,
  ],
] as const)(
  'after the attempts %j, with a wait of %j days, the next one is possible from %j',
  (taken, days, next) => {
    const exams = taken.map(([date, passed]) => ({ date, passed }))
    expect(nextAttemptAfter(exams, days)).toBe(next)
  },
)

it('keeps what is missing otherwise', () => {
  const open: Readiness = { ...READY, ready: false, missing: ['theory'] }
  expect(withPapers(open, papers({ ticks: [PHOTO, tick('first_aid', 'missing')] }), '2026-05-04')).toEqual({
    ...open,
    missing: ['theory', 'papers'],
  })
})
