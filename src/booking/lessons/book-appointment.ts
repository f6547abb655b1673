import type { Actor } from '../../contract/actor.ts'
import { type Appointment, examFaultsFor, type NewAppointment } from '../../contract/appointment.ts'
import { newId } from '../../contract/new-id.ts'
import { invalidRequest, notFound, requireAccepted } from '../../contract/problem.ts'
import type { AppointmentValues, StoredAppointment } from '../../db/appointments/appointments.ts'
import { assessNoShow, loadCancellationAssessment } from '../../db/appointments/cancellation-assessment.ts'
import { insertAppointment } from '../../db/appointments/write-appointment.ts'
import {
  type AgendaAppointment,
  type LoadedAgenda,
  requireAgenda as readAgenda,
} from '../../db/calendars/agendas.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import type { Database } from '../../db/schema/tables.ts'
import { requireLocation } from '../../db/school/locations.ts'
import { APPOINTMENT_FIELDS } from '../../domain/appointment-fields.ts'
import { verdictOn } from '../../domain/booking.ts'
import { bySchool, type Cancellation } from '../../domain/cancellation.ts'
import { isCounted } from '../../domain/counted.ts'
import { withEnrolments } from '../../domain/enrolments.ts'
import { blankOf } from '../../domain/fields.ts'
import type { Attendee } from '../../domain/group.ts'
import { decide } from '../decide.ts'
import { withTraining } from '../trainings/passed-exams.ts'
import { requireOwnBooking } from './own-bookings.ts'
import { requireRoom, withSeats } from './seats.ts'

/** Returns the attendees with recorded attendance. The order of their fields is that of `jsonb`: the log compares texts. */
export function attendeesOf(
  given: NewAppointment['attendees'] = [],
  known: readonly Attendee[] = [],
): Attendee[] {
  const recorded = new Map(known.map((one) => [one.student_id, one]))
  return given.map(({ student_id, ...marks }) => {
    const { attended = null, enrolment_id } = { ...recorded.get(student_id), ...marks }
    return { attended, student_id, ...(enrolment_id !== undefined && { enrolment_id }) }
  })
}

export function examResultOf(given: NewAppointment['exam_result'] = null): Appointment['exam_result'] {
  return given && { note: given.note ?? null, passed: given.passed }
}

export function requireExam(
  result: NewAppointment['exam_result'],
  lessonType: { readonly name: string; readonly category: string },
): void {
  const faults = examFaultsFor(result, lessonType)
  if (faults.length > 0) throw invalidRequest(faults)
}

const BLANK = blankOf(APPOINTMENT_FIELDS)

type Belonging = {
  readonly id?: string
  readonly series_id?: string
  readonly key?: IdempotencyKey | undefined
}

/** Books an appointment. Throws `not_found` or the first broken rule. Fails if the key is taken. */
export async function bookAppointment(
  database: DatabasePool,
  actor: Actor,
  given: NewAppointment,
  { series_id, key, id = newId() }: Belonging = {},
): Promise<StoredAppointment> {
  const wanted = { ...given, series_id, id }
  const read = async (db: Database) => {
    const { row, seen } = await bookingOf(db, actor, wanted)
    const decision = { seen, write: (at: Database) => insertAppointment(at, actor, row, { seen, key }) }
    return row.exam_result?.passed ? withTraining(actor, decision) : decision
  }
  return decide(database, actor, { read })
}

type RequestedAppointment = NewAppointment &
  Pick<AgendaAppointment, 'id' | 'unstored'> & { readonly series_id?: string | undefined }

/** Returns the row that a booking would write and the calendar versions it was decided on. Throws as booking does. */
export async function bookingOf(
  db: Database,
  actor: Actor,
  { title, series_id, unstored, ...wanted }: RequestedAppointment,
  requireAgenda: (appointment: AgendaAppointment) => Promise<LoadedAgenda> = (given) =>
    readAgenda(db, actor, given),
): Promise<Pick<LoadedAgenda, 'proposal' | 'seen'> & { row: AppointmentValues & { readonly id: string } }> {
  const appointment = {
    ...BLANK,
    vehicle_ids: [],
    status: wanted.exam_result ? ('completed' as const) : ('planned' as const),
    ...wanted,
    attendees: attendeesOf(wanted.attendees),
    exam_result: examResultOf(wanted.exam_result),
  }
  await requireOwnBooking(db, actor, appointment)
  await requireLocation(db, actor.tenant.id, appointment.location_id)
  const { proposal, agenda, seen, ...loaded } = await requireAgenda({ ...appointment, unstored })
  if (loaded.deleted.length > 0) throw notFound()
  requireExam(appointment.exam_result, { name: loaded.lesson_type_name, category: loaded.category })
  const { seats } = withSeats(appointment, loaded)
  const enrolled = withEnrolments(
    { ...appointment, license_class: null },
    {
      named: wanted.enrolment_id,
      enrolmentsOf: loaded.enrolmentsOf,
      isTheory: loaded.category === 'theory',
      now: appointment.start_at,
    },
  )
  if (!enrolled) throw notFound()
  if (!isCounted(appointment)) requireRoom({ ...appointment, seats })
  const overrides_used = isCounted(appointment) ? requireAccepted(verdictOn(proposal, agenda)) : []
  const row = {
    ...enrolled,
    seats,
    title: title ?? loaded.lesson_type_name,
    overrides_used,
    series_id: series_id ?? null,
    no_show_fee_percent: await noShowFeeOf(db, actor, appointment),
    cancellation: await cancellationOf(db, actor, appointment),
    confirmed_at: null,
  }
  return { row, proposal, seen }
}

async function noShowFeeOf(
  db: Database,
  { tenant }: Actor,
  appointment: Pick<Appointment, 'status' | 'student_id' | 'lesson_type_id'>,
): Promise<number | null> {
  const isMissed = appointment.status === 'no_show' && appointment.student_id !== null
  return isMissed ? assessNoShow(db, tenant, appointment, null) : null
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
