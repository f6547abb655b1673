import { NIL } from 'uuid'
import type { AbsenceDecision } from '../contract/absence-decision.ts'
import type { AbsencePlan, AbsenceRequest } from '../contract/absence-plan.ts'
import type { Actor } from '../contract/actor.ts'
import type { Appointment } from '../contract/appointment.ts'
import type { Slot } from '../contract/slot.ts'
import type { StoredAppointment } from '../db/appointments.ts'
import { requireVehicle } from '../db/calendars/agendas.ts'
import { loadCalendars, type TaughtLessonType } from '../db/calendars/calendars.ts'
import type { Learner } from '../db/calendars/learner.ts'
import {
  findLearner,
  listActiveInstructorIds,
  listHitAppointments,
  readContacts,
  readTaughtLessonTypes,
  type StudentContacts,
} from '../db/hit-appointments.ts'
import { holidayCalendarOf } from '../db/holidays.ts'
import { requireInstructor } from '../db/instructors.ts'
import type { Database } from '../db/schema/tables.ts'
import { absenceTimesFor } from '../domain/absence-period.ts'
import type { HolidayCalendar } from '../domain/agenda.ts'
import { studentIdsOf } from '../domain/counted.ts'
import type { DailyAgenda } from '../domain/daily-agenda.ts'
import { darknessFor } from '../domain/daylight.ts'
import type { SlotCriteria } from '../domain/free-intervals.ts'
import { type Interval, intervalOf, minutesOf } from '../domain/interval.ts'
import { MINUTES_PER_DAY, minuteOf } from '../domain/local-time.ts'
import { type FoundSlot, firstSlots } from '../domain/slots.ts'
import { localNow } from '../domain/time-zone.ts'
import { teachesClassOf } from '../domain/warnings.ts'
import { AbsenceBoard } from './absence-board.ts'
import { slotOf, surroundingsOfRange } from './find-slots.ts'
import type { Pieces } from './pieces.ts'

const MAX_SLOTS = 5
const DAYS_TO_MOVE_TO = 21
const STEP_MINUTES = 15

type Request = { readonly id: string; readonly absence: AbsenceRequest }

/**
 * Lists the planned appointments that an absence affects, each with instructors to take over, other times, and a proposal
 * that fits the earlier ones. Writes nothing. Throws `not_found`.
 */
export async function planAbsence(
  db: Database,
  actor: Actor,
  { id, absence }: Request,
  pieces: Pieces,
): Promise<AbsencePlan> {
  const { tenant } = actor
  await requireInstructor(db, tenant.id, id)
  const lessons = await listHitAppointments(db, tenant.id, { instructor_id: id, ...absenceTimesFor(absence) })
  if (lessons.length === 0) return { appointments: [] }
  const planning = await load(db, actor, { id, absence, lessons, pieces })
  const appointments: AbsencePlan['appointments'] = []
  for (const lesson of lessons) appointments.push(await planFor(lesson, planning))
  return { appointments }
}

type Question = Request & { readonly lessons: readonly StoredAppointment[]; readonly pieces: Pieces }

type Planning = Question & {
  readonly actor: Actor
  readonly board: AbsenceBoard
  readonly lessonTypes: ReadonlyMap<string, TaughtLessonType>
  readonly learners: ReadonlyMap<string, Learner | undefined>
  readonly contacts: ReadonlyMap<string, StudentContacts>
  readonly holidayOn: HolidayCalendar | undefined
  readonly range: Interval
}

async function load(db: Database, actor: Actor, question: Question): Promise<Planning> {
  const { id, absence, lessons, pieces } = question
  const { tenant } = actor
  const now = localNow(actor.now, tenant.timezone)
  const end = minuteOf(absenceTimesFor(absence).end_at) + DAYS_TO_MOVE_TO * MINUTES_PER_DAY
  const range = { start: minuteOf(now), end }
  const starts = lessons.map(({ start_at }) => minuteOf(start_at))
  const studentIds = [...new Set(lessons.flatMap(studentIdsOf))]
  const vehicleIds = [...new Set(lessons.flatMap(({ vehicle_ids }) => vehicle_ids))]
  const active = await listActiveInstructorIds(db, tenant.id)
  const request = {
    ids: [...new Set([id, ...active, ...studentIds])],
    vehicles: vehicleIds.length > 0 ? { ids: vehicleIds } : undefined,
    range: surroundingsOfRange({ start: Math.min(...starts), end }),
    lesson_type_id: null,
    except: NIL,
    now,
    search: { student_id: null },
  }
  const [calendars, lessonTypes, contacts, refused, holidayOn, learners] = await Promise.all([
    loadCalendars(db, tenant.id, request, (steps) => pieces.run(steps)),
    readTaughtLessonTypes(db, tenant.id),
    readContacts(db, tenant.id, studentIds),
    holidayCalendarOf(tenant, 'refuse'),
    holidayCalendarOf(tenant, 'warn'),
    Promise.all(lessons.map(async (one) => [one.id, await findLearner(db, tenant.id, one)] as const)),
  ])
  const closed = { holidayOn: refused, closures: calendars.closures }
  const board = new AbsenceBoard(actor, calendars, { id, absence, lessons, closed })
  const found = { board, lessonTypes, learners: new Map(learners), contacts, holidayOn, range }
  return { ...question, actor, ...found }
}

/** Returns a lesson with its choices and a proposal. Later lessons are planned around the proposal. */
async function planFor(
  lesson: StoredAppointment,
  planning: Planning,
): Promise<AbsencePlan['appointments'][number]> {
  const { board, actor, contacts, lessonTypes } = planning
  const hasBegun = lesson.start_at < localNow(actor.now, actor.tenant.timezone)
  const take_over = hasBegun ? [] : await slotsToTakeOver(lesson, planning)
  const move = hasBegun ? [] : await slotsToMoveTo(lesson, planning)
  const proposal = proposalFor(lesson, hasBegun, { take_over, move })
  const counts_toward_limits = lessonTypes.get(lesson.lesson_type_id)?.counts_toward_limits ?? true
  board.decide(lesson, proposal, counts_toward_limits)
  const { deleted: _, cancelled_with_student: __, ...appointment } = lesson
  const students = studentIdsOf(lesson).map((one) => contacts.get(one))
  const phones = [...new Set(students.flatMap((one) => one?.phones ?? []))]
  return { appointment, phones, take_over, move, proposal }
}

type Choices = { readonly take_over: readonly Slot[]; readonly move: readonly Slot[] }

function proposalFor(
  { id: appointment_id, version, instructor_id }: Appointment,
  hasBegun: boolean,
  { take_over: [other], move: [time] }: Choices,
): AbsenceDecision {
  const lesson = { appointment_id, version }
  if (hasBegun) return { ...lesson, action: 'keep' }
  if (other) return { ...lesson, action: 'take_over', instructor_id: other.instructor_id }
  if (!time) return { ...lesson, action: 'cancel', cancellation: { by: 'school' } }
  const { start_at, end_at } = time
  const isOther = time.instructor_id !== instructor_id
  return {
    ...lesson,
    action: 'move',
    start_at,
    end_at,
    ...(isOther && { instructor_id: time.instructor_id }),
  }
}

async function slotsToTakeOver(lesson: StoredAppointment, planning: Planning): Promise<Slot[]> {
  const others = agendasFor(lesson, planning).filter(({ agenda }) => agenda.instructor.id !== planning.id)
  const criteria = {
    ...criteriaFor(lesson, planning),
    range: intervalOf(lesson),
    step: 1,
    night_sky: undefined,
  }
  const slots = await search(lesson, planning, { dailyAgendas: others, criteria, limit: others.length })
  const learner = planning.learners.get(lesson.id)
  const lessons = planning.contacts.get(lesson.student_id ?? '')?.lessons
  const rank = ({ instructor_id }: Slot) =>
    instructor_id === learner?.preferred_instructor_id
      ? Number.POSITIVE_INFINITY
      : (lessons?.get(instructor_id) ?? 0)
  return slots.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a))).slice(0, MAX_SLOTS)
}

async function slotsToMoveTo(lesson: StoredAppointment, planning: Planning): Promise<Slot[]> {
  const { range } = planning
  const agendas = agendasFor(lesson, planning)
  const isOwn = ({ agenda }: DailyAgenda) => agenda.instructor.id === planning.id
  const criteria = {
    ...criteriaFor(lesson, planning),
    range: { start: Math.max(range.start, minuteOf(lesson.start_at)), end: range.end },
  }
  const own = await search(lesson, planning, {
    dailyAgendas: agendas.filter(isOwn),
    criteria,
    limit: MAX_SLOTS,
  })
  if (own.length === MAX_SLOTS) return own
  const dailyAgendas = agendas.filter((one) => !isOwn(one))
  return [
    ...own,
    ...(await search(lesson, planning, { dailyAgendas, criteria, limit: MAX_SLOTS - own.length })),
  ]
}

type Searched = {
  readonly dailyAgendas: readonly DailyAgenda[]
  readonly criteria: SlotCriteria
  readonly limit: number
}

async function search(
  lesson: StoredAppointment,
  planning: Planning,
  { dailyAgendas, criteria, limit }: Searched,
): Promise<Slot[]> {
  if (dailyAgendas.length === 0) return []
  const { board, actor, pieces, lessonTypes, holidayOn } = planning
  const learner = planning.learners.get(lesson.id)
  const preferred_instructor_id = learner?.preferred_instructor_id ?? null
  const steps = firstSlots({ dailyAgendas, criteria, preferred_instructor_id }, { by: 'time' }, { limit })
  const found: readonly FoundSlot[] = await pieces.run(steps)
  const loaded = {
    instructors: dailyAgendas.map(({ agenda }) => ({
      agenda,
      license_classes: board.calendar(agenda.instructor.id)?.license_classes ?? [],
    })),
    vehicles:
      lesson.vehicle_ids.length > 0
        ? [
            lesson.vehicle_ids.map((id) => ({
              ...requireVehicle(board.calendar(id)),
              license_classes: board.calendar(id)?.license_classes ?? [],
            })),
          ]
        : undefined,
    lesson_type: lessonTypes.get(lesson.lesson_type_id),
    learner,
    holidayOn,
    shortest_minutes: null,
  }
  return found.map((one) => slotOf(one, loaded, actor))
}

function criteriaFor(lesson: StoredAppointment, { actor, lessonTypes, range }: Planning): SlotCriteria {
  const type = lessonTypes.get(lesson.lesson_type_id)
  return {
    minutes: minutesOf(intervalOf(lesson)),
    counts_toward_limits: type?.counts_toward_limits ?? true,
    range,
    step: STEP_MINUTES,
    with_overrides: false,
    timezone: actor.tenant.timezone,
    night_sky: type?.only_in_the_dark ? darknessFor(actor.tenant) : undefined,
  }
}

function agendasFor(lesson: StoredAppointment, { board, learners, id }: Planning): readonly DailyAgenda[] {
  const learner = learners.get(lesson.id)
  return board
    .instructors()
    .filter((one) => one.id === id || teachesClassOf(one.license_classes, learner))
    .map((one) => board.agendaFor(one, lesson))
}
