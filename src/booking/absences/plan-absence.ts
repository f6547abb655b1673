import { NIL } from 'uuid'
import type { AbsenceDecision } from '../../contract/absence-decision.ts'
import type { AbsencePlan } from '../../contract/absence-plan.ts'
import type { Actor } from '../../contract/actor.ts'
import type { Appointment } from '../../contract/appointment.ts'
import { invalidRequest, type Problem } from '../../contract/problem.ts'
import type { Slot } from '../../contract/slot.ts'
import {
  findLearner,
  listActiveInstructorIds,
  readContacts,
  readTaughtLessonTypes,
} from '../../db/appointments/affected-appointments.ts'
import type { StoredAppointment } from '../../db/appointments/appointments.ts'
import { readFleet } from '../../db/appointments/fleet.ts'
import { sourceOf } from '../../db/calendars/agendas.ts'
import { loadCalendars } from '../../db/calendars/calendars.ts'
import type { Database } from '../../db/schema/tables.ts'
import { holidayCalendarOf } from '../../db/school/holidays.ts'
import { MINUTES_PER_DAY, minuteOf } from '../../domain/local-time.ts'
import { OCCUPANTS, occupantsOf, studentIdsOf } from '../../domain/occupants.ts'
import { MAX_DECISIONS } from '../../domain/ranges.ts'
import { SchoolCalendar } from '../../domain/school-calendar.ts'
import { localNow } from '../../domain/time-zone.ts'
import { surroundingsOfRange } from '../lessons/find-slots.ts'
import {
  type Planning,
  type PlanRequest,
  slotsToMoveTo,
  slotsToTakeOver,
  slotsWithOtherVehicles,
} from './plan-slots.ts'

const DAYS_TO_MOVE_TO = 21

/**
 * Lists the planned appointments that a change affects, each with instructors to take over, other vehicles, other times, and a
 * proposal that fits the earlier ones. Writes nothing. Throws `not_found`, and `invalid_request` if they are too many.
 */
export async function planDecisions(db: Database, actor: Actor, request: PlanRequest): Promise<AbsencePlan> {
  const lessons = await request.cause.list(db, actor, request.pieces)
  if (lessons.length === 0) return { appointments: [] }
  if (lessons.length > MAX_DECISIONS) throw tooMany(lessons.length)
  const planning = await load(db, actor, { ...request, lessons })
  const appointments: AbsencePlan['appointments'] = []
  for (const lesson of lessons) appointments.push(await planFor(lesson, planning))
  return { appointments }
}

function tooMany(count: number): Problem {
  const detail = `It affects ${count} lessons; at most ${MAX_DECISIONS} can be decided on together. Choose fewer days.`
  return invalidRequest([{ pointer: '', code: 'too_many', detail }])
}

async function load(
  db: Database,
  actor: Actor,
  question: PlanRequest & { readonly lessons: readonly StoredAppointment[] },
): Promise<Planning> {
  const { cause, lessons, pieces } = question
  const { tenant } = actor
  const now = localNow(actor.now, tenant.timezone)
  const ends = lessons.map(({ end_at }) => minuteOf(end_at))
  const until = cause.end_at === undefined ? Math.max(...ends) : minuteOf(cause.end_at)
  const end = until + DAYS_TO_MOVE_TO * MINUTES_PER_DAY
  const range = { start: minuteOf(now), end }
  const starts = lessons.map(({ start_at }) => minuteOf(start_at))
  const studentIds = [...new Set(lessons.flatMap(studentIdsOf))]
  const substituteIds = (await cause.substituteIds?.(db, tenant.id)) ?? []
  const [active, fleet] = await Promise.all([
    listActiveInstructorIds(db, tenant.id),
    readFleet(db, tenant.id, studentIds),
  ])
  const possible = [...substituteIds, ...fleet.possibleFor(lessons, active)]
  const occupants = [
    ...lessons.flatMap(occupantsOf),
    ...active.map((id) => ({ kind: 'instructor' as const, id })),
    ...occupantsOf({ vehicle_ids: possible }),
  ]
  const request = {
    occupants,
    range: surroundingsOfRange({ start: Math.min(...starts), end }),
    lesson_type_id: null,
    except: NIL,
    now,
    search: { student_id: null },
  }
  const [stored, lessonTypes, contacts, refused, holidayOn, learners] = await Promise.all([
    loadCalendars(db, tenant.id, request, (steps) => pieces.run(steps)),
    readTaughtLessonTypes(db, tenant.id),
    readContacts(db, tenant.id, studentIds),
    holidayCalendarOf(tenant, 'refuse'),
    holidayCalendarOf(tenant, 'warn'),
    Promise.all(lessons.map(async (one) => [one.id, await findLearner(db, tenant.id, one)] as const)),
  ])
  const calendars = cause.overlay(stored)
  const { of } = calendars
  const moment = { tenant, now: actor.now }
  const calendar = new SchoolCalendar(sourceOf(calendars, moment, { holidayOn: refused }))
  const usesThings = occupants.some(({ kind }) => OCCUPANTS[kind].thing)
  const found = { of, calendar, lessonTypes, learners: new Map(learners), contacts, holidayOn, range }
  return { ...question, actor, substituteIds, fleet, usesThings, fullDays: new Map(), ...found }
}

/** Returns a lesson with its choices and a proposal. Later lessons are planned around the proposal. */
async function planFor(
  lesson: StoredAppointment,
  planning: Planning,
): Promise<AbsencePlan['appointments'][number]> {
  const { calendar, actor, contacts, lessonTypes, cause, fleet } = planning
  const counts_toward_limits = lessonTypes.get(lesson.lesson_type_id)?.counts_toward_limits ?? true
  calendar.remove({ ...lesson, counts_toward_limits })
  planning.fullDays.delete(lesson.instructor_id)
  const hasBegun = lesson.start_at < localNow(actor.now, actor.tenant.timezone)
  const take_over = hasBegun || !cause.allowsOthers ? [] : await slotsToTakeOver(lesson, planning)
  const other_vehicle = hasBegun ? [] : await slotsWithOtherVehicles(lesson, planning)
  const move = hasBegun ? [] : await slotsToMoveTo(lesson, planning)
  const proposal = proposalFor(lesson, hasBegun, { take_over, other_vehicle, move })
  const { action, appointment_id: ___, version: ____, cancellation: _____, ...place } = proposal
  const vehicle_ids = fleet.vehiclesWith(lesson, place.instructor_id ?? lesson.instructor_id)
  if (action !== 'cancel') calendar.place({ ...lesson, vehicle_ids, ...place, counts_toward_limits })
  const { deleted: _, cancelled_with_student: __, ...appointment } = lesson
  const students = studentIdsOf(lesson).map((one) => contacts.get(one))
  const phones = [...new Set(students.flatMap((one) => one?.phones ?? []))]
  return { appointment, phones, take_over, other_vehicle, move, proposal }
}

type Choices = Readonly<Record<'take_over' | 'other_vehicle' | 'move', readonly Slot[]>>

function proposalFor(
  { id: appointment_id, version, instructor_id, vehicle_ids }: Appointment,
  hasBegun: boolean,
  { take_over: [other], other_vehicle: [sameTime], move: [time] }: Choices,
): AbsenceDecision {
  const lesson = { appointment_id, version }
  if (hasBegun) return { ...lesson, action: 'keep' }
  if (other) return { ...lesson, action: 'take_over', instructor_id: other.instructor_id }
  if (sameTime) return { ...lesson, action: 'other_vehicle', vehicle_ids: sameTime.vehicle_ids }
  if (!time) return { ...lesson, action: 'cancel', cancellation: { by: 'school' } }
  const { start_at, end_at } = time
  return {
    ...lesson,
    action: 'move',
    start_at,
    end_at,
    ...(time.instructor_id !== instructor_id && { instructor_id: time.instructor_id }),
    ...(time.vehicle_ids.join() !== vehicle_ids.join() && { vehicle_ids: time.vehicle_ids }),
  }
}
