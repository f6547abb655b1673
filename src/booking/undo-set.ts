import { lockSession } from '../auth/lock-session.ts'
import { hiddenFrom, requireChangePermission, requireUndoPermission, visibleTo } from '../auth/permissions.ts'
import type { Actor } from '../contract/actor.ts'
import { notFound, Problem } from '../contract/problem.ts'
import type { SetUndo } from '../contract/undo.ts'
import { listStoredAppointments, type StoredAppointment } from '../db/appointments.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import type { IdempotencyKey } from '../db/idempotency-keys.ts'
import { isSetUndone, listChangesOfSet } from '../db/log/change-sets.ts'
import type { Database, Transaction } from '../db/schema/tables.ts'
import { lockTenant } from '../db/tenants.ts'
import { commitOnce } from './idempotent.ts'
import type { Pieces } from './pieces.ts'
import { type Reversal, reversalsOf } from './reversals.ts'
import { undoLessons } from './undo-lessons.ts'
import { takeUnchangedLocations, undoLocations } from './undo-locations.ts'
import { lockForUndo } from './undo-locks.ts'
import { undoClosures, undoInstructor, undoLessonTypes, undoTenant, undoVehicle } from './undo-others.ts'
import { undoStudents } from './undo-students.ts'
import { undoOffers, undoTakenOffers, undoWishes } from './undo-wishes.ts'
import { UndoTransaction } from './undoing.ts'

type Way = {
  readonly key?: IdempotencyKey | undefined
  readonly pieces: Pieces
  readonly isDryRun: boolean
}

/** The resources that the lock of the school's row protects. */
const OF_SCHOOL: ReadonlySet<string> = new Set(['tenant', 'closure', 'location'])

class DryRunRollback extends Error {
  readonly answer: SetUndo

  constructor(answer: SetUndo) {
    super('tried')
    this.answer = answer
  }
}

/**
 * Undoes a set in one transaction, as a new set: each resource that has not changed since, if the rules allow it. Writes
 * nothing if nothing can be undone. Throws `not_found`, `forbidden`, and `already_undone`. Fails if the key is taken.
 */
export async function undoSet(
  database: DatabasePool,
  actor: Actor,
  set_id: string,
  { key, pieces, isDryRun }: Way,
): Promise<SetUndo> {
  const undone = inTransaction(database, async (db, commitWith) => {
    const { reversals, refused } = await requireReversals(db, actor, set_id)
    await requireNotUndone(db, actor, set_id)
    const isOfSchool = reversals.some(({ resource }) => OF_SCHOOL.has(resource))
    if (isOfSchool) await lockTenant(db, actor.tenant.id)
    const locked = await lockForUndo(db, actor, reversals, pieces)
    await lockSession(db, actor)
    // A concurrent undo of the set may have held these locks.
    await requireNotUndone(db, actor, set_id)
    const undoing = new UndoTransaction(
      db,
      { ...actor, undoes: set_id },
      { reversals, refused, locked, pieces },
    )
    await undoAll(undoing)
    const answer = undoing.answer()
    if (isDryRun) throw new DryRunRollback(answer)
    const isDone = answer.undone.length > 0
    return commitOnce({ db, actor, commitWith }, isDone ? key : undefined, Promise.resolve(answer))
  })
  return undone.catch((error) => {
    if (error instanceof DryRunRollback) return error.answer
    throw error
  })
}

/** Undoes all reversals: frees time and restores people before it plans lessons again. */
async function undoAll(undoing: UndoTransaction): Promise<void> {
  await undoLessons(undoing, ({ action }) => action === 'delete')
  await undoStudents(undoing)
  const locations = await takeUnchangedLocations(undoing)
  await undoLocations(
    undoing,
    locations.filter(({ action }) => action !== 'delete'),
  )
  const vehicles = undoing.take('vehicle')
  for (const reversal of vehicles.filter(({ action }) => action !== 'delete'))
    await undoVehicle(undoing, reversal)
  for (const reversal of undoing.take('instructor')) await undoInstructor(undoing, reversal)
  for (const reversal of vehicles.filter(({ action }) => action === 'delete'))
    await undoVehicle(undoing, reversal)
  await undoLocations(
    undoing,
    locations.filter(({ action }) => action === 'delete'),
  )
  // Before the school, because a change of its language renames lesson types.
  await undoLessonTypes(undoing)
  await undoClosures(undoing)
  await undoWishes(undoing)
  await undoOffers(undoing)
  for (const reversal of undoing.take('tenant')) await undoTenant(undoing, reversal)
  await undoLessons(undoing, ({ action }) => action !== 'delete')
  await undoTakenOffers(undoing)
}

async function requireNotUndone(db: Database, { tenant }: Actor, set_id: string): Promise<void> {
  if (await isSetUndone(db, tenant.id, set_id)) throw new Problem('already_undone')
}

async function requireReversals(db: Transaction, actor: Actor, set_id: string) {
  const changes = await listChangesOfSet(db, actor.tenant.id, { set_id, ...hiddenFrom(actor) })
  if (changes.length === 0) throw notFound()
  requireUndoPermission(actor, new Set(changes.map(({ resource }) => resource)))
  const found = reversalsOf(changes)
  if (actor.role === 'instructor') await requireOwn(db, actor, changes, found.reversals)
  return found
}

async function requireOwn(
  db: Database,
  actor: Actor,
  changes: readonly { readonly resource_id: string }[],
  reversals: readonly Reversal[],
): Promise<void> {
  const ids = [...new Set(changes.map(({ resource_id }) => resource_id))]
  const lessons = new Map<string, StoredAppointment>()
  for (const one of await listStoredAppointments(db, actor.tenant.id, ids)) lessons.set(one.id, one)
  for (const id of ids) {
    const lesson = lessons.get(id)
    if (!lesson) throw notFound()
    visibleTo(actor, lesson)
  }
  for (const { id, action, fields } of reversals) {
    if (action !== 'change') throw new Problem('forbidden')
    requireChangePermission(actor, lessons.get(id) as StoredAppointment, fields)
  }
}
