import type { Actor } from '../../contract/actor.ts'
import { notFound, requireAccepted } from '../../contract/problem.ts'
import {
  findStoredAppointment,
  lockAppointment,
  type StoredAppointment,
} from '../../db/appointments/appointments.ts'
import { updateAppointment } from '../../db/appointments/write-appointment.ts'
import { requireAgenda } from '../../db/calendars/agendas.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import type { Database } from '../../db/schema/tables.ts'
import { verdictOn } from '../../domain/booking.ts'
import { isCounted } from '../../domain/counted.ts'
import { needsDeleted } from '../../domain/occupants.ts'
import { type Decision, decide } from '../decide.ts'
import { type ExpectedVersion, requireExpected } from '../expected-version.ts'
import { enrolledAs, requireAppointment } from './change-appointment.ts'
import { withoutDeleted } from './seats.ts'

/** Marks an appointment as deleted. Needs no calendar lock: freeing time breaks no rule. Throws `not_found` and `stale`. */
export async function deleteAppointment(
  database: DatabasePool,
  actor: Actor,
  id: string,
  isExpected: ExpectedVersion,
): Promise<void> {
  await decide(database, actor, {
    lock: (db) => lockAppointment(db, actor.tenant.id, id),
    read: async (db) => {
      const stored = await requireAppointment(db, actor.tenant.id, id)
      requireExpected(isExpected, stored)
      return deletionOf(actor, stored)
    },
  })
}

export function deletionOf(actor: Actor, stored: StoredAppointment): Decision<StoredAppointment> {
  const next = { ...stored, deleted: true }
  return { seen: [], write: (db) => updateAppointment(db, actor, { stored, next }) }
}

/** Restores an appointment. Throws `not_found`, also for a deleted student or vehicle, and the first broken rule. */
export async function restoreAppointment(
  database: DatabasePool,
  actor: Actor,
  id: string,
): Promise<StoredAppointment> {
  return decide(database, actor, {
    lock: (db) => lockAppointment(db, actor.tenant.id, id),
    read: async (db) => {
      const stored = await findStoredAppointment(db, actor.tenant.id, id)
      if (!stored) throw notFound()
      return restorationOf(db, actor, stored)
    },
  })
}

export async function restorationOf(
  db: Database,
  actor: Actor,
  stored: StoredAppointment,
): Promise<Decision<StoredAppointment>> {
  const loaded = await requireAgenda(db, actor, stored)
  const { proposal, agenda, seen, deleted } = loaded
  if (needsDeleted(deleted, {}, { isPlannedAgain: true })) throw notFound()
  if (!stored.deleted) return { seen: [], write: async () => stored }
  const overrides_used = isCounted(stored)
    ? requireAccepted(verdictOn(proposal, agenda))
    : stored.overrides_used
  const next = enrolledAs(
    actor,
    stored,
    withoutDeleted(actor, { ...stored, deleted: false, overrides_used }, loaded),
    loaded,
  )
  return { seen, write: (at) => updateAppointment(at, actor, { stored, next }, seen) }
}
