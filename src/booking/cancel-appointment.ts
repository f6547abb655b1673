import { visibleTo } from '../auth/permissions.ts'
import type { Actor } from '../contract/actor.ts'
import type { Appointment } from '../contract/appointment.ts'
import type { NewCancellation } from '../contract/cancellation.ts'
import { invalidRequest, notFound, Problem } from '../contract/problem.ts'
import { lockAppointment, type StoredAppointment } from '../db/appointments.ts'
import { type AssessCancellation, loadCancellationAssessment } from '../db/cancellation-assessment.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction, Outdated } from '../db/connection/transaction.ts'
import type { IdempotencyKey } from '../db/idempotency-keys.ts'
import type { Database } from '../db/schema/tables.ts'
import { updateAppointment } from '../db/write-appointment.ts'
import { bySchool, type Cancellation, type CancellationAct } from '../domain/cancellation.ts'
import { isCounted } from '../domain/counted.ts'
import { type ExpectedVersion, requireExpected } from './expected-version.ts'
import { commitOnce } from './idempotent.ts'

/** The minutes by which a client's clock may be ahead. */
const MAX_MINUTES_AHEAD = 5

type Way = {
  readonly isExpected: ExpectedVersion
  readonly key?: IdempotencyKey | undefined
  readonly check?: (next: StoredAppointment) => void
}

/**
 * Cancels an appointment and stores party, reason, time and fee. Locks no calendar: freeing time breaks no rule. Throws
 * `not_found`, `stale`, `already_cancelled`, and `invalid_request` if `at` is in the future. Fails if the key is taken.
 */
export async function cancelAppointment(
  database: DatabasePool,
  actor: Actor,
  id: string,
  { given, isExpected, key, check }: Way & { readonly given: NewCancellation },
): Promise<Appointment> {
  const act = actOf(actor, given)
  return inTransaction(database, async (db, commitWith) => {
    const stored = await lockAppointment(db, actor.tenant.id, id)
    if (!stored || stored.deleted) throw notFound()
    visibleTo(actor, stored)
    requireExpected(isExpected, stored)
    const next = cancelled(stored, act, await loadCancellationAssessment(db, actor.tenant))
    check?.(next)
    if (given.dry_run) return shown(next)
    const written = updateAppointment(db, actor, { stored, next }).then((row) => {
      if (!row) throw new Outdated()
      return shown(row)
    })
    return commitOnce({ db, actor, commitWith }, key, written)
  })
}

export function cancelled(
  stored: StoredAppointment,
  act: CancellationAct,
  assess: AssessCancellation,
): StoredAppointment {
  if (!isCounted(stored)) throw new Problem('already_cancelled')
  return {
    ...stored,
    status: 'cancelled',
    cancelled_with_student: false,
    cancellation: assess(stored, act),
  }
}

/** Returns the cancellation that a request describes. `pointer` prefixes faults. Throws `invalid_request` for a future time. */
export function actOf({ now }: Pick<Actor, 'now'>, given: NewCancellation, pointer = ''): CancellationAct {
  const { by, reason = null, note = null, charge = null } = given
  const at = given.at === undefined ? now : new Date(given.at)
  if (at.getTime() > now.getTime() + MAX_MINUTES_AHEAD * 60_000) {
    const detail = `at must be at most ${MAX_MINUTES_AHEAD} minutes ahead of now, ${now.toISOString()}.`
    throw invalidRequest([{ pointer: `${pointer}/at`, code: 'out_of_range', detail }])
  }
  return { by, reason, note, at, charge }
}

/**
 * Clears the cancellation of an appointment that is not cancelled. A newly cancelled one is cancelled by the school unless `given`.
 */
export async function withCancellation(
  db: Database,
  actor: Actor,
  { isCancelledBefore, given }: { isCancelledBefore: boolean; given?: Cancellation | null | undefined },
  next: StoredAppointment,
): Promise<StoredAppointment> {
  if (isCounted(next)) return next.cancellation === null ? next : { ...next, cancellation: null }
  if (isCancelledBefore || given) return next
  const assess = await loadCancellationAssessment(db, actor.tenant)
  return { ...next, cancellation: assess(next, bySchool(actor.now)) }
}

function shown({ deleted: _, cancelled_with_student: __, ...appointment }: StoredAppointment): Appointment {
  return appointment
}
