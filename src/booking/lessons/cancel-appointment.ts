import { visibleTo } from '../../auth/permissions.ts'
import type { Actor } from '../../contract/actor.ts'
import type { Appointment } from '../../contract/appointment.ts'
import type { NewCancellation } from '../../contract/cancellation.ts'
import { invalidRequest, notFound, Problem } from '../../contract/problem.ts'
import { lockAppointment, type StoredAppointment } from '../../db/appointments/appointments.ts'
import {
  type AssessCancellation,
  assessNoShow,
  loadCancellationAssessment,
} from '../../db/appointments/cancellation-assessment.ts'
import { updateAppointment } from '../../db/appointments/write-appointment.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction, Outdated } from '../../db/connection/transaction.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import type { Database } from '../../db/schema/tables.ts'
import { bySchool, type Cancellation, type CancellationAct } from '../../domain/cancellation.ts'
import { isCounted } from '../../domain/counted.ts'
import { type ExpectedVersion, requireExpected } from '../expected-version.ts'
import { commitOnce } from '../idempotent.ts'

const MAX_MINUTES_AHEAD = 5

type CancelOptions = {
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
  { given, isExpected, key, check }: CancelOptions & { readonly given: NewCancellation },
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

/**
 * Decides anew on the fee of a cancellation, which otherwise stays as it is, or of a no-show. Throws `not_found`, `stale`, and
 * `not_cancelled` for any other appointment.
 */
export async function decideFee(
  database: DatabasePool,
  actor: Actor,
  id: string,
  { charge, isExpected }: Pick<CancelOptions, 'isExpected'> & { readonly charge: boolean | null },
): Promise<Appointment> {
  return inTransaction(database, async (db) => {
    const stored = await lockAppointment(db, actor.tenant.id, id)
    if (!stored || stored.deleted) throw notFound()
    visibleTo(actor, stored)
    requireExpected(isExpected, stored)
    const next = await withFee(db, actor, stored, charge)
    const row = await updateAppointment(db, actor, { stored, next })
    if (!row) throw new Outdated()
    return shown(row)
  })
}

async function withFee(
  db: Database,
  { tenant }: Actor,
  stored: StoredAppointment,
  charge: boolean | null,
): Promise<StoredAppointment> {
  const { cancellation, status } = stored
  if (status === 'no_show' && stored.student_id !== null)
    return { ...stored, no_show_fee_percent: await assessNoShow(db, tenant, stored, charge) }
  if (!cancellation) throw new Problem('not_cancelled')
  const assess = await loadCancellationAssessment(db, tenant)
  const { at, by, note, reason } = cancellation
  const { charged, fee_percent } = assess(stored, { at: new Date(at), by, note, reason, charge })
  return { ...stored, cancellation: { ...cancellation, charged, fee_percent } }
}

/** Clears the fee of a lesson that is no no-show of a student. A new one has the fee of the policy unless `given`. */
export async function withNoShowFee(
  db: Database,
  { tenant }: Actor,
  { stored, given }: { readonly stored: StoredAppointment; readonly given: number | null | undefined },
  next: StoredAppointment,
): Promise<StoredAppointment> {
  const isFor = ({ status, student_id }: StoredAppointment) => status === 'no_show' && student_id !== null
  if (!isFor(next)) return next.no_show_fee_percent === null ? next : { ...next, no_show_fee_percent: null }
  const isKnown = isFor(stored) && stored.student_id === next.student_id
  if (isKnown || given !== undefined) return next
  return { ...next, no_show_fee_percent: await assessNoShow(db, tenant, next, null) }
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
    no_show_fee_percent: null,
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

/** Returns an appointment as responses have it. */
export function shown({
  deleted: _,
  cancelled_with_student: __,
  ...appointment
}: StoredAppointment): Appointment {
  return appointment
}
