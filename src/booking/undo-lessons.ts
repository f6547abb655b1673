import { sql } from 'kysely'
import { Problem } from '../contract/problem.ts'
import type { StoredAppointment } from '../db/appointments.ts'
import { Outdated } from '../db/connection/transaction.ts'
import { parkAppointments } from '../db/hit-appointments.ts'
import { updateAppointment } from '../db/write-appointment.ts'
import { changeOf } from './change-appointment.ts'
import type { Decision } from './decide.ts'
import { deletionOf, restorationOf } from './delete-appointment.ts'
import type { Reversal } from './reversals.ts'
import type { Undoing } from './undoing.ts'

/** Takes back the lessons that are wanted, each as a request would write it; those in each other's way together. */
export async function undoLessons(
  undoing: Undoing,
  isWanted: (reversal: Reversal) => boolean,
): Promise<void> {
  const refused: Refusal[] = []
  for (const reversal of undoing.take('appointment', isWanted)) {
    await undoing.pieces.rest()
    const code = await undoLesson(undoing, reversal)
    if (code === undefined) undoing.done(reversal)
    else refused.push({ reversal, code })
  }
  for (const { reversal, code } of await undoTogether(undoing, refused)) {
    undoing.refuse(reversal, code)
    await forgetDeletion(undoing, reversal)
  }
}

type Refusal = { readonly reversal: Reversal; readonly code: string }

/** The refusals that another lesson of the set may have caused by standing where this one was. */
const IN_THE_WAY: ReadonlySet<string> = new Set(['instructor_busy', 'student_busy', 'vehicle_busy'])

/** Takes back refused lessons in one go, such as two that have changed places. Returns those that stay refused. */
async function undoTogether(undoing: Undoing, refused: readonly Refusal[]): Promise<readonly Refusal[]> {
  const { db, actor, locked } = undoing
  const pairs = refused.flatMap(({ reversal, code }) => {
    const stored = locked.lessons.get(reversal.id)
    const isInTheWay = reversal.action === 'change' && IN_THE_WAY.has(code)
    return stored && !stored.deleted && isInTheWay ? [{ reversal, stored }] : []
  })
  if (pairs.length === 0) return refused
  await sql`savepoint together`.execute(db)
  await parkAppointments(
    db,
    actor.tenant.id,
    pairs.map(({ stored }) => stored.id),
  )
  for (const { reversal } of pairs) {
    await undoing.pieces.rest()
    if ((await undoLesson(undoing, reversal)) === undefined) continue
    await sql`rollback to savepoint together`.execute(db)
    return refused
  }
  for (const { reversal } of pairs) undoing.done(reversal)
  const undone = new Set(pairs.map(({ reversal }) => reversal.id))
  return refused.filter(({ reversal }) => !undone.has(reversal.id))
}

/** Returns why the lesson stays as it is; undefined if it was undone. */
async function undoLesson(undoing: Undoing, reversal: Reversal): Promise<string | undefined> {
  const stored = undoing.locked.lessons.get(reversal.id)
  if (stored?.version !== reversal.version) return 'changed_since'
  try {
    const { write } = await decisionOn(undoing, reversal, stored)
    if (!(await write(undoing.db))) throw new Outdated()
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}

async function decisionOn(
  { db, actor }: Undoing,
  { action, fields }: Reversal,
  stored: StoredAppointment,
): Promise<Decision<StoredAppointment>> {
  if (action === 'delete') return deletionOf(actor, stored)
  if (action === 'restore') return restorationOf(db, actor, stored)
  if (stored.deleted) throw new Problem('not_found')
  return changeOf(db, actor, stored, { change: fields, isExpected: () => true })
}

/** Keeps a lesson, cancelled by a student's deletion, from coming back with the next restoration. */
async function forgetDeletion({ db, actor, locked, undone }: Undoing, { id }: Reversal): Promise<void> {
  const stored = locked.lessons.get(id)
  if (!stored?.cancelled_with_student || !undone.includes(stored.student_id ?? '')) return
  await updateAppointment(db, actor, { stored, next: { ...stored, cancelled_with_student: false } })
}
