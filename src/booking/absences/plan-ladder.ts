import type { AbsenceDecision } from '../../contract/absence-decision.ts'
import type { AbsencePlan } from '../../contract/absence-plan.ts'
import type { Actor } from '../../contract/actor.ts'
import type { StoredAppointment } from '../../db/appointments/appointments.ts'
import type { Database } from '../../db/schema/tables.ts'
import { policyOfChoices } from '../../domain/absence.ts'
import { intervalOf, minutesOf, overlaps } from '../../domain/interval.ts'
import type { LadderInput } from '../../domain/ladder-input.ts'
import type { LadderStep, MovedLesson } from '../../domain/ladder-problem.ts'
import type { OwnCalendar } from '../../domain/lesson-agenda.ts'
import { dayOf, localDateTimeFor, midnightOf, minuteOf } from '../../domain/local-time.ts'
import { calendarIdsOf } from '../../domain/occupants.ts'
import { localNow } from '../../domain/time-zone.ts'
import { holidaysAround } from '../holidays-around.ts'
import { surroundingsOfRange } from '../lessons/find-slots.ts'
import { daysOfAbsence, ladderLessons } from './ladder-lessons.ts'
import { type LadderRequest, type Planning, slotsToMoveTo } from './plan-slots.ts'
import { hasBegun, placed, propose, remove } from './proposal.ts'

type Ladder = NonNullable<AbsencePlan['ladder']>

/** Returns the ladder of an absence without lessons. */
export function emptyLadder({ may_move }: Pick<LadderRequest, 'may_move'>): Ladder {
  return Array.from({ length: may_move + 1 }, (_, moved) => ({ moved, saved: 0, decisions: [] }))
}

/** Returns the decisions that save the most lessons if at most so many of others are moved. */
export async function planLadder(
  db: Database,
  actor: Actor,
  planning: Planning,
  { may_move, search, inTurn }: LadderRequest,
): Promise<Ladder> {
  const steps = await search({ ladder: await inputFor(db, actor, planning), may_move })
  return inTurn(async () => {
    const ladder: Ladder = []
    for (const [moved, step] of steps.entries()) {
      const isSame = step.saved.length === ladder.at(-1)?.saved
      const decisions = isSame ? ladder.at(-1)?.decisions : undefined
      ladder.push({
        moved,
        saved: step.saved.length,
        decisions: decisions ?? (await decisionsFor(step, planning)),
      })
    }
    return ladder
  })
}

async function inputFor(db: Database, actor: Actor, planning: Planning): Promise<LadderInput> {
  const { tenant, now } = actor
  const { affected, others } = await ladderLessons(db, actor, planning)
  const days = daysOfAbsence(planning).map(dayOf)
  const [first, last] = [days[0] ?? 0, days.at(-1) ?? 0]
  const around = surroundingsOfRange({ start: midnightOf(first), end: midnightOf(last + 1) })
  const places = [...affected, ...others].flatMap(({ places }) => places)
  const calendars = new Map<string, OwnCalendar>()
  for (const id of calendarIdsOf([...affected, ...others, ...places])) {
    await planning.slicer.pause()
    const own = planning.of.get(id)
    if (!own) continue
    const { rules, thing, open_appointments, archived_at } = own
    const appointments = own.appointments.filter((one) => overlaps(intervalOf(one), around))
    calendars.set(id, { rules, thing, open_appointments, archived_at, appointments })
  }
  const { latitude, longitude, timezone, unit_minutes } = tenant
  return {
    affected,
    others,
    now: minuteOf(localNow(now, timezone)),
    calendars,
    unit_minutes,
    closures: planning.closures,
    busy_calendars: policyOfChoices(tenant.busy_calendars),
    holidays: await holidaysAround(actor, { first: first - 1, last: last + 1 }),
    place: { latitude, longitude, timezone },
  }
}

/** Returns a decision on each lesson of the absence, and on those of others that are moved. The lessons that are not saved move later. */
async function decisionsFor({ saved, moved }: LadderStep, planning: Planning): Promise<AbsenceDecision[]> {
  const beside = { ...planning, calendar: planning.calendarAnew(), fullDays: new Map() }
  const { lessons, others } = planning
  const places = new Map([...saved, ...moved].map((one) => [one.id, one]))
  for (const lesson of [...lessons, ...others]) if (places.has(lesson.id)) remove(lesson, beside)
  for (const lesson of [...lessons, ...others]) {
    const place = places.get(lesson.id)
    if (place) beside.calendar.place(placed(lessonAt(place, lesson), planning))
  }
  const decisions: AbsenceDecision[] = []
  for (const lesson of lessons) {
    await planning.slicer.pause()
    const place = places.get(lesson.id)
    decisions.push(place ? decisionOn(place, lesson) : await laterOrNot(lesson, beside))
  }
  for (const lesson of others) {
    const place = places.get(lesson.id)
    if (place) decisions.push(moveTo(place, lesson))
  }
  return decisions
}

function lessonAt(place: MovedLesson, lesson: StoredAppointment): StoredAppointment {
  const { instructor_id, vehicle_ids } = place.place
  return { ...lesson, ...timesAt(place, lesson), instructor_id, vehicle_ids: [...vehicle_ids] }
}

function timesAt({ start }: MovedLesson, lesson: StoredAppointment) {
  const end = start + minutesOf(intervalOf(lesson))
  return { start_at: localDateTimeFor(start), end_at: localDateTimeFor(end) }
}

/** Returns the decision on a lesson that is saved: another instructor at the same time, or another time. */
function decisionOn(place: MovedLesson, lesson: StoredAppointment): AbsenceDecision {
  const { id: appointment_id, version, start_at } = lesson
  const { instructor_id } = place.place
  if (timesAt(place, lesson).start_at === start_at)
    return { appointment_id, version, action: 'take_over', instructor_id }
  return moveTo(place, lesson)
}

function moveTo(place: MovedLesson, lesson: StoredAppointment): AbsenceDecision {
  const { id: appointment_id, version } = lesson
  const { instructor_id } = place.place
  return {
    ...{ appointment_id, version, action: 'move', ...timesAt(place, lesson) },
    ...(instructor_id !== lesson.instructor_id && { instructor_id }),
  }
}

async function laterOrNot(lesson: StoredAppointment, planning: Planning): Promise<AbsenceDecision> {
  remove(lesson, planning)
  const move = hasBegun(lesson, planning) ? [] : await slotsToMoveTo(lesson, planning)
  return propose(lesson, { take_over: [], other_vehicle: [], move }, planning)
}
