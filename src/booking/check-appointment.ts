import { visibleTo } from '../auth/permissions.ts'
import type { Actor } from '../contract/actor.ts'
import type { AppointmentChange } from '../contract/appointment.ts'
import type { AppointmentCheck, Check } from '../contract/check.ts'
import { newId } from '../contract/new-id.ts'
import { notFound } from '../contract/problem.ts'
import { listChosenAppointments, type StoredAppointment } from '../db/appointments.ts'
import {
  type AgendaAppointment,
  type LoadedAgendas,
  requireAgenda,
  requireAgendas,
} from '../db/calendars/agendas.ts'
import { findHome } from '../db/instructors.ts'
import { readTravelTimes, requireLocation } from '../db/locations.ts'
import type { Database } from '../db/schema/tables.ts'
import { type Agenda, type CountedAppointment, instructorAppointmentsOf } from '../domain/agenda.ts'
import { isCheckedByRules, verdictOn } from '../domain/booking.ts'
import { isCounted } from '../domain/counted.ts'
import { attendeeIdsOf } from '../domain/group.ts'
import { intervalOf } from '../domain/interval.ts'
import type { Refusal } from '../domain/refusal.ts'
import {
  closestLessons,
  type MissingTravelTime,
  missingTravelTimeFor,
  type TravelStop,
} from '../domain/travel.ts'
import type { OverrideUsed } from '../domain/unit-limits.ts'
import { type Warning, warningsFor } from '../domain/warnings.ts'
import { alternativesIn, firstStartIn, loadAround, type Surroundings } from './alternatives.ts'
import { agendaAssuming, agendasAssuming, requireAssumed } from './assumed-rules.ts'
import { attendeesOf } from './book-appointment.ts'
import { mergedWith, requireAppointment, ruledPartOf } from './change-appointment.ts'
import { circumstancesOf } from './find-slots.ts'
import { requireOwnBooking } from './own-bookings.ts'
import type { Pieces } from './pieces.ts'
import { choosesSeats, withSeats } from './seats.ts'

type Asked = {
  readonly standing: AgendaAppointment &
    Parameters<typeof withSeats>[0] & {
      readonly status: string
      readonly location_id?: string | null
      readonly named: readonly string[]
    }
  /** Whether the rules apply: not to a cancelled lesson, nor to a change of only status or notes. */
  readonly isAsked: boolean
  readonly namesStudent: boolean
  readonly namesVehicles: boolean
  readonly isReseated: boolean
  readonly overrides_used: readonly OverrideUsed[]
}

/** Returns the result a booking or change would have, with every broken rule and alternatives. Throws `not_found`, `invalid_request`. */
export async function checkAppointment(
  db: Database,
  actor: Actor,
  check: AppointmentCheck,
  pieces: Pieces,
): Promise<Check> {
  await requireAssumed(db, actor.tenant.id, check.assumed)
  const { standing, isAsked, namesStudent, namesVehicles, isReseated, ...stored } = await askedIn(
    db,
    actor,
    check,
  )
  const loaded = await requireAgenda(db, actor, standing)
  const { proposal, agenda, isStudentDeleted, isVehicleDeleted, deletedAttendees } = loaded
  const asked = { standing, agenda }
  if (standing.named.some((id) => deletedAttendees.has(id))) throw notFound()
  if (isReseated) withSeats(standing, loaded)
  if ((namesStudent && isStudentDeleted) || (namesVehicles && isVehicleDeleted)) throw notFound()
  const { refusals, overrides_used, load } = verdictOn(proposal, agendaAssuming(agenda, check.assumed))
  if (isAsked && refusals.length > 0) {
    const around = await loadAround(db, actor, standing)
    const surroundings = { refused: standing, around, pieces }
    return {
      allowed: false,
      refusals: await Promise.all(refusals.map((refusal) => inDetail(refusal, actor, surroundings))),
      warnings: [...(await warningsOf(db, actor, asked, around))],
      overrides_used: [],
      load,
      alternatives: [...(await alternativesIn(db, actor, surroundings))],
    }
  }
  return {
    allowed: true,
    refusals: [],
    warnings: isCounted(standing)
      ? [...(await warningsOf(db, actor, asked, await loadAt(db, actor, standing)))]
      : [],
    overrides_used: [...(isAsked ? overrides_used : stored.overrides_used)],
    load,
    alternatives: [],
  }
}

async function askedIn(db: Database, actor: Actor, check: AppointmentCheck): Promise<Asked> {
  if ('appointment_id' in check) {
    const { appointment_id, assumed, ...change } = check
    const stored = visibleTo(actor, await requireAppointment(db, actor.tenant.id, appointment_id))
    await requireOwnBooking(db, actor, change)
    if (change.location_id !== stored.location_id)
      await requireLocation(db, actor.tenant.id, change.location_id)
    const merged = mergedWith(change, stored)
    return {
      standing: { ...merged, assumed, named: newcomersIn(change, stored) },
      isReseated: choosesSeats(merged, stored),
      isAsked: isCheckedByRules(ruledPartOf(change, stored), stored),
      namesStudent: Boolean(change.student_id),
      namesVehicles: change.vehicle_ids !== undefined,
      overrides_used: stored.overrides_used,
    }
  }
  await requireOwnBooking(db, actor, check)
  await requireLocation(db, actor.tenant.id, check.location_id)
  const attendees = attendeesOf(check.attendees)
  const named = attendeeIdsOf({ attendees })
  const standing = {
    student_id: null,
    status: 'planned',
    seats: null,
    ...check,
    attendees,
    named,
    id: newId(),
  }
  return {
    standing,
    isAsked: isCounted(standing),
    isReseated: true,
    namesStudent: true,
    namesVehicles: true,
    overrides_used: [],
  }
}

function newcomersIn(change: AppointmentChange, stored: StoredAppointment): readonly string[] {
  const known = new Set(attendeeIdsOf(stored))
  return attendeeIdsOf(change).filter((id) => !known.has(id))
}

async function loadAt(
  db: Database,
  actor: Actor,
  {
    id: except,
    instructor_id,
    student_id,
    vehicle_ids = [],
    lesson_type_id,
    assumed,
    ...others
  }: AgendaAppointment,
): Promise<LoadedAgendas> {
  const instructor_ids = [instructor_id]
  const range = intervalOf(others)
  const attendee_ids = attendeeIdsOf(others)
  const vehicles = vehicle_ids.length > 0 ? { ids: vehicle_ids } : undefined
  const request = { instructor_ids, student_id, attendee_ids, lesson_type_id, vehicles, range, except }
  return agendasAssuming(await requireAgendas(db, actor, request), assumed)
}

async function warningsOf(
  db: Database,
  actor: Actor,
  { standing: asked, agenda }: { readonly standing: Asked['standing']; readonly agenda: Agenda },
  {
    instructors: [instructor],
    vehicles: [used = []] = [],
    lesson_type,
    learner: learning,
    holidayOn,
  }: LoadedAgendas,
): Promise<readonly Warning[]> {
  const { start_at, end_at, attendees = [], ...standing } = asked
  const license_classes = instructor?.license_classes ?? []
  const student_id = attendees.length > 0 ? undefined : standing.student_id
  const vehicles = used.map(({ vehicle: { id }, license_classes }) => ({ id, license_classes }))
  const missingTravelTime = await travelTimeFor(db, actor.tenant.id, asked, instructorAppointmentsOf(agenda))
  const considered = {
    start_at,
    end_at,
    student_id,
    license_classes,
    lesson_type,
    learning,
    vehicles,
    missingTravelTime,
  }
  return warningsFor(considered, { ...circumstancesOf(actor), holidayOn })
}

async function travelTimeFor(
  db: Database,
  tenantId: string,
  { instructor_id, location_id, start_at, end_at }: Asked['standing'],
  work: readonly CountedAppointment[],
): Promise<MissingTravelTime | undefined> {
  const ways = await readTravelTimes(db, tenantId)
  if (ways.length === 0) return undefined
  const near = closestLessons({ start_at, end_at }, work)
  const home = await findHome(db, tenantId, instructor_id)
  const stops = await stopsOf(db, tenantId, instructor_id, near)
  const neighbours = stops.map((one) => ({ ...one, location_id: one.location_id ?? home }))
  return missingTravelTimeFor({ start_at, end_at, location_id: location_id ?? home, neighbours, ways })
}

async function stopsOf(
  db: Database,
  tenantId: string,
  instructor_id: string,
  near: readonly CountedAppointment[],
): Promise<readonly TravelStop[]> {
  const [first, last] = [near[0], near.at(-1)]
  if (!first || !last) return []
  const ids = near.map(({ id }) => id)
  const choice = { instructor_id, ids, first: first.start_at, last: last.start_at }
  return listChosenAppointments(db, tenantId, choice)
}

async function inDetail(
  { code, params }: Refusal,
  actor: Actor,
  surroundings: Surroundings,
): Promise<Check['refusals'][number]> {
  if (code !== 'break_too_short') return { code, params }
  return { code, params: { ...params, first_start_at: await firstStartIn(actor, surroundings) } }
}
