import { lockSession } from '../../auth/lock-session.ts'
import type { Actor } from '../../contract/actor.ts'
import type { Appointment, AppointmentChange } from '../../contract/appointment.ts'
import { invalidRequest, notFound, Problem } from '../../contract/problem.ts'
import type { ChangedSeries, NewSeriesChange, RefusedLesson } from '../../contract/series.ts'
import { hideAppointments } from '../../db/appointments/affected-appointments.ts'
import { listSeriesFrom } from '../../db/appointments/appointment-sets.ts'
import { lockAppointments, type StoredAppointment } from '../../db/appointments/appointments.ts'
import { readFleet, type SchoolFleet } from '../../db/appointments/fleet.ts'
import { lockManyCalendars } from '../../db/calendars/calendar-locks.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction, Outdated } from '../../db/connection/transaction.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import type { Transaction } from '../../db/schema/tables.ts'
import { requireInstructor } from '../../db/school/instructors.ts'
import { findLessonType } from '../../db/school/lesson-types.ts'
import { type SkippedFault, skippedFaultsFor } from '../../domain/appointment-times.ts'
import { intervalOf, minutesOf } from '../../domain/interval.ts'
import { dateOf, daysLater, isLocalDateTime, minutesLater, timeOf } from '../../domain/local-time.ts'
import { calendarIdsOf, studentIdsOf } from '../../domain/occupants.ts'
import type { Decision } from '../decide.ts'
import { commitOnce } from '../idempotent.ts'
import type { TimeSlicer } from '../time-slicer.ts'
import { alternativesFor } from './alternatives.ts'
import { shown } from './cancel-appointment.ts'
import { appointmentUpdateFor, mergedWith } from './change-appointment.ts'
import { LessonAgendas } from './lesson-agendas.ts'

type Options = { readonly key: IdempotencyKey | undefined; readonly slicer: TimeSlicer }

/** Carries the result of a dry run out of its transaction, which is rolled back. */
class DryRun extends Error {
  readonly result: ChangedSeries

  constructor(result: ChangedSeries) {
    super('a dry run is rolled back')
    this.result = result
  }
}

/**
 * Changes the planned lessons of a series from a day on, as far as the rules allow. They are checked together: one may take the
 * time that another leaves. Throws `not_found`, `invalid_request`, and with `nothing` the first refusal. Fails if the key is taken.
 */
export async function changeSeries(
  database: DatabasePool,
  actor: Actor,
  { id: series_id, ...given }: NewSeriesChange & { readonly id: string },
  { key, slicer }: Options,
): Promise<ChangedSeries> {
  try {
    return await inTransaction(database, async (db, commitWith) => {
      const lessons = await lockSeries(db, actor, { ...given, series_id })
      await requireReferences(db, actor.tenant.id, given.change)
      await lockSession(db, actor)
      const result = await changed(db, actor, { ...given, lessons }, slicer)
      if (given.dry_run) throw new DryRun(result)
      return commitOnce({ db, actor, commitWith }, key, Promise.resolve(result))
    })
  } catch (error) {
    if (error instanceof DryRun) return error.result
    throw error
  }
}

/** Throws `not_found`, also if there is no lesson to change. */
async function requireReferences(
  db: Transaction,
  tenantId: string,
  { instructor_id, lesson_type_id }: NewSeriesChange['change'],
): Promise<void> {
  if (instructor_id) await requireInstructor(db, tenantId, instructor_id)
  if (lesson_type_id && !(await findLessonType(db, tenantId, lesson_type_id))) throw notFound()
}

type SeriesLesson = { readonly stored: StoredAppointment; readonly change: AppointmentChange }

/** Locks the calendars of the lessons as they are and would be, then the lessons. */
async function lockSeries(
  db: Transaction,
  actor: Actor,
  { series_id, from, change }: NewSeriesChange & { readonly series_id: string },
): Promise<readonly SeriesLesson[]> {
  const tenantId = actor.tenant.id
  const seen = await listSeriesFrom(db, tenantId, { series_id, from })
  if (!seen) throw notFound()
  const fleet = await readFleet(db, tenantId, seen.flatMap(studentIdsOf))
  const wanted = seen.map((stored) => changeFor(stored, change, fleet))
  const locked = new Set(calendarIdsOf([...seen, ...wanted]))
  await lockManyCalendars(db, tenantId, [...locked])
  const ids = seen.map(({ id }) => id)
  const rows = new Map((await lockAppointments(db, tenantId, ids)).map((one) => [one.id, one]))
  return seen.flatMap(({ id, version }) => {
    const stored = rows.get(id)
    if (stored?.version !== version) throw new Outdated()
    const own = changeFor(stored, change, fleet)
    return isChange(own, stored) ? { stored, change: own } : []
  })
}

function isChange(change: AppointmentChange, stored: StoredAppointment): boolean {
  const before: Readonly<Record<string, unknown>> = stored
  return Object.entries(change).some(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  )
}

/** Returns the change of one lesson. The usual vehicles follow the instructor unless vehicles are named. */
function changeFor(
  stored: StoredAppointment,
  { shift_days = 0, start_time, minutes, ...fields }: NewSeriesChange['change'],
  fleet: SchoolFleet,
): AppointmentChange {
  const { instructor_id } = fields
  const start = start_time ?? timeOf(stored.start_at)
  const start_at = `${daysLater(dateOf(stored.start_at), shift_days)} ${start}`
  const end_at = minutesLater(start_at, minutes ?? minutesOf(intervalOf(stored)))
  if (!isLocalDateTime(start_at) || !isLocalDateTime(end_at)) throw outOfRange()
  const isMoved = start_at !== stored.start_at || end_at !== stored.end_at
  return {
    ...(instructor_id && { vehicle_ids: fleet.vehiclesWith(stored, instructor_id) }),
    ...fields,
    ...(isMoved && { start_at, end_at }),
  }
}

function outOfRange(): Problem {
  const detail = 'The lessons must lie in the years 2000 to 2099.'
  return invalidRequest([{ pointer: '/change', code: 'out_of_range', detail }])
}

type Series = Pick<NewSeriesChange, 'on_refusal'> & { readonly lessons: readonly SeriesLesson[] }

async function changed(
  db: Transaction,
  actor: Actor,
  { lessons, on_refusal }: Series,
  slicer: TimeSlicer,
): Promise<ChangedSeries> {
  const { accepted, refused } = await settled(db, actor, { lessons, on_refusal }, slicer)
  const ids = accepted.map(({ stored }) => stored.id)
  await hideAppointments(db, actor.tenant.id, ids)
  const written: Appointment[] = []
  for (const { write } of accepted) {
    const row = await write(db)
    if (!row) throw new Outdated()
    written.push(shown(row))
  }
  const answered: ChangedSeries['refused'] = []
  for (const { stored, change } of lessons) {
    const refusals = refused.get(stored)
    if (!refusals) continue
    const isSkipped = refusals.some(({ code }) => code === 'skipped_time')
    const asked = isSkipped ? stored : mergedWith(change, stored)
    const alternatives = await alternativesFor(db, actor, asked, slicer)
    answered.push({ appointment_id: stored.id, refusals, alternatives: [...alternatives] })
  }
  return { set_id: actor.set_id, changed: written, refused: answered }
}

type Settled = Pick<Decided, 'accepted'> & { readonly refused: ReadonlyMap<StoredAppointment, Reasons> }

/** Decides until no lesson that stays is in the way of one that moves. */
async function settled(
  db: Transaction,
  actor: Actor,
  { lessons, on_refusal }: Series,
  slicer: TimeSlicer,
): Promise<Settled> {
  const refused = new Map<StoredAppointment, Reasons>()
  let moving = lessons
  for (;;) {
    const decided = await decideTogether(db, actor, moving, slicer)
    const [first] = decided.refused
    if (!first) return { accepted: decided.accepted, refused }
    if (on_refusal === 'nothing') throw first.problem
    if (on_refusal === 'stop') {
      refused.clear()
      moving = moving.slice(
        0,
        moving.findIndex(({ stored }) => stored === first.stored),
      )
    } else moving = moving.filter(({ stored }) => !decided.refused.some((one) => one.stored === stored))
    for (const one of on_refusal === 'stop' ? [first] : decided.refused) refused.set(one.stored, one.reasons)
  }
}

type Reasons = RefusedLesson['refusals']

type Decided = {
  readonly accepted: readonly (SeriesLesson & Decision<StoredAppointment>)[]
  readonly refused: readonly {
    readonly stored: StoredAppointment
    readonly reasons: Reasons
    readonly problem: Problem
  }[]
}

/** Decides on lessons as if they had all left their places. */
async function decideTogether(
  db: Transaction,
  actor: Actor,
  moving: readonly SeriesLesson[],
  slicer: TimeSlicer,
): Promise<Decided> {
  if (moving.length === 0) return { accepted: [], refused: [] }
  const places = moving.flatMap(({ stored, change }) => [stored, mergedWith(change, stored)])
  const agendas = await LessonAgendas.load(db, actor, places, (steps) => slicer.run(steps))
  for (const { stored } of moving) agendas.remove(stored)
  const accepted: Decided['accepted'][number][] = []
  const refused: Decided['refused'][number][] = []
  for (const { stored, change } of moving) {
    const skipped = skippedFaultsFor(change, actor.tenant.timezone)
    if (skipped.length > 0) {
      refused.push({ stored, ...skippedTime(skipped) })
      continue
    }
    try {
      const intent = {
        change,
        isExpected: () => true,
        requireAgenda: (one: StoredAppointment) => agendas.requireAgenda(one),
      }
      const decision = await appointmentUpdateFor(db, actor, stored, intent)
      const standing = mergedWith(change, stored)
      agendas.place(standing, await agendas.requireAgenda(standing))
      accepted.push({ stored, change, ...decision })
    } catch (error) {
      if (!(error instanceof Problem && error.refusals)) throw error
      const { code, refusals } = error
      const params = { ...error.params, series_appointment_id: stored.id }
      refused.push({ stored, reasons: [...refusals], problem: new Problem(code, { params, refusals }) })
    }
  }
  return { accepted, refused }
}

function skippedTime(faults: readonly SkippedFault[]): {
  readonly reasons: Reasons
  readonly problem: Problem
} {
  const reasons = faults.map(({ code, ...params }) => ({ code, params }))
  const problem = invalidRequest(
    faults.map(({ code, time }) => {
      return { pointer: '/change/start_time', code, detail: `The clocks skip ${time}.` }
    }),
  )
  return { reasons, problem }
}
