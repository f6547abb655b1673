import { requireSession } from '../../auth/lock-session.ts'
import type { Actor } from '../../contract/actor.ts'
import type { Appointment, NewAppointment } from '../../contract/appointment.ts'
import { newId } from '../../contract/new-id.ts'
import { Problem } from '../../contract/problem.ts'
import { type NewSeries, type RefusedLesson, type Series, withTopicCount } from '../../contract/series.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import { findKeptAnswer, type IdempotencyKey, storeResponse } from '../../db/idempotency-keys.ts'
import type { Database } from '../../db/schema/tables.ts'
import type { CountedAppointment } from '../../domain/agenda.ts'
import { skippedFaultsFor } from '../../domain/appointment-times.ts'
import { isCounted } from '../../domain/counted.ts'
import { isLocalDateTime } from '../../domain/local-time.ts'
import { MAX_SHIFTS } from '../../domain/ranges.ts'
import { repetition, repetitionsOf } from '../../domain/repeat.ts'
import { executeOnce, type IdempotentResult, replayOf } from '../idempotent.ts'
import type { TimeSlicer } from '../time-slicer.ts'
import { alternativesFor } from './alternatives.ts'
import { bookAppointment, bookingOf } from './book-appointment.ts'

type Reasons = RefusedLesson['refusals']

type Book = (wanted: NewAppointment, position: number) => Promise<Appointment>

type SeriesOptions = { readonly key?: IdempotencyKey | undefined; readonly slicer: TimeSlicer }

/**
 * Books a lesson and its repetitions, each in its own transaction, or previews them in a dry run. With a key, a retry
 * books the rest. Throws `not_found`, `idempotency_key_reused`, and `request_in_progress` if another process books the same
 * series.
 */
export async function bookSeries(
  database: DatabasePool,
  actor: Actor,
  given: NewSeries,
  { key, slicer }: SeriesOptions,
): Promise<IdempotentResult<Series>> {
  const kept = key && (await findKeptAnswer(database, actor, key))
  const begun = kept && replayOf<Series | Appointment>(kept, key)
  if (begun && kept.part === key.part) return begun as IdempotentResult<Series>
  const series_id = begun?.value.series_id ?? newId()
  if (given.dry_run) return { value: await dryRun(database, actor, given, { series_id, slicer }) }
  return executeOnce(database, actor, key, async () => {
    const book: Book = async (wanted, position) => {
      await requireSession(database, actor)
      return bookOne(database, actor, wanted, { series_id, key, position })
    }
    const gone = await bookEach(actor, given, book)
    const series = await withAlternatives(database, actor, given, {
      series_id,
      ...gone,
      unstored: [],
      slicer,
    })
    if (key && series.booked.length > 0)
      await inTransaction(database, (db, commitWith) => commitWith(storeResponse(db, actor, key, series)))
    return series
  })
}

async function dryRun(
  db: Database,
  actor: Actor,
  given: NewSeries,
  { series_id, slicer }: { readonly series_id: string; readonly slicer: TimeSlicer },
): Promise<Series> {
  const unstored: CountedAppointment[] = []
  const stamp = actor.now.toISOString()
  const gone = await bookEach(actor, given, async (wanted) => {
    const { row, proposal } = await bookingOf(db, actor, { ...wanted, id: newId(), series_id, unstored })
    if (isCounted(row)) unstored.push({ ...proposal, id: row.id })
    return { ...row, version: 1, created_at: stamp, updated_at: stamp }
  })
  return withAlternatives(db, actor, given, { series_id, ...gone, unstored, slicer })
}

type SeriesOutcome = {
  readonly booked: Appointment[]
  readonly refused: readonly (Pick<RefusedLesson, 'start_at' | 'end_at'> & { readonly refusals: Reasons })[]
}

async function bookEach(
  { tenant }: Actor,
  { appointment, repeat, topics, on_refusal }: NewSeries,
  book: Book,
): Promise<SeriesOutcome> {
  const booked: Appointment[] = []
  const refused: SeriesOutcome['refused'][number][] = []
  const isShifted = on_refusal === 'shift'
  const count = repetitionsOf(appointment, withTopicCount(repeat, topics))
  const isOver = (index: number) =>
    isShifted ? booked.length === count || refused.length > MAX_SHIFTS : index === count
  for (let index = 0; !isOver(index); index += 1) {
    const times = repetition(appointment, repeat, index)
    if (!isLocalDateTime(times.end_at)) break
    // In a retry, an already booked lesson may have been shifted past this date.
    if (isShifted && (booked.at(-1)?.start_at ?? '') >= times.start_at) continue
    const position = isShifted ? booked.length : index
    const skipped = skippedFaultsFor(times, tenant.timezone).map(({ code, ...params }) => ({ code, params }))
    const wanted = { ...appointment, ...times, ...(topics && { topic: topics[position] ?? null }) }
    const tried = skipped.length > 0 ? skipped : await unlessRefused(() => book(wanted, position + 1))
    if (!Array.isArray(tried)) booked.push(tried)
    else refused.push({ ...times, refusals: tried })
    if (refused.length > 0 && on_refusal === 'stop') break
  }
  return { booked, refused }
}

async function unlessRefused(book: () => Promise<Appointment>): Promise<Appointment | Reasons> {
  try {
    return await book()
  } catch (error) {
    if (error instanceof Problem && error.refusals) return [...error.refusals]
    throw error
  }
}

type Place = {
  readonly series_id: string
  readonly key: IdempotencyKey | undefined
  readonly position: number
}

async function bookOne(
  database: DatabasePool,
  actor: Actor,
  wanted: NewAppointment,
  { series_id, key, position }: Place,
): Promise<Appointment> {
  const part = key && { ...key, part: position }
  const { value } = await executeOnce<Appointment>(database, actor, part, async () => {
    const {
      deleted: _,
      cancelled_with_student: __,
      ...booked
    } = await bookAppointment(database, actor, wanted, { series_id, key: part })
    return booked
  })
  // A concurrent request with the same key booked this lesson first, so it continues and this one stops.
  if (value.series_id !== series_id) throw new Problem('request_in_progress', { retryAfterSeconds: 1 })
  return value
}

/** Adds alternatives after all bookings: otherwise one could have the time of a later lesson. */
async function withAlternatives(
  db: Database,
  actor: Actor,
  { appointment, on_refusal }: NewSeries,
  {
    series_id,
    booked,
    refused,
    unstored,
    slicer,
  }: SeriesOutcome & { series_id: string; unstored: readonly CountedAppointment[]; slicer: TimeSlicer },
): Promise<Series> {
  const answered: RefusedLesson[] = []
  for (const { refusals, ...times } of refused) {
    if (on_refusal === 'shift') {
      answered.push({ ...times, refusals, alternatives: [] })
      continue
    }
    const standing = { student_id: null, ...appointment, ...times, id: newId(), unstored }
    const alternatives = await alternativesFor(db, actor, standing, slicer)
    answered.push({ ...times, refusals, alternatives: [...alternatives] })
  }
  return { series_id, booked, refused: answered }
}
