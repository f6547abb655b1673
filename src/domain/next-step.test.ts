import { expect, it } from 'vitest'
import { nextStepOf } from './next-step.ts'
import type { ExamObstacle } from './readiness.ts'
import type { TickKind, TickNeed } from './ticks.ts'

const NEEDS: Partial<Readonly<Record<TickKind, readonly TickNeed[]>>> = {
  contract: [],
  application: ['theory_test'],
  approval: ['theory_test', 'practical_test'],
  sight_test: ['application'],
  first_aid: ['application', 'practical_test'],
  theory_test: ['practical_test'],
  practical_test: ['licence'],
  licence: [],
}

/** The next step with some ticks done, others missing, and some obstacles before the exam. */
function nextWith(
  done: readonly TickKind[],
  missing: readonly ExamObstacle[],
  lost: readonly TickKind[] = [],
) {
  const ticks = Object.entries(NEEDS).map(([name, needed_for]) => {
    const kind = name as TickKind
    const state = lost.includes(kind) ? 'expired' : done.includes(kind) ? 'done' : 'missing'
    return { kind, state, needed_for } as const
  })
  const readiness = {
    requirements: !missing.includes('requirements'),
    theory: !missing.includes('theory'),
    missing,
  }
  return nextStepOf({ ticks, readiness })
}

const PAPERS = ['sight_test', 'first_aid'] as const
const APPLIED = [...PAPERS, 'application', 'approval'] as const
const ALL = ['requirements', 'theory', 'theory_test'] as const

it.each([
  ['papers', [], ALL, ['sight_test', 'first_aid']],
  ['papers', ['first_aid'], ALL, ['sight_test']],
  ['application', PAPERS, ALL, []],
  ['approval', [...PAPERS, 'application'], ALL, []],
  ['theory', APPLIED, ALL, []],
  ['theory_test', APPLIED, ['requirements', 'theory_test'], []],
  ['drives', [...APPLIED, 'theory_test'], ['requirements'], []],
  ['drives', ['theory_test'], ['requirements'], []],
  ['practical_test', [...APPLIED, 'theory_test'], [], []],
  ['papers', ['theory_test'], ['papers'], ['first_aid']],
  ['licence', [...APPLIED, 'practical_test'], [], []],
  ['done', ['licence'], [], []],
] as const)('%s is next with %j done and %j missing', (step, done, missing, kinds) => {
  expect(nextWith(done, missing)).toEqual({ step, kinds })
})

it('an approval that has expired is next, also after the theory test', () => {
  const lost = nextWith([...APPLIED, 'theory_test'], ['requirements', 'approval'], ['approval'])
  expect(lost.step).toBe('approval')
})

it('papers that expire after the application are not asked for again', () => {
  expect(nextWith([...APPLIED], ALL, ['sight_test']).step).toBe('theory')
})
