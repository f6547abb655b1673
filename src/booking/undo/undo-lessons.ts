import { sql } from 'kysely'
import { Problem } from '../../contract/problem.ts'
import { hideAppointments } from '../../db/appointments/affected-appointments.ts'
import type { StoredAppointment } from '../../db/appointments/appointments.ts'
import { updateAppointment } from '../../db/appointments/write-appointment.ts'
import { Outdated } from '../../db/connection/transaction.ts'
import type { Decision } from '../decide.ts'
import { appointmentUpdateFor } from '../lessons/change-appointment.ts'
import { deletionOf, restorationOf } from '../lessons/delete-appointment.ts'
import type { Reversal } from './reversals.ts'
import type { UndoTransaction } from './undoing.ts'

/**
 * Undoes the wanted lesson changes, with the checks of a request. Retries those that other lessons of the set may block, at
 * last together.
 */
export async function undoLessons(
  undoing: UndoTransaction,
  isWanted: (reversal: Reversal) => boolean,
): Promise<void> {
  const refused = await undoWithRetries(undoing, undoing.take('appointment', isWanted))
  for (const { reversal, code, params } of await undoTogether(undoing, refused)) {
    undoing.refuse(reversal, code, params)
    await forgetDeletion(undoing, reversal)
  }
}

type Refusal = {
  readonly reversal: Reversal
  readonly code: string
  readonly params?: Problem['params']
  readonly isByRule: boolean
}

async function undoEach(
  undoing: UndoTransaction,
  reversals: readonly Reversal[],
): Promise<readonly Refusal[]> {
  const refused: Refusal[] = []
  for (const reversal of reversals) {
    await undoing.slicer.pause()
    const refusal = await undoLesson(undoing, reversal)
    if (refusal) refused.push(refusal)
    else undoing.done(reversal)
  }
  return refused
}

/** Undoes lessons, and retries those that a rule refused while at least one succeeds. Returns the refused ones. */
async function undoWithRetries(
  undoing: UndoTransaction,
  reversals: readonly Reversal[],
): Promise<readonly Refusal[]> {
  const refused = await undoEach(undoing, reversals)
  const again = refused.filter(({ isByRule }) => isByRule)
  if (again.length === 0 || refused.length === reversals.length) return refused
  const left = await undoWithRetries(
    undoing,
    again.map(({ reversal }) => reversal),
  )
  return [...refused.filter(({ isByRule }) => !isByRule), ...left]
}

/** Undoes as many refused lessons together as the rules allow, such as two that swapped. Returns the others. */
async function undoTogether(
  undoing: UndoTransaction,
  refused: readonly Refusal[],
): Promise<readonly Refusal[]> {
  const { db, actor, locked } = undoing
  const together = refused.filter(({ reversal: { id, action }, isByRule }) => {
    const stored = locked.lessons.get(id)
    return stored && !stored.deleted && action === 'change' && isByRule
  })
  if (together.length < 2) return refused
  const reversals = together.map(({ reversal }) => reversal)
  await sql`savepoint together`.execute(db)
  await hideAppointments(
    db,
    actor.tenant.id,
    reversals.map(({ id }) => id),
  )
  const failed = new Set<string>()
  for (const reversal of reversals) {
    await undoing.slicer.pause()
    if (await undoLesson(undoing, reversal)) failed.add(reversal.id)
  }
  if (failed.size === 0) {
    for (const reversal of reversals) undoing.done(reversal)
    return refused.filter((one) => !together.includes(one))
  }
  await sql`rollback to savepoint together`.execute(db)
  const isLeft = ({ reversal: { id } }: Refusal) => failed.has(id)
  const others = refused.filter((one) => !isLeft(one))
  return [...refused.filter(isLeft), ...(await undoTogether(undoing, others))]
}

async function undoLesson(undoing: UndoTransaction, reversal: Reversal): Promise<Refusal | undefined> {
  const stored = undoing.locked.lessons.get(reversal.id)
  if (stored?.version !== reversal.version) return { reversal, code: 'changed_since', isByRule: false }
  try {
    const { write } = await decisionOn(undoing, reversal, stored)
    if (!(await write(undoing.db))) throw new Outdated()
    return undefined
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { code, params, refusals } = error
    return { reversal, code, params, isByRule: refusals !== undefined }
  }
}

async function decisionOn(
  { db, actor }: UndoTransaction,
  { action, fields }: Reversal,
  stored: StoredAppointment,
): Promise<Decision<StoredAppointment>> {
  if (action === 'delete') return deletionOf(actor, stored)
  if (action === 'restore') return restorationOf(db, actor, stored)
  if (stored.deleted) throw new Problem('not_found')
  return appointmentUpdateFor(db, actor, stored, { change: fields, isExpected: () => true })
}

/** Excludes a lesson cancelled by a student's deletion from the student's next restoration. */
async function forgetDeletion(
  { db, actor, locked, undone }: UndoTransaction,
  { id }: Reversal,
): Promise<void> {
  const stored = locked.lessons.get(id)
  if (!stored?.cancelled_with_student || !undone.includes(stored.student_id ?? '')) return
  await updateAppointment(db, actor, { stored, next: { ...stored, cancelled_with_student: false } })
}
