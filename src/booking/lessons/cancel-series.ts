import type { Actor } from '../../contract/actor.ts'
import type { Appointment } from '../../contract/appointment.ts'
import { notFound } from '../../contract/problem.ts'
import { cancelSeriesFrom } from '../../db/appointments/appointment-sets.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import type { Run } from '../../domain/steps.ts'
import { TimeSlicer } from '../time-slicer.ts'

/** Cancels the planned lessons of a series from a date on and returns them by start. Throws `not_found` for an unknown series. */
export async function cancelSeries(
  database: DatabasePool,
  actor: Actor,
  series_id: string,
  from: LocalDate,
): Promise<Appointment[]> {
  return inTransaction(database, async (db) => {
    const slicer = new TimeSlicer()
    const run: Run = (steps) => slicer.run(steps)
    const cancelled = await cancelSeriesFrom(db, actor, { series_id, from, run })
    if (!cancelled) throw notFound()
    return cancelled
  })
}
