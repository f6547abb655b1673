import type { QueryClient } from '@tanstack/react-query'
import i18next, { type TFunction } from 'i18next'
import type { Appointment } from '../../../contract/appointment.ts'
import type { SetUndo } from '../../../contract/undo.ts'
import type { Versioned } from '../../data/copies.ts'
import { type PendingWrite, showPendingWrites } from '../../data/pending-writes.ts'
import type { Kind } from '../../data/people.ts'
import { createStore, untilCleared } from '../../data/store.ts'
import { differingFields } from '../changed-fields.ts'
import { lazily, reportNotFetched } from '../lazily.ts'
import type { School } from '../school.tsx'
import { type ShownPage, type ToastAction, toast } from '../toasts.ts'

/** The lesson as wanted, and the stored one to change; undefined for a new one. */
export type WantedLesson = { readonly like: Appointment; readonly editing?: Appointment }

/** An action to run and report. `run` throws as its requests do. */
export type Command = {
  readonly run: () => Promise<Done>
  /** Returns the reason of a failure, once its texts are fetched. Never rejects. */
  readonly explain: (error: unknown) => Reason | Promise<Reason>
}

/** The reason of a failure, and remedies. */
export type Reason = { readonly why: string; readonly offers?: readonly ToastAction[] }

export type Side = 'done' | 'undone'

/** The rows of one kind that a step changed, as they are on each side; a side lacks those that do not exist there. */
export type StepRows =
  | { readonly kind: 'appointments'; readonly on: Readonly<Record<Side, readonly Appointment[]>> }
  | { readonly kind: Kind; readonly on: Readonly<Record<Side, readonly Versioned[]>> }

/** A finished action that can be undone by the sets of changes that it made. */
export type Done = {
  readonly context: {
    readonly client: QueryClient
    readonly school: School
    readonly t: TFunction
    /** Opens a search for another time, if the page has one. */
    readonly find?: ((wanted: WantedLesson) => void) | undefined
  }
  /** The oldest first; empty if none is known. */
  readonly sets: readonly string[]
  readonly rows?: StepRows
  /** The current state, to name in messages instead of the step's label. */
  readonly stands?: string | undefined
  /** Whether a part of it failed. */
  readonly isPartial?: boolean
  /** The place where the result is shown; undefined if it is gone. */
  readonly place?: ShownPage | undefined
  /** Called when the step has been undone or redone. */
  readonly onTurned?: () => void
}

/** The message of a step, and its label after "Undo:". */
type StepMessage = { readonly text: string; readonly label: string }

/** A step done or undone in this tab. */
export type UndoStep = Done & {
  readonly label: string
  /** The results of the sets that an interrupted attempt has undone. */
  readonly answers: readonly SetUndo[]
}

const MAX_STEPS = 20
export const OTHER = { done: 'undone', undone: 'done' } as const

/** This tab's steps to undo and redo, newest last. */
const steps = createStore<Readonly<Record<Side, readonly UndoStep[]>>>({ done: [], undone: [] })

/** The pending steps: until they have finished, the newest step is unknown. */
let underWay: Promise<unknown> = Promise.resolve()

const changes = lazily(() => import('../../data/changes.ts'))

type Turn = (side: Side, step: UndoStep) => Promise<void>

let loadTurn: () => Promise<Turn>

/** Sets the function that fetches the code which undoes and redoes. */
export function turnWith(load: typeof loadTurn): void {
  loadTurn = load
}

/** Returns the labels of the next step to undo and to redo. */
export function useNextSteps(): { readonly undo: string | undefined; readonly redo: string | undefined } {
  const { done, undone } = steps.use()
  return { undo: done.at(-1)?.label, redo: undone.at(-1)?.label }
}

/** The texts of a step that is done for the first time. */
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
    const { why, offers = [] } = await command.explain(error)
    if (!isSameSession()) return false
    toast({ kind: 'problem', text: failed(why), offers })
    return false
  }
}

/** Adds a step and reports it with an undo. Clears the redo steps. */
export function recordStep({ text, label }: StepMessage, done: Done): void {
  const step = { ...done, label, answers: [] }
  const isUndoable = done.sets.length > 0
  if (isUndoable) steps.set({ done: [...steps.get().done, step].slice(-MAX_STEPS), undone: [] })
  announceStep(text, done, isUndoable ? turnAction('done', step) : undefined)
}

/** Returns the sets that a write has reported, or those in the history of its rows if its response was lost. */
export async function setsOf(
  sets: readonly string[],
  { school: { user } }: Done['context'],
  { kind, on }: StepRows,
): Promise<readonly string[]> {
  // Instructors may not read histories.
  if (sets.length > 0 || user.role === 'instructor') return sets
  const sought = changes.load().then(({ setsBetween }) => setsBetween(kind, on.undone, on.done, user.id))
  return sought.catch(() => [])
}

export function undo(): Promise<void> {
  return inTurn('done')
}

export function redo(): Promise<void> {
  return inTurn('undone')
}

/** Returns the offer to turn a step of a side: to undo or redo it. */
export function turnAction(side: Side, step: UndoStep): ToastAction {
  const label = i18next.t(side === 'done' ? 'action.undo' : 'action.redo')
  return { label, act: () => void inTurn(side, step) }
}

/** Turns a step of a side, by default the newest, after the pending ones. The rows show it at once. */
function inTurn(side: Side, named?: UndoStep): Promise<void> {
  const turned = underWay.then(async () => {
    const step = named ?? steps.get()[side].at(-1)
    if (!step || !steps.get()[side].includes(step)) return
    const settle = showPendingWrites(step.rows ? writesTo(OTHER[side], step.rows) : [])
    const load = loadTurn()
    await load.then((turn) => turn(side, step), reportNotFetched).finally(settle)
  })
  underWay = turned
  return turned
}

/** Returns the writes that show the lessons of a step as they are on a side. */
function writesTo(side: Side, { kind, on }: StepRows): readonly PendingWrite[] {
  if (kind !== 'appointments') return []
  return on[OTHER[side]].map((shown) => {
    const wanted = on[side].find(({ id }) => id === shown.id)
    if (!wanted) return { id: shown.id, change: 'deleted' }
    const { version: _, updated_at: __, ...change } = differingFields(wanted, shown)
    return { id: shown.id, change }
  })
}

export function announceStep(
  text: string,
  { isPartial, place }: Pick<Done, 'isPartial' | 'place'>,
  back?: ToastAction,
): void {
  const show = place ? [{ label: i18next.t('undo.show'), place }] : []
  toast({ kind: isPartial ? 'problem' : 'done', text, offers: [...(back ? [back] : []), ...show] })
}

export function put(side: Side, changed: (list: readonly UndoStep[]) => readonly UndoStep[]): void {
  steps.set({ ...steps.get(), [side]: changed(steps.get()[side]) })
}
