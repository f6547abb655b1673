import { lockSession } from '../../auth/lock-session.ts'
import {
  hiddenFrom,
  requireChangePermission,
  requirePermission,
  requireUndoPermission,
  visibleTo,
} from '../../auth/permissions.ts'
import type { Actor } from '../../contract/actor.ts'
import { notFound, Problem } from '../../contract/problem.ts'
import type { SetUndo } from '../../contract/undo.ts'
import { listStoredAppointments, type StoredAppointment } from '../../db/appointments/appointments.ts'
import { lockManyCalendars } from '../../db/calendars/calendar-locks.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import { isSetUndone, listChangesOfSet, listChangesSince } from '../../db/log/change-sets.ts'
import type { Database, Transaction } from '../../db/schema/tables.ts'
import { lockTenant } from '../../db/school/tenants.ts'
import { commitOnce } from '../idempotent.ts'
import { requireOwnBooking } from '../lessons/own-bookings.ts'
import { MANAGED_CLOSURES } from '../school/closures.ts'
import { MANAGED_LOCATIONS } from '../school/locations.ts'
import { MANAGED_VEHICLES } from '../school/vehicles.ts'
import { MANAGED_AVAILABILITY } from '../students/availability.ts'
import { MANAGED_WISHES } from '../students/wishes.ts'
import type { TimeSlicer } from '../time-slicer.ts'
import { MANAGED_TICKS } from '../trainings/ticks.ts'
import { reducedReversals } from './changed-since.ts'
import { type Reversal, reversalsOf } from './reversals.ts'
import { undoBalances } from './undo-balances.ts'
import { undoEnrolments } from './undo-enrolments.ts'
import { undoLessons } from './undo-lessons.ts'
import { lockForUndo } from './undo-locks.ts'
import { mergeIn, undoMerge } from './undo-merge.ts'
import { undoOffers, undoTakenOffers } from './undo-offers.ts'
import { undoEnquiry, undoInstructor, undoLessonTypes, undoPlan, undoTenant } from './undo-others.ts'
import { type RowUndo, rowUndo } from './undo-rows.ts'
import { undoStudents } from './undo-students.ts'
import { type LockedRows, UndoTransaction } from './undoing.ts'

type UndoOptions = {
  readonly key?: IdempotencyKey | undefined
  readonly slicer: TimeSlicer
  readonly isDryRun: boolean
}

/** The resources to which others refer: they come back before those, and go after them. */
const REFERRED = [rowUndo(MANAGED_LOCATIONS), rowUndo(MANAGED_VEHICLES)]
const UNREFERRED = [
  rowUndo(MANAGED_CLOSURES),
  rowUndo(MANAGED_WISHES),
  rowUndo(MANAGED_AVAILABILITY),
  rowUndo(MANAGED_TICKS),
]

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
 * Undoes a set in one transaction, as a new set: each field that nobody has changed since, if the rules allow it. Writes
 * nothing if nothing can be undone. Throws `not_found`, `forbidden`, and `already_undone`. Fails if the key is taken.
 */
export async function undoSet(
  database: DatabasePool,
  actor: Actor,
  set_id: string,
  { key, slicer, isDryRun }: UndoOptions,
): Promise<SetUndo> {
  const undone = inTransaction(database, async (db, commitWith) => {
    const { reversals, refused, merge } = await requireReversals(db, actor, set_id)
    await requireNotUndone(db, actor, set_id)
    if (merge) {
      await lockManyCalendars(db, actor.tenant.id, [merge.kept, merge.double])
      await lockSession(db, actor)
      await requireNotUndone(db, actor, set_id)
      const answer = await undoMerge(db, { ...actor, undoes: set_id }, merge)
      if (isDryRun) throw new DryRunRollback(answer)
      const isDone = answer.undone.length > 0
      return commitOnce({ db, actor, commitWith }, isDone ? key : undefined, Promise.resolve(answer))
    }
    const isOfSchool = reversals.some(({ resource }) => OF_SCHOOL.has(resource))
    if (isOfSchool) await lockTenant(db, actor.tenant.id)
    const locked = await lockForUndo(db, actor, reversals, slicer)
    await lockSession(db, actor)
    // A concurrent undo of the set may have held these locks.
    await requireNotUndone(db, actor, set_id)
    const { reversals: reduced, kept } = await untouched(db, actor, reversals, locked)
    const undoing = new UndoTransaction(
      db,
      { ...actor, undoes: set_id },
      { reversals: reduced, refused, locked, kept, slicer },
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

async function untouched(
  db: Transaction,
  { tenant }: Actor,
  reversals: readonly Reversal[],
  { lessons, students }: LockedRows,
): Promise<ReturnType<typeof reducedReversals>> {
  const isUnchanged = ({ id, version }: Reversal) =>
    (lessons.get(id) ?? students.get(id))?.version === version
  const changed = reversals.filter((one) => one.resource !== 'offer' && !isUnchanged(one))
  const since = changed.length > 0 ? await listChangesSince(db, tenant.id, changed) : new Map()
  return reducedReversals(reversals, since)
}

/** Undoes all reversals: frees time and restores people before it plans lessons again. */
async function undoAll(undoing: UndoTransaction): Promise<void> {
  await undoLessons(undoing, ({ action }) => action === 'delete')
  await undoBalances(undoing)
  const settleEnrolments = await undoEnrolments(undoing)
  await undoStudents(undoing)
  await settleEnrolments.afterStudents()
  const others = new Map<RowUndo, readonly Reversal[]>()
  for (const rows of REFERRED) others.set(rows, await rows.take(undoing))
  for (const [rows, reversals] of others)
    await rows.undo(
      undoing,
      reversals.filter(({ action }) => action !== 'delete'),
    )
  for (const reversal of undoing.take('instructor')) await undoInstructor(undoing, reversal)
  for (const [rows, reversals] of [...others].toReversed())
    await rows.undo(
      undoing,
      reversals.filter(({ action }) => action === 'delete'),
    )
  // Before the school, because a change of its language renames lesson types.
  await undoLessonTypes(undoing)
  for (const rows of UNREFERRED) await rows.undo(undoing, await rows.take(undoing))
  await undoOffers(undoing)
  for (const reversal of undoing.take('plan')) await undoPlan(undoing, reversal)
  for (const reversal of undoing.take('enquiry')) await undoEnquiry(undoing, reversal)
  for (const reversal of undoing.take('tenant')) await undoTenant(undoing, reversal)
  await undoLessons(undoing, ({ action }) => action !== 'delete')
  await settleEnrolments.afterLessons()
  await undoTakenOffers(undoing)
}

async function requireNotUndone(db: Database, { tenant }: Actor, set_id: string): Promise<void> {
  if (await isSetUndone(db, tenant.id, set_id)) throw new Problem('already_undone')
}

async function requireReversals(db: Transaction, actor: Actor, set_id: string) {
  const changes = await listChangesOfSet(db, actor.tenant.id, { set_id, ...hiddenFrom(actor) })
  if (changes.length === 0) throw notFound()
  requireUndoPermission(actor, new Set(changes.map(({ resource }) => resource)))
  const found = { ...reversalsOf(changes), merge: mergeIn(changes) }
  const { role } = actor
  if (role === 'instructor') await requireOwn(db, { ...actor, role }, changes, found.reversals)
  return found
}

type Instructor = Actor & { readonly role: 'instructor' }

async function requireOwn(
  db: Database,
  actor: Instructor,
  changes: readonly { readonly resource_id: string; readonly actor_id: string | null }[],
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
  const isByActor = changes.every(({ actor_id }) => actor_id === actor.id)
  for (const { id, action, fields } of reversals) {
    const lesson = lessons.get(id) as StoredAppointment
    if ('no_show_fee_percent' in fields && !isByActor) throw new Problem('forbidden')
    if (action === 'change') requireChangePermission(actor, lesson, fields)
    else await requireOwnCreation(db, actor, lesson, isByActor)
  }
}

async function requireOwnCreation(
  db: Database,
  actor: Instructor,
  lesson: StoredAppointment,
  isByActor: boolean,
): Promise<void> {
  if (!isByActor) throw new Problem('forbidden')
  requirePermission(actor, 'book')
  await requireOwnBooking(db, actor, lesson)
}
