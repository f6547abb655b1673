import type { Actor } from '../contract/actor.ts'
import type { StoredAppointment } from '../db/appointments.ts'
import type { LoadedAgenda } from '../db/calendars/agendas.ts'
import { localNow } from '../domain/time-zone.ts'

/** Returns the appointment with the student's class, or with its stored class if it has begun with the same student. */
export function withClass(
  { tenant, now }: Actor,
  stored: StoredAppointment,
  next: StoredAppointment,
  loaded: Pick<LoadedAgenda, 'license_class'> | undefined,
): StoredAppointment {
  if (next.student_id === null) return { ...next, license_class: null }
  const isComing = next.start_at > localNow(now, tenant.timezone)
  if (!loaded || (!isComing && next.student_id === stored.student_id)) return next
  return { ...next, license_class: loaded.license_class }
}
