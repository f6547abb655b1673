import { Problem } from '../contract/problem.ts'
import type { StoredAppointment } from '../db/appointments.ts'
import { Outdated } from '../db/connection/transaction.ts'
import { updateAppointment } from '../db/write-appointment.ts'
import { changeOf } from './change-appointment.ts'
import type { Decision } from './decide.ts'
import { deletionOf, restorationOf } from './delete-appointment.ts'
import type { Reversal } from './reversals.ts'
import type { Undoing } from './undoing.ts'

export async function undoLessons(
  undoing: Undoing,
  isWanted: (reversal: Reversal) => boolean,
): Promise<void> {
  for (const reversal of undoing.take('appointment', isWanted)) {
    await undoing.pieces.rest()
    const code = await undoLesson(undoing, reversal)
    if (code === undefined) undoing.done(reversal)
    else {
      undoing.refuse(reversal, code)
      await forgetDeletion(undoing, reversal)
    }
  }
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
