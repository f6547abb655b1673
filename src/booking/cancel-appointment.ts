import { visibleTo } from '../auth/permissions.ts'
import type { Actor } from '../contract/actor.ts'
import type { Appointment } from '../contract/appointment.ts'
import type { NewCancellation } from '../contract/cancellation.ts'
import { invalidRequest, notFound, Problem } from '../contract/problem.ts'
import { lockAppointment, type StoredAppointment } from '../db/appointments.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction, Outdated } from '../db/connection/transaction.ts'
import type { IdempotencyKey } from '../db/idempotency-keys.ts'
import { loadReckoning, type Reckon } from '../db/reckoning.ts'
import type { Database } from '../db/schema/tables.ts'
import { updateAppointment } from '../db/write-appointment.ts'
import { bySchool, type Cancellation, type CancellationAct } from '../domain/cancellation.ts'
import { isCounted } from '../domain/counted.ts'
import { type ExpectedVersion, requireExpected } from './expected-version.ts'
import { commitOnce } from './idempotent.ts'

/** The clock of a client may be ahead by so much. */
const MOST_MINUTES_AHEAD = 5

type Way = {
  readonly isExpected: ExpectedVersion
  readonly key?: IdempotencyKey | undefined
}

/**
 * Cancels an appointment and records who did it, why, when, and at what fee. No calendar is locked: what was decided while the
 * time was taken holds all the more when it is free. A dry run writes nothing. Throws `not_found`, `stale`, `already_cancelled`,
 * and `invalid_request` for a moment that is still to come; fails where its key is taken (`idempotent.ts`).
 */
export async function cancelAppointment(
  database: DatabasePool,
  actor: Actor,
  id: string,
  { given, isExpected, key }: Way & { readonly given: NewCancellation },
): Promise<Appointment> {
  const act = actOf(actor, given)
  return inTransaction(database, async (db, commitWith) => {
    const stored = await lockAppointment(db, actor.tenant.id, id)
    if (!stored || stored.deleted) throw notFound()
    visibleTo(actor, stored)
    requireExpected(isExpected, stored)
    const next = cancelled(stored, act, await loadReckoning(db, actor.tenant))
    if (given.dry_run) return shown(next)
    const written = updateAppointment(db, actor, { stored, next }).then((row) => {
      if (!row) throw new Outdated()
      return shown(row)
    })
    return commitOnce({ db, actor, commitWith }, key, written)
  })
}

/** Returns the appointment as its cancellation leaves it. Throws `already_cancelled`. */
export function cancelled(
  stored: StoredAppointment,
  act: CancellationAct,
  reckon: Reckon,
): StoredAppointment {
  if (!isCounted(stored)) throw new Problem('already_cancelled')
  return {
    ...stored,
    status: 'cancelled',
    cancelled_with_student: false,
    cancellation: reckon(stored, act),
  }
}

/** Returns the act of a request, or of the part of it at a JSON pointer. Throws `invalid_request` for a moment still to come. */
export function actOf({ now }: Pick<Actor, 'now'>, given: NewCancellation, pointer = ''): CancellationAct {
  const { by, reason = null, note = null, charge = null } = given
  const at = given.at === undefined ? now : new Date(given.at)
  if (at.getTime() > now.getTime() + MOST_MINUTES_AHEAD * 60_000) {
    const detail = `at must be at most ${MOST_MINUTES_AHEAD} minutes ahead of now, ${now.toISOString()}.`
    throw invalidRequest([{ pointer: `${pointer}/at`, code: 'out_of_range', detail }])
  }
  return { by, reason, note, at, charge }
}

/**
 * Returns a changed appointment with the cancellation that follows from its status: none while it is not cancelled, that of the
 * school where it is cancelled now, unless one is given.
 */
export async function withCancellation(
  db: Database,
  actor: Actor,
  { isCancelledBefore, given }: { isCancelledBefore: boolean; given?: Cancellation | null | undefined },
  next: StoredAppointment,
): Promise<StoredAppointment> {
  if (isCounted(next)) return next.cancellation === null ? next : { ...next, cancellation: null }
  if (isCancelledBefore || given) return next
  const reckon = await loadReckoning(db, actor.tenant)
  return { ...next, cancellation: reckon(next, bySchool(actor.now)) }
}

function shown({ deleted: _, cancelled_with_student: __, ...appointment }: StoredAppointment): Appointment {
  return appointment
}
