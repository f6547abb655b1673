import { NIL } from 'uuid'
import { visibleTo } from '../../auth/permissions.ts'
import type { Actor } from '../../contract/actor.ts'
import type { AppointmentCheck, Check } from '../../contract/check.ts'
import { newId } from '../../contract/new-id.ts'
import { notFound } from '../../contract/problem.ts'
import { listChosenAppointments, type StoredAppointment } from '../../db/appointments/appointments.ts'
import { readFleet } from '../../db/appointments/fleet.ts'
import {
  type AgendaAppointment,
  type LoadedAgenda,
  type LoadedAgendas,
  loadedAgendaOf,
  requireAgendas,
} from '../../db/calendars/agendas.ts'
import type { Database } from '../../db/schema/tables.ts'
import { findHome } from '../../db/school/instructors.ts'
import { readTravelTimes, requireLocation } from '../../db/school/locations.ts'
import { busyTimeWithin } from '../../domain/absence.ts'
import { type Agenda, type CountedAppointment, instructorAppointmentsOf } from '../../domain/agenda.ts'
import { isCheckedByRules, verdictOn } from '../../domain/booking.ts'
import { isCounted, isToCome } from '../../domain/counted.ts'
import { type LessonEnrolment, withEnrolments } from '../../domain/enrolments.ts'
import { intervalOf } from '../../domain/interval.ts'
import { isTowed } from '../../domain/lesson-vehicles.ts'
import { needsDeleted } from '../../domain/occupants.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { containsStretch, readUntilComplete, surroundingsOf } from '../../domain/surroundings.ts'
import { localNow } from '../../domain/time-zone.ts'
import {
  closestLessons,
  type MissingTravelTime,
  missingTravelTimeFor,
  type TravelStop,
} from '../../domain/travel.ts'
import type { OverrideUsed } from '../../domain/unit-limits.ts'
import { type Warning, warningsFor } from '../../domain/warnings.ts'
import { warningOfChange } from '../records/sign-record.ts'
import type { TimeSlicer } from '../time-slicer.ts'
import { alternativesIn, firstStartIn, loadAround, type Surroundings } from './alternatives.ts'
import { requireAssumed } from './assumed-rules.ts'
import { attendeesOf } from './book-appointment.ts'
import { mergedWith, requireAppointment, ruledPartOf } from './change-appointment.ts'
import { circumstancesOf, suitabilityOf } from './find-slots.ts'
import { requireOwnBooking } from './own-bookings.ts'
import { choosesSeats, withSeats } from './seats.ts'

type CheckedAppointment = {
  readonly standing: AgendaAppointment &
    Parameters<typeof withSeats>[0] & {
      readonly status: string
      readonly location_id?: string | null
    }
  readonly stored?: StoredAppointment
  readonly merged?: StoredAppointment
  /** Whether the rules apply: not to a cancelled lesson, nor to a change of only status or notes. */
  readonly isAsked: boolean
  readonly isReseated: boolean
  readonly overrides_used: readonly OverrideUsed[]
}

type Enrolled = Pick<StoredAppointment, 'enrolment_id' | 'attendees'>

/** Returns the result a booking or change would have, with every broken rule and alternatives. Throws `not_found`, `invalid_request`. */
export async function checkAppointment(
  db: Database,
  actor: Actor,
  check: AppointmentCheck,
  slicer: TimeSlicer,
): Promise<Check> {
  const overlay = check.assumed && (await requireAssumed(db, actor.tenant.id, check.assumed))
  const { isAsked, isReseated, ...about } = await askedIn(db, actor, check)
  const standing = { ...about.standing, overlay }
  const first = await loadCheck(db, actor, standing)
  const { student_id } = standing
  const enrolled = enrolledIn(actor, { ...about, named: check.enrolment_id }, first)
  const enrolment =
    student_id === null
      ? undefined
      : (first.enrolmentsOf(student_id).find(({ id }) => id === enrolled.enrolment_id) ?? null)
  const isOfCurrent = enrolment === undefined || enrolment?.id === (first.learner?.enrolment_id ?? undefined)
  const loaded = isOfCurrent ? first : await loadCheck(db, actor, standing, enrolment?.id ?? NIL)
  const { proposal, agenda, deleted, learner } = loaded
  const asked = { standing, agenda, enrolment }
  if (needsDeleted(deleted, check, about)) throw notFound()
  if (isReseated) withSeats(standing, loaded)
  const { refusals, overrides_used, load } = verdictOn(proposal, agenda)
  if (isAsked && refusals.length > 0) {
    const around = { ...(await loadAround(db, actor, standing, slicer)), learner }
    const surroundings = { refused: standing, around, slicer }
    return {
      allowed: false,
      refusals: await Promise.all(refusals.map((refusal) => inDetail(refusal, actor, surroundings))),
      warnings: [
        ...(await warningsOf(db, actor, asked, around)),
        ...(await signedWarnings(db, actor, about, enrolled)),
      ],
      overrides_used: [],
      load,
      alternatives: [...(await alternativesIn(db, actor, surroundings))],
    }
  }
  return {
    allowed: true,
    refusals: [],
    warnings: [
      ...(isCounted(standing) ? await warningsOf(db, actor, asked, loaded) : []),
      ...(await signedWarnings(db, actor, about, enrolled)),
    ],
    overrides_used: [...(isAsked ? overrides_used : about.overrides_used)],
    load,
    alternatives: [],
  }
}

async function signedWarnings(
  db: Database,
  actor: Actor,
  { merged, stored }: Pick<CheckedAppointment, 'merged' | 'stored'>,
  enrolled: Enrolled,
): Promise<readonly Warning[]> {
  if (!merged || isToCome(merged, localNow(actor.now, actor.tenant.timezone))) return []
  const warning = await warningOfChange(db, actor, { ...merged, ...enrolled }, stored)
  return warning ? [warning] : []
}

async function askedIn(db: Database, actor: Actor, check: AppointmentCheck): Promise<CheckedAppointment> {
  if ('appointment_id' in check) {
    const { appointment_id, assumed: _, ...change } = check
    const stored = visibleTo(actor, await requireAppointment(db, actor.tenant.id, appointment_id))
    await requireOwnBooking(db, actor, change)
    if (change.location_id !== stored.location_id)
      await requireLocation(db, actor.tenant.id, change.location_id)
    const merged = mergedWith(change, stored)
    return {
      standing: merged,
      stored,
      merged,
      isReseated: choosesSeats(merged, stored),
      isAsked: isCheckedByRules(ruledPartOf(change, stored), stored),
      overrides_used: stored.overrides_used,
    }
  }
  await requireOwnBooking(db, actor, check)
  await requireLocation(db, actor.tenant.id, check.location_id)
  const attendees = attendeesOf(check.attendees)
  const standing = { student_id: null, status: 'planned', seats: null, ...check, attendees, id: newId() }
  return {
    standing,
    isAsked: isCounted(standing),
    isReseated: true,
    overrides_used: [],
  }
}

/** Returns the enrolments that the lesson would count toward. Throws `not_found`. */
function enrolledIn(
  { tenant, now }: Actor,
  {
    standing,
    stored,
    named,
  }: Pick<CheckedAppointment, 'standing' | 'stored'> & { readonly named: string | null | undefined },
  { enrolmentsOf, category }: Pick<LoadedAgenda, 'enrolmentsOf' | 'category'>,
): Enrolled {
  const lesson = { enrolment_id: null, license_class: null, ...standing }
  const known = {
    named,
    stored,
    enrolmentsOf,
    isTheory: category === 'theory',
    now: localNow(now, tenant.timezone),
  }
  const enrolled = withEnrolments(lesson, known)
  if (!enrolled) throw notFound()
  const { enrolment_id, attendees } = enrolled
  return { enrolment_id, attendees }
}

/** Loads the calendars around an appointment, for the verdict and the warnings. */
async function loadCheck(
  db: Database,
  actor: Actor,
  standing: AgendaAppointment,
  enrolment_id?: string,
): Promise<LoadedAgendas & LoadedAgenda> {
  const { id: except, instructor_id, lesson_type_id, overlay, ...lesson } = standing
  const request = { instructor_ids: [instructor_id], lesson, lesson_type_id, except, overlay, enrolment_id }
  return readUntilComplete(
    surroundingsOf(intervalOf(standing)),
    async (range) => {
      const found = await requireAgendas(db, actor, { ...request, range })
      const { lesson_type } = found
      if (!lesson_type) throw notFound()
      const agenda = found.calendar.agendaFor(standing)
      return { ...found, ...loadedAgendaOf(standing, agenda, { of: found.of, lesson_type }) }
    },
    ({ agenda }, range) => containsStretch(agenda, standing, range),
  )
}

async function warningsOf(
  db: Database,
  actor: Actor,
  {
    standing: asked,
    agenda,
    enrolment,
  }: {
    readonly standing: CheckedAppointment['standing']
    readonly agenda: Agenda
    readonly enrolment: LessonEnrolment | null | undefined
  },
  {
    instructors: [instructor],
    choices: [used] = [],
    of,
    lesson_type,
    learner: learning,
    holidayOn,
  }: LoadedAgendas,
): Promise<readonly Warning[]> {
  const { start_at, end_at, attendees = [], ...standing } = asked
  const license_classes = instructor?.license_classes ?? []
  const student_id = attendees.length > 0 ? undefined : standing.student_id
  const vehicles =
    used?.flatMap(({ id }) => suitabilityOf(of.get(id))) ??
    (await noVehicles(db, actor, lesson_type, learning))
  const missingTravelTime = await travelTimeFor(db, actor.tenant.id, asked, instructorAppointmentsOf(agenda))
  const busyTime =
    actor.tenant.busy_calendars === 'warn'
      ? busyTimeWithin(intervalOf(asked), agenda.instructor.busy_times)
      : undefined
  const considered = {
    start_at,
    end_at,
    student_id,
    license_classes,
    lesson_type,
    learning,
    enrolment,
    vehicles,
    busyTime,
    missingTravelTime,
  }
  return warningsFor(considered, { ...circumstancesOf(actor), holidayOn })
}

/** Returns an empty list for a lesson that lacks a trailer, undefined if the school has no vehicles. */
async function noVehicles(
  db: Database,
  { tenant }: Actor,
  lesson_type: LoadedAgendas['lesson_type'],
  learning: LoadedAgendas['learner'],
): Promise<readonly [] | undefined> {
  if (!lesson_type || !learning || !isTowed(lesson_type, learning)) return undefined
  return (await readFleet(db, tenant.id, [])).isEmpty ? undefined : []
}

async function travelTimeFor(
  db: Database,
  tenantId: string,
  { instructor_id, location_id, start_at, end_at }: CheckedAppointment['standing'],
  work: readonly CountedAppointment[],
): Promise<MissingTravelTime | undefined> {
  const travelTimes = await readTravelTimes(db, tenantId)
  if (travelTimes.length === 0) return undefined
  const near = closestLessons({ start_at, end_at }, work)
  const home = await findHome(db, tenantId, instructor_id)
  const stops = await stopsOf(db, tenantId, instructor_id, near)
  const neighbours = stops.map((one) => ({ ...one, location_id: one.location_id ?? home }))
  return missingTravelTimeFor({ start_at, end_at, location_id: location_id ?? home, neighbours, travelTimes })
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
