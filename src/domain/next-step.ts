import type { Readiness } from './readiness.ts'
import type { Tick, TickKind, TickNeed } from './ticks.ts'

export const STEPS = [
  'papers',
  'application',
  'approval',
  'theory',
  'theory_test',
  'drives',
  'practical_test',
  'licence',
  'done',
] as const

/** The next step of a training, and the papers that it needs. */
export type NextStep = { readonly step: (typeof STEPS)[number]; readonly kinds: readonly TickKind[] }

type TrainingState = {
  readonly ticks: readonly Pick<Tick, 'kind' | 'state' | 'needed_for'>[]
  readonly readiness: Pick<Readiness, 'requirements' | 'theory' | 'missing'>
}

/**
 * Returns the first step that is not done, in the order in which offices take them. A passed theory test shows that the
 * application has been made, even if nobody has entered its papers.
 */
export function nextStepOf({ ticks, readiness }: TrainingState): NextStep {
  const isOpen = (kind: TickKind) => ticks.some((one) => one.kind === kind && isLacking(one))
  const isDone = (kind: TickKind) => ticks.some((one) => one.kind === kind && isValid(one))
  const openFor = (need: TickNeed) =>
    ticks.filter((one) => isLacking(one) && one.needed_for.includes(need)).map(({ kind }) => kind)
  const step = (name: NextStep['step'], kinds: readonly TickKind[] = []) => ({ step: name, kinds })
  if (isDone('licence')) return step('done')
  if (isDone('practical_test')) return step(isOpen('licence') ? 'licence' : 'done')
  const [forApplication, forPractice] = [openFor('application'), openFor('practical_test')].map((kinds) =>
    kinds.filter((kind) => !OWN_STEPS.has(kind)),
  )
  if (!isDone('theory_test')) {
    if (!isDone('application') && forApplication?.length) return step('papers', forApplication)
    if (isOpen('application') && !isDone('approval')) return step('application')
  }
  if (isOpen('approval') && (!isDone('theory_test') || readiness.missing.includes('approval')))
    return step('approval')
  if (!readiness.theory) return step('theory')
  if (readiness.missing.includes('theory_test')) return step('theory_test')
  if (!readiness.requirements) return step('drives')
  if (readiness.missing.includes('papers') && forPractice?.length) return step('papers', forPractice)
  return step('practical_test')
}

/** Kinds that are steps of their own. */
const OWN_STEPS: ReadonlySet<TickKind> = new Set([
  'application',
  'approval',
  'theory_test',
  'practical_test',
  'licence',
])

function isLacking({ state }: Pick<Tick, 'state'>): boolean {
  return state === 'missing' || state === 'expired'
}

function isValid({ state }: Pick<Tick, 'state'>): boolean {
  return state === 'done' || state === 'expiring'
}
