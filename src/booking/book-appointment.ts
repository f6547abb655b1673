import type { Actor } from '../contract/actor.ts'
import type { Appointment, NewAppointment } from '../contract/appointment.ts'
import { newId } from '../contract/new-id.ts'
import { notFound, requireAccepted } from '../contract/problem.ts'
import type { AppointmentValues, StoredAppointment } from '../db/appointments.ts'
import { type AgendaAppointment, type LoadedAgenda, requireAgenda } from '../db/calendars/agendas.ts'
import { loadCancellationAssessment } from '../db/cancellation-assessment.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import type { IdempotencyKey } from '../db/idempotency-keys.ts'
import { requireLocation } from '../db/locations.ts'
import type { Database } from '../db/schema/tables.ts'
import { insertAppointment } from '../db/write-appointment.ts'
import { APPOINTMENT_FIELDS } from '../domain/appointment-fields.ts'
import { verdictOn } from '../domain/booking.ts'
import { bySchool, type Cancellation } from '../domain/cancellation.ts'
import { isCounted } from '../domain/counted.ts'
import { blankOf } from '../domain/fields.ts'
import type { Attendee } from '../domain/group.ts'
import { decide } from './decide.ts'
import { requireOwnBooking } from './own-bookings.ts'
import { requireRoom, withSeats } from './seats.ts'

/** Returns the attendees with recorded attendance. The order of their fields is that of `jsonb`: the log compares texts. */
export function attendeesOf(
  given: NewAppointment['attendees'] = [],
  known: readonly Attendee[] = [],
): Attendee[] {
  const recorded = new Map(known.map((one) => [one.student_id, one.attended]))
  return given.map(({ student_id, attended = recorded.get(student_id) ?? null }) => ({
    attended,
    student_id,
  }))
}

export function examResultOf(given: NewAppointment['exam_result'] = null): Appointment['exam_result'] {
  return given && { note: given.note ?? null, passed: given.passed }
}

type Belonging = { readonly series_id?: string; readonly key?: IdempotencyKey | undefined }

/** Books an appointment. Throws `not_found` or the first broken rule. Fails if the key is taken. */
export async function bookAppointment(
  database: DatabasePool,
  actor: Actor,
  given: NewAppointment,
  { series_id, key }: Belonging = {},
): Promise<StoredAppointment> {
  const wanted = { ...given, series_id, id: newId() }
  const look = async (db: Database) => {
    const { row, seen } = await bookingOf(db, actor, wanted)
    return { seen, write: (at: Database) => insertAppointment(at, actor, row, { seen, key }) }
  }
  return decide(database, actor, { look })
}

type Wanted = NewAppointment &
  Pick<AgendaAppointment, 'id' | 'unstored'> & { readonly series_id?: string | undefined }

/** Returns the row that a booking would write and the calendar versions it was decided on. Throws as booking does. */
export async function bookingOf(
  db: Database,
  actor: Actor,
  { title, series_id, unstored, ...wanted }: Wanted,
): Promise<Pick<LoadedAgenda, 'proposal' | 'seen'> & { row: AppointmentValues & { readonly id: string } }> {
  const appointment = {
    ...blankOf(APPOINTMENT_FIELDS),
    vehicle_ids: [],
    status: 'planned' as const,
    ...wanted,
    attendees: attendeesOf(wanted.attendees),
    exam_result: examResultOf(wanted.exam_result),
  }
  await requireOwnBooking(db, actor, appointment)
  await requireLocation(db, actor.tenant.id, appointment.location_id)
  const { proposal, agenda, seen, ...loaded } = await requireAgenda(db, actor, {
    ...appointment,
    unstored,
  })
  if (loaded.isStudentDeleted || loaded.isVehicleDeleted || loaded.deletedAttendees.size > 0) throw notFound()
  const { seats } = withSeats(appointment, loaded)
  if (!isCounted(appointment)) requireRoom({ ...appointment, seats })
  const overrides_used = isCounted(appointment) ? requireAccepted(verdictOn(proposal, agenda)) : []
  const row = {
    ...appointment,
    seats,
    title: title ?? loaded.lesson_type_name,
    overrides_used,
    series_id: series_id ?? null,
    license_class: loaded.license_class,
    cancellation: await cancellationOf(db, actor, appointment),
    confirmed_at: null,
  }
  return { row, proposal, seen }
}

async function cancellationOf(
  db: Database,
  { tenant, now }: Actor,
  appointment: Pick<Appointment, 'status' | 'start_at' | 'lesson_type_id'>,
): Promise<Cancellation | null> {
  if (isCounted(appointment)) return null
  const assess = await loadCancellationAssessment(db, tenant)
  return assess(appointment, bySchool(now))
}
