import i18next from 'i18next'
import { createStore } from '../../data/store.ts'
import { isLost } from '../problem-words.ts'
import { type Offer, type Place, toast, withdrawDone } from '../toasts.ts'

/** Something that can be done and taken back, however often. */
export type Command = {
  /** Does it, and gives what takes it back. Throws what its requests throw. */
  readonly run: () => Promise<Done>
  /** Why it could not be done, and what may help. */
  readonly explain: (error: unknown) => { readonly why: string; readonly offers?: readonly Offer[] }
}

export type Done = {
  readonly opposite: Command
  /** The current state, if it says more than the step. */
  readonly stands?: string
  /** Whether a part of it could not be done. */
  readonly isPartial?: boolean
  /** The place where the result is shown; undefined if it is gone. */
  readonly place?: Place
}

/** The words of a step: its message, and those that follow "Undo:". */
type Told = { readonly text: string; readonly words: string }

/** A step done or undone in this tab, and its opposite. */
type Step = { readonly words: string; readonly opposite: Command }

type Side = 'done' | 'undone'

const MOST_STEPS = 20
const OTHER = { done: 'undone', undone: 'done' } as const

/** The steps of this tab, the newest last: what undo takes back, and what redo does again. */
const steps = createStore<Readonly<Record<Side, readonly Step[]>>>({ done: [], undone: [] })

/** The unanswered steps: until they are answered nobody knows which one is the newest. */
let underWay: Promise<unknown> = Promise.resolve()

/** The words of the next step that undo takes back, and of the next that redo does again; none where there is nothing. */
export function useNextSteps(): { readonly undo: string | undefined; readonly redo: string | undefined } {
  const { done, undone } = steps.use()
  return { undo: done.at(-1)?.words, redo: undone.at(-1)?.words }
}

/** The messages of a step that is done for the first time. */
type Words = { readonly told: (done: Done) => Told; readonly failed: (why: string) => string }

/** Does something and tells it, with an offer to take it back, or why it could not. Whether it was done. */
export function act(command: Command, words: Words): Promise<boolean> {
  const work = doAndTell(command, words)
  underWay = Promise.all([underWay, work])
  return work
}

async function doAndTell(command: Command, { told, failed }: Words): Promise<boolean> {
  try {
    const done = await command.run()
    noteStep(told(done), done)
    return true
  } catch (error) {
    const { why, offers = [] } = command.explain(error)
    toast({ kind: 'problem', text: failed(why), offers })
    return false
  }
}

/** Records a step of this tab, and offers to undo it. Steps undone before can no longer be redone. */
export function noteStep({ text, words }: Told, done: Done): void {
  const step = { words, opposite: done.opposite }
  steps.set({ done: [...steps.get().done, step].slice(-MOST_STEPS), undone: [] })
  tell(text, done, { words: i18next.t('action.undo'), act: () => void undo(step) })
}

/** Takes a step back, the newest if none is named; nothing where there is none. */
export function undo(step?: Step): Promise<void> {
  return inTurn('done', step)
}

/** Does again what was undone last, or a step that is named; nothing where there is none. */
export function redo(step?: Step): Promise<void> {
  return inTurn('undone', step)
}

function inTurn(side: Side, named: Step | undefined): Promise<void> {
  const turned = underWay.then(() => {
    const step = named ?? steps.get()[side].at(-1)
    return step && steps.get()[side].includes(step) ? turn(side, step) : undefined
  })
  underWay = turned
  return turned
}

/**
 * Moves a step to the other side. What somebody else has made impossible is told and dropped: it must not stand in the way of
 * the steps before it. What was only not answered can be tried again.
 */
async function turn(side: Side, step: Step): Promise<void> {
  put(side, (list) => list.filter((one) => one !== step))
  withdrawDone()
  const [again, turnBack] = side === 'done' ? [undo, redo] : [redo, undo]
  const name = (one: typeof undo) => i18next.t(one === undo ? 'action.undo' : 'action.redo')
  try {
    const done = await step.opposite.run()
    const turned = { words: step.words, opposite: done.opposite }
    put(OTHER[side], (list) => [...list, turned])
    const text = i18next.t(`undo.${OTHER[side]}`, { what: done.stands ?? step.words })
    tell(text, done, { words: name(turnBack), act: () => void turnBack(turned) })
  } catch (error) {
    const { why, offers = [] } = step.opposite.explain(error)
    const isToBeTried = isLost(error)
    if (isToBeTried) put(side, (list) => [...list, step])
    const retry = { words: name(again), act: () => void again(step) }
    const text = i18next.t(side === 'done' ? 'undo.notUndone' : 'undo.notRedone', { step: step.words, why })
    toast({ kind: 'problem', text, offers: isToBeTried ? [retry] : offers })
  }
}

function tell(text: string, { isPartial, place }: Done, back: Offer): void {
  const show = place ? [{ words: i18next.t('undo.show'), place }] : []
  toast({ kind: isPartial ? 'problem' : 'done', text, offers: [back, ...show] })
}

function put(side: Side, changed: (list: readonly Step[]) => readonly Step[]): void {
  steps.set({ ...steps.get(), [side]: changed(steps.get()[side]) })
}
