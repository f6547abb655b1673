import { NIL } from 'uuid'
import type { AbsencePlan } from '../../contract/absence-plan.ts'
import type { Actor } from '../../contract/actor.ts'
import { invalidRequest, type Problem } from '../../contract/problem.ts'
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
import { otherLessons } from './ladder-lessons.ts'
import { emptyLadder, planLadder } from './plan-ladder.ts'
import {
  type Planning,
  type PlanRequest,
  type PlanSearch,
  slotsToMoveTo,
  slotsToTakeOver,
  slotsWithOtherVehicles,
} from './plan-slots.ts'
import { hasBegun, propose, remove } from './proposal.ts'

const DAYS_TO_MOVE_TO = 21

/**
 * Lists the planned appointments that a change affects, each with instructors to take over, other vehicles, other times, and a
 * proposal that fits the earlier ones. Writes nothing. Throws `not_found`, and `invalid_request` if they are too many.
 */
export async function planDecisions(db: Database, actor: Actor, request: PlanRequest): Promise<AbsencePlan> {
  const { cause, slicer, ladder } = request
  const lessons = await cause.list(db, actor, slicer)
  if (lessons.length > MAX_DECISIONS) throw tooMany(lessons.length)
  if (lessons.length === 0) return { appointments: [], ...(ladder && { ladder: emptyLadder(ladder) }) }
  const others = ladder ? await otherLessons(db, actor, { cause, lessons }) : []
  const planning = await load(db, actor, { ...request, lessons, others })
  const appointments: AbsencePlan['appointments'] = []
  for (const lesson of lessons) appointments.push(await planFor(lesson, planning))
  return { appointments, ...(ladder && { ladder: await planLadder(db, actor, planning, ladder) }) }
}

function tooMany(count: number): Problem {
  const detail = `It affects ${count} lessons; at most ${MAX_DECISIONS} can be decided on together. Choose fewer days.`
  return invalidRequest([{ pointer: '', code: 'too_many', detail }])
}

async function load(db: Database, actor: Actor, question: PlanSearch): Promise<Planning> {
  const { cause, lessons, others, slicer } = question
  const { tenant } = actor
  const now = localNow(actor.now, tenant.timezone)
  const ends = lessons.map(({ end_at }) => minuteOf(end_at))
  const until = cause.end_at === undefined ? Math.max(...ends) : minuteOf(cause.end_at)
  const end = until + DAYS_TO_MOVE_TO * MINUTES_PER_DAY
  const range = { start: minuteOf(now), end }
  const starts = lessons.map(({ start_at }) => minuteOf(start_at))
  const studentIds = [...new Set([...lessons, ...others].flatMap(studentIdsOf))]
  const substituteIds = (await cause.substituteIds?.(db, tenant.id)) ?? []
  const [active, fleet] = await Promise.all([
    listActiveInstructorIds(db, tenant.id),
    readFleet(db, tenant.id, studentIds),
  ])
  const possible = [...substituteIds, ...fleet.possibleFor([...lessons, ...others], active)]
  const occupants = [
    ...[...lessons, ...others].flatMap(occupantsOf),
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
    loadCalendars(db, tenant, request, (steps) => slicer.run(steps)),
    readTaughtLessonTypes(db, tenant.id),
    readContacts(db, tenant.id, studentIds),
    holidayCalendarOf(tenant, 'refuse'),
    holidayCalendarOf(tenant, 'warn'),
    Promise.all(lessons.map(async (one) => [one.id, await findLearner(db, tenant.id, one)] as const)),
  ])
  const calendars = cause.overlay(stored)
  const { of, closures } = calendars
  const moment = { tenant, now: actor.now, isOffering: true as const }
  const calendarAnew = () => new SchoolCalendar(sourceOf(calendars, moment, { holidayOn: refused }))
  const usesThings = occupants.some(({ kind }) => OCCUPANTS[kind].thing)
  const calendar = calendarAnew()
  const found = {
    of,
    closures,
    calendar,
    lessonTypes,
    learners: new Map(learners),
    contacts,
    holidayOn,
    range,
  }
  return { ...question, actor, substituteIds, fleet, usesThings, fullDays: new Map(), calendarAnew, ...found }
}

/** Returns a lesson with its choices and a proposal. Later lessons are planned around the proposal. */
async function planFor(
  lesson: StoredAppointment,
  planning: Planning,
): Promise<AbsencePlan['appointments'][number]> {
  const { contacts, cause } = planning
  remove(lesson, planning)
  const isComing = !hasBegun(lesson, planning)
  const take_over = isComing && cause.allowsOthers ? await slotsToTakeOver(lesson, planning) : []
  const other_vehicle = isComing ? await slotsWithOtherVehicles(lesson, planning) : []
  const move = isComing ? await slotsToMoveTo(lesson, planning) : []
  const proposal = propose(lesson, { take_over, other_vehicle, move }, planning)
  const { deleted: _, cancelled_with_student: __, ...appointment } = lesson
  const students = studentIdsOf(lesson).map((one) => contacts.get(one))
  const phones = [...new Set(students.flatMap((one) => one?.phones ?? []))]
  return { appointment, phones, take_over, other_vehicle, move, proposal }
}
