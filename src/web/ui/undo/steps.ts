import i18next from 'i18next'
import { createStore, untilCleared } from '../../data/store.ts'
import { isOutcomeUnknown } from '../problem-messages.ts'
import { type ShownPage, type ToastAction, toast, withdrawDone } from '../toasts.ts'

/** A repeatable action with an opposite. */
export type Command = {
  /** Runs it and returns its opposite. Throws as its requests do. */
  readonly run: () => Promise<Done>
  /** Returns the reason of a failure, and a remedy. */
  readonly explain: (error: unknown) => { readonly why: string; readonly offers?: readonly ToastAction[] }
}

export type Done = {
  readonly opposite: Command
  /** The current state, to name in messages instead of the step's label. */
  readonly stands?: string
  /** Whether a part of it failed. */
  readonly isPartial?: boolean
  /** The place where the result is shown; undefined if it is gone. */
  readonly place?: ShownPage
}

/** The message of a step, and its label after "Undo:". */
type StepMessage = { readonly text: string; readonly label: string }

/** A step done or undone in this tab, and its opposite. */
type Step = { readonly label: string; readonly opposite: Command }

type Side = 'done' | 'undone'

const MAX_STEPS = 20
const OTHER = { done: 'undone', undone: 'done' } as const

/** This tab's steps to undo and redo, newest last. */
const steps = createStore<Readonly<Record<Side, readonly Step[]>>>({ done: [], undone: [] })

/** The pending steps: until they have finished, the newest step is unknown. */
let underWay: Promise<unknown> = Promise.resolve()

/** Returns the labels of the next step to undo and to redo. */
export function useNextSteps(): { readonly undo: string | undefined; readonly redo: string | undefined } {
  const { done, undone } = steps.use()
  return { undo: done.at(-1)?.label, redo: undone.at(-1)?.label }
}

/** The messages of a step that is done for the first time. */
type StepTexts = { readonly message: (done: Done) => StepMessage; readonly failed: (why: string) => string }

/** Runs a command and reports it with an undo, or why it failed. Returns whether it was done. */
export function act(command: Command, texts: StepTexts): Promise<boolean> {
  const work = runAndReport(command, texts)
  underWay = Promise.all([underWay, work])
  return work
}

async function runAndReport(command: Command, { message, failed }: StepTexts): Promise<boolean> {
  const isSameSession = untilCleared()
  try {
    const done = await command.run()
    if (isSameSession()) recordStep(message(done), done)
    return true
  } catch (error) {
    if (!isSameSession()) return false
    const { why, offers = [] } = command.explain(error)
    toast({ kind: 'problem', text: failed(why), offers })
    return false
  }
}

/** Adds a step and reports it with an undo. Clears the redo steps. */
export function recordStep({ text, label }: StepMessage, done: Done): void {
  const step = { label, opposite: done.opposite }
  steps.set({ done: [...steps.get().done, step].slice(-MAX_STEPS), undone: [] })
  announceStep(text, done, { label: i18next.t('action.undo'), act: () => void undo(step) })
}

/** Undoes a step, by default the newest, if there is one. */
export function undo(step?: Step): Promise<void> {
  return inTurn('done', step)
}

/** Redoes a step, by default the last one undone, if there is one. */
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

/** Undoes or redoes a step and moves it to the other side. Drops it if it is rejected; keeps it if the outcome is unknown. */
async function turn(side: Side, step: Step): Promise<void> {
  put(side, (list) => list.filter((one) => one !== step))
  withdrawDone()
  const [again, turnBack] = side === 'done' ? [undo, redo] : [redo, undo]
  const name = (one: typeof undo) => i18next.t(one === undo ? 'action.undo' : 'action.redo')
  const isSameSession = untilCleared()
  try {
    const done = await step.opposite.run()
    if (!isSameSession()) return
    const turned = { label: step.label, opposite: done.opposite }
    put(OTHER[side], (list) => [...list, turned])
    const text = i18next.t(`undo.${OTHER[side]}`, { what: done.stands ?? step.label })
    announceStep(text, done, { label: name(turnBack), act: () => void turnBack(turned) })
  } catch (error) {
    if (!isSameSession()) return
    const { why, offers = [] } = step.opposite.explain(error)
    const isToBeTried = isOutcomeUnknown(error)
    if (isToBeTried) put(side, (list) => [...list, step])
    const retry = { label: name(again), act: () => void again(step) }
    const text = i18next.t(side === 'done' ? 'undo.notUndone' : 'undo.notRedone', { step: step.label, why })
    toast({ kind: 'problem', text, offers: isToBeTried ? [retry] : offers })
  }
}

function announceStep(text: string, { isPartial, place }: Done, back: ToastAction): void {
  const show = place ? [{ label: i18next.t('undo.show'), place }] : []
  toast({ kind: isPartial ? 'problem' : 'done', text, offers: [back, ...show] })
}

function put(side: Side, changed: (list: readonly Step[]) => readonly Step[]): void {
  steps.set({ ...steps.get(), [side]: changed(steps.get()[side]) })
}
