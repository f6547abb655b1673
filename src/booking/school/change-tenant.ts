import { lockSession } from '../../auth/lock-session.ts'
import type { Actor } from '../../contract/actor.ts'
import { invalidRequest, Problem } from '../../contract/problem.ts'
import { bookingFaultsFor } from '../../contract/student-actions.ts'
import type { Tenant, TenantChange } from '../../contract/tenant.ts'
import { findSecondFactor } from '../../db/accounts/second-factors.ts'
import { readSkippedLessons } from '../../db/appointments/skipped-lessons.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import { scheduleRound } from '../../db/messages/availability-rounds.ts'
import { moveWaitingTimes } from '../../db/messages/waiting-messages.ts'
import { renameCatalogue } from '../../db/schema/catalogue-names.ts'
import type { Transaction } from '../../db/schema/tables.ts'
import { moveBusyTimes } from '../../db/school/busy-calendar-claims.ts'
import { hasRegion } from '../../db/school/holidays.ts'
import { readLessonTypeNames } from '../../db/school/lesson-types.ts'
import { lockTenant, updateTenant } from '../../db/school/tenants.ts'
import { placeOfZone } from '../../db/school/zone-places.ts'
import type { PolicyStep } from '../../domain/cancellation.ts'
import { isKnownLocale } from '../../domain/locale.ts'
import { type MessageSettings, NO_MESSAGES } from '../../domain/messages.ts'
import type { StudentActions } from '../../domain/student-actions.ts'
import { BOOKABLE } from '../../domain/student-booking.ts'
import { zoneFaultFor } from '../../domain/time-zone.ts'
import { RECORD_SIGNERS, type RecordSettings } from '../../domain/training-record.ts'
import { type Intent, requireExpected } from '../expected-version.ts'
import { loadPack } from '../packs/packs.ts'
import { storedWindows } from './change-instructor.ts'
import { formOf, requireForm } from './enquiry-form.ts'

/**
 * Changes the actor's school; instructors keep their values. A new language renames templates, and lesson types that the
 * school has not renamed. Throws `invalid_request` for an unknown region, language or zone, `stale`, `in_use` for a zone in which
 * the time of a lesson does not exist, and `no_second_factor` for an actor who requires one without having one.
 */
export async function changeTenant(
  database: DatabasePool,
  actor: Actor,
  { change, isExpected }: Intent<TenantChange>,
): Promise<Tenant> {
  if (change.locale !== undefined) requireLocale(change.locale)
  if (change.timezone !== undefined) requireTimeZone(change.timezone)
  await requireRegion(actor.tenant.country, change.region)
  return inTransaction(database, async (db) => {
    const stored = await lockTenant(db, actor.tenant.id)
    await lockSession(db, actor)
    requireExpected(isExpected, stored)
    if (change.second_factor === 'required' && stored.second_factor !== 'required')
      await requireOwnSecondFactor(db, actor)
    return changeLockedTenant(db, actor, stored, change)
  })
}

async function requireOwnSecondFactor(db: Transaction, { id }: Actor): Promise<void> {
  if (id === null || !(await findSecondFactor(db, id)).enabled) throw new Problem('no_second_factor')
}

/** Throws `invalid_request` for a language that nothing can be written in. */
export function requireLocale(locale: string, pointer = '/locale'): void {
  if (isKnownLocale(locale)) return
  const detail = `${pointer.slice(1)} must be a language such as de or fr-CH, not ${locale}.`
  throw invalidRequest([{ pointer, code: 'not_allowed', detail }])
}

/** Throws `invalid_request` for a zone that a school cannot have. */
export function requireTimeZone(zone: string, pointer = '/timezone'): void {
  const fault = zoneFaultFor(zone)
  if (fault === undefined) return
  const detail = `${pointer.slice(1)} ${fault}.`
  throw invalidRequest([{ pointer, code: 'invalid', detail }])
}

async function requireRegion(country: string, region: string | null | undefined): Promise<void> {
  if (!region || (await hasRegion(country, region))) return
  const detail = `region must be one of ${country}, as ISO 3166-2 names it.`
  throw invalidRequest([{ pointer: '/region', code: 'not_allowed', detail }])
}

export async function changeLockedTenant(
  db: Transaction,
  actor: Actor,
  stored: Tenant,
  change: TenantChange,
): Promise<Tenant> {
  const next = { ...stored, ...placeAfter(change, stored), ...asStored(change, stored) }
  if (change.student_booking) await requireBounds(db, next)
  if (change.enquiries) await requireForm(db, next)
  if (next.locale !== stored.locale)
    await renameCatalogue(db, actor, {
      former: loadPack(stored.country, stored.locale),
      names: loadPack(next.country, next.locale),
    })
  const changed = await updateTenant(db, actor, { stored, next })
  if (next.timezone !== stored.timezone) await correctTimes(db, actor, { stored, next })
  await scheduleRound(db, { stored, next, now: actor.now })
  return changed
}

/** Returns the place of a new zone, unless the school has another than that of its zone. */
function placeAfter({ timezone = '' }: TenantChange, stored: Tenant): Partial<Tenant> {
  const { latitude, longitude } = placeOfZone(stored.timezone)
  const isOwn = stored.latitude !== latitude || stored.longitude !== longitude
  return timezone === '' || timezone === stored.timezone || isOwn ? {} : placeOfZone(timezone)
}

/** Keeps the times of day of waiting messages, and the moments of busy times. Throws `in_use` if the time of a lesson does not exist in the new zone. */
async function correctTimes(
  db: Transaction,
  { now }: Actor,
  { stored, next: { id, timezone } }: { readonly stored: Tenant; readonly next: Tenant },
): Promise<void> {
  const { lessons, appointments } = await readSkippedLessons(db, id, {
    timezone,
    now,
    limit: MAX_SKIPPED,
  })
  const [first] = lessons
  if (first) throw new Problem('in_use', { params: { appointments, start_at: first.start_at, lessons } })
  await moveWaitingTimes(db, id, { from: stored.timezone, to: timezone, now })
  await moveBusyTimes(db, id, { from: stored.timezone, to: timezone })
}

function asStored(
  {
    default_availability_windows,
    messages,
    student_actions,
    students_may_move,
    student_booking,
    enquiries,
    record,
    cancellation_policy,
    availability_round: round,
    ...rest
  }: TenantChange,
  stored: Tenant,
): Partial<Tenant> {
  return {
    ...rest,
    ...(messages && { messages: settingsOf({ ...NO_MESSAGES, ...stored.messages, ...messages }) }),
    ...(cancellation_policy && { cancellation_policy: cancellation_policy.map(stepOf) }),
    ...(student_actions && { student_actions: actionsOf({ ...stored.student_actions, ...student_actions }) }),
    ...(enquiries && { enquiries: formOf({ ...stored.enquiries, ...enquiries }) }),
    ...bookingOf({ students_may_move, student_booking }, stored),
    ...(round !== undefined && {
      availability_round: round && { weekday: round.weekday, time: round.time },
    }),
    ...(record && { record: demandsOf({ ...stored.record, ...record }) }),
    ...(default_availability_windows && {
      default_availability_windows: storedWindows(default_availability_windows),
    }),
  }
}

/** The most lessons that are listed as standing in the way. */
const MAX_SKIPPED = 20

const NOTICE = ['hours', 'working_days', 'days_before', 'until', 'working'] as const

function stepOf({ categories, notice, no_show, fee_percent }: PolicyStep): PolicyStep {
  if (no_show) return { categories, no_show, fee_percent }
  const given: Readonly<Record<string, unknown>> = notice
  const fields = NOTICE.filter((name) => name in given).map((name) => [name, given[name]])
  return { categories, notice: Object.fromEntries(fields), fee_percent }
}

function actionsOf({ confirm, cancel, wish, sign = false, proof }: StudentActions): StudentActions {
  return { confirm, cancel, wish, sign, proof }
}

/** Throws `invalid_request` for bounds that leave no time, and lesson types that students may not book. */
async function requireBounds(db: Transaction, { id, student_booking: booking }: Tenant): Promise<void> {
  const faults = [...bookingFaultsFor(booking)]
  const types = booking.lesson_type_ids ? await readLessonTypeNames(db, id) : new Map<string, never>()
  for (const [at, type] of (booking.lesson_type_ids ?? []).entries()) {
    if (BOOKABLE.includes(types.get(type)?.category ?? '')) continue
    const detail = `lesson_type_ids must name practical and special lesson types of the school, not ${type}.`
    faults.push({ pointer: `/student_booking/lesson_type_ids/${at}`, code: 'not_allowed', detail })
  }
  if (faults.length > 0) throw invalidRequest(faults)
}

/** Returns both settings of what students may move and book, which agree. */
function bookingOf(
  { students_may_move: mayMove, student_booking: given }: TenantChange,
  { students_may_move, student_booking: stored }: Tenant,
): Pick<Tenant, 'students_may_move' | 'student_booking'> {
  const former = students_may_move ? (stored.mode === 'off' ? 'move' : stored.mode) : 'off'
  const asked =
    mayMove === undefined ? former : mayMove && former === 'off' ? 'move' : mayMove ? former : 'off'
  const { mode = asked } = { ...given }
  const { notice_hours, horizon_days, time_from, time_to, ...bounds } = { ...stored, ...given }
  const { lessons_ahead, lesson_type_ids, no_gaps } = bounds
  return {
    students_may_move: mode !== 'off',
    student_booking: {
      ...{ mode, notice_hours, horizon_days, time_from, time_to },
      ...{ lessons_ahead, lesson_type_ids, no_gaps },
    },
  }
}

function demandsOf({ signatures, content }: RecordSettings): RecordSettings {
  return { signatures: RECORD_SIGNERS.filter((one) => signatures.includes(one)), content }
}

function settingsOf({ quiet, ...given }: MessageSettings): MessageSettings {
  const settings = Object.keys(NO_MESSAGES).map((name) => [name, given[name as keyof typeof given]])
  return { ...Object.fromEntries(settings), quiet: quiet && { from: quiet.from, to: quiet.to } }
}
