import type { QueryClient } from '@tanstack/react-query'
import type { SetUndo } from '../../contract/undo.ts'
import { APPOINTMENTS } from '../data/appointments.ts'
import { undoSet } from '../data/changes.ts'
import type { Copies, Versioned } from '../data/copies.ts'
import { followNow, readAgain } from '../data/following.ts'
import { copiesOf } from '../data/people.ts'
import { untilCleared } from '../data/store.ts'
import { queueWrite } from '../data/write-queue.ts'
import { placeOf, remediesFor } from '../lessons/lesson-commands.ts'
import { lessonText } from '../lessons/lesson-texts.ts'
import { isOutcomeUnknown, problemMessage } from '../ui/problem-messages.ts'
import { type ShownPage, type ToastAction, toast, withdrawDone } from '../ui/toasts.ts'
import {
  announceStep,
  OTHER,
  put,
  type Side,
  type StepRows,
  turnAction,
  type UndoStep,
} from '../ui/undo/steps.ts'
import { pageOf } from '../ui/undo/use-save-person.ts'
import { staysText } from './set-texts.ts'

/** The maximum number of rows to read one by one. */
const MAX_READS = 20

/**
 * Undoes or redoes a step and moves it to the other side. A redo is the undo of the undo. Drops the step if it is rejected; keeps
 * it if the outcome is unknown.
 */
export async function turn(side: Side, step: UndoStep): Promise<void> {
  put(side, (list) => list.filter((one) => one !== step))
  withdrawDone()
  const { context, sets } = step
  const { cached, read } = accessTo(context.client, step.rows)
  const isSameSession = untilCleared()
  const answers = [...step.answers]
  try {
    await queueTogether(cached(), async () => {
      for (const id of sets.toReversed().slice(answers.length)) answers.push(await undoSet(id, context))
      await read()
      return cached()
    })
    if (isSameSession()) report(side, step, answers)
  } catch (error) {
    if (!isSameSession()) return
    const why = problemMessage(error, context.t)
    const kept = { ...step, answers }
    const isUnknown = isOutcomeUnknown(error)
    if (isUnknown) put(side, (list) => [...list, kept])
    fail(side, step, why, isUnknown ? [turnAction(side, kept)] : [])
  }
}

/**
 * Sends one request that changes several rows, after their other writes. `send` returns the new rows, on which later writes are
 * based. Throws as `queueWrite` and `send` do.
 */
function queueTogether(
  rows: readonly Versioned[],
  send: () => Promise<readonly Versioned[]>,
): Promise<unknown> {
  const { promise: areFree, resolve } = Promise.withResolvers<void>()
  let waiting = rows.length
  if (waiting === 0) resolve()
  const sent = areFree.then(send)
  const queued = rows.map((row) =>
    queueWrite(row, async (latest) => {
      waiting -= 1
      if (waiting === 0) resolve()
      return (await sent).find(({ id }) => id === row.id) ?? latest
    }),
  )
  return Promise.all([sent, ...queued])
}

/** The functions that return the cached copies of rows, and that read the rows again. */
type Access = {
  readonly cached: () => readonly Versioned[]
  readonly read: () => Promise<unknown>
}

function accessTo(client: QueryClient, rows: StepRows | undefined): Access {
  if (!rows) return { cached: () => [], read: async () => {} }
  const ids = [...new Set([...rows.on.done, ...rows.on.undone].map(({ id }) => id))]
  return rows.kind === 'appointments'
    ? accessBy(client, APPOINTMENTS, ids)
    : accessBy(client, copiesOf(rows.kind), ids)
}

function accessBy<T extends Versioned>(
  client: QueryClient,
  copies: Copies<T>,
  ids: readonly string[],
): Access {
  return {
    cached: () => ids.flatMap((id) => copies.read(client, id) ?? []),
    read: () =>
      ids.length > MAX_READS
        ? followNow(client)
        : Promise.all(ids.map((id) => readAgain(client, copies, id))),
  }
}

/** Reports the results of a step's sets, and offers to turn it back unless nothing could be undone. */
function report(side: Side, step: UndoStep, answers: readonly SetUndo[]): void {
  const { context, label, rows, onTurned } = step
  const other = OTHER[side]
  const lessons = rows?.kind === 'appointments' ? rows.on[other] : []
  const undone = answers.flatMap((one) => one.undone)
  const refused = answers.flatMap((one) => one.refused)
  const stays = staysText({ undone, refused }, { ...context, all: [], lessons })
  if (undone.length === 0) {
    const isByRule = refused.some(({ params }) => params !== undefined)
    fail(side, step, stays, isByRule ? remedies(step, other) : [])
    return
  }
  const sets = answers.filter((one) => one.undone.length > 0).map(({ set_id }) => set_id)
  const turned = { ...step, sets, answers: [] }
  put(other, (list) => [...list, turned])
  onTurned?.()
  const { stands: what = label, place } = currentOf(step)
  const isPartial = refused.length > 0
  const text = isPartial
    ? context.t(`setUndo.${other}Partly`, { what, stays })
    : context.t(`undo.${other}`, { what })
  announceStep(text, { isPartial, place }, turnAction(other, turned))
}

function fail(side: Side, { context, label }: UndoStep, why: string, offers: readonly ToastAction[]): void {
  const key = side === 'done' ? 'undo.notUndone' : 'undo.notRedone'
  toast({ kind: 'problem', text: context.t(key, { step: label, why }), offers })
}

/** Returns the name of a step's only lesson as it is now, and the page that shows the step's first row. */
function currentOf({ context: { client, school, t }, rows }: UndoStep): {
  readonly stands?: string
  readonly place?: ShownPage
} {
  if (!rows) return {}
  if (rows.kind !== 'appointments') {
    const [person] = accessTo(client, rows).cached()
    return person ? { place: pageOf(rows.kind, person) } : {}
  }
  const { undone, done } = rows.on
  const known = [...undone, ...done]
  const ids = new Set(known.map(({ id }) => id))
  const copy = [...ids].map((id) => APPOINTMENTS.read(client, id)).find((one) => one !== undefined)
  const [lesson] = [copy, ...known].filter((one) => one !== undefined)
  return {
    ...(lesson && ids.size === 1 && { stands: lessonText(lesson, school, t) }),
    ...(copy && { place: placeOf(copy, school) }),
  }
}

/** Returns what to offer if a rule keeps a step's only lesson from a side. */
function remedies({ context, rows }: UndoStep, side: Side): readonly ToastAction[] {
  if (rows?.kind !== 'appointments') return []
  const [like, ...others] = rows.on[side]
  if (!like || others.length > 0) return []
  const editing = APPOINTMENTS.read(context.client, like.id)
  return remediesFor(context, { like, ...(editing && { editing }) })
}
