import type { Actor } from '../../contract/actor.ts'
import type { Slot } from '../../contract/slot.ts'
import type { StudentContacts } from '../../db/appointments/affected-appointments.ts'
import type { StoredAppointment } from '../../db/appointments/appointments.ts'
import type { SchoolFleet } from '../../db/appointments/fleet.ts'
import type { Calendars, TaughtLessonType } from '../../db/calendars/calendars.ts'
import type { Learner } from '../../db/calendars/learner.ts'
import type { HolidayCalendar } from '../../domain/agenda.ts'
import type { DailyAgenda } from '../../domain/daily-agenda.ts'
import { darknessFor } from '../../domain/daylight.ts'
import { freeIntervalsOn, type SlotCriteria } from '../../domain/free-intervals.ts'
import { type Interval, intervalOf, minutesOf } from '../../domain/interval.ts'
import type { LadderStep } from '../../domain/ladder-problem.ts'
import { midnightOf, minuteOf } from '../../domain/local-time.ts'
import { type Occupant, occupantsOf } from '../../domain/occupants.ts'
import type { SchoolCalendar } from '../../domain/school-calendar.ts'
import { type FoundSlot, firstSlots } from '../../domain/slots.ts'
import type { Steps } from '../../domain/steps.ts'
import { suitsClass } from '../../domain/vehicles.ts'
import { teachesClassOf } from '../../domain/warnings.ts'
import { slotOf } from '../lessons/find-slots.ts'
import type { LadderOrder } from '../plans/planner.ts'
import type { TimeSlicer } from '../time-slicer.ts'
import type { PlanCause } from './plan-causes.ts'

const MAX_SLOTS = 5
const STEP_MINUTES = 15

export type PlanRequest = {
  readonly cause: PlanCause
  readonly slicer: TimeSlicer
  /** A search for steps that move lessons of others, too. */
  readonly ladder?: LadderRequest | undefined
}

export type LadderRequest = {
  readonly may_move: number
  /** Searches beside the requests of the school. */
  readonly search: (order: LadderOrder) => Promise<readonly LadderStep[]>
  /** Does the rest in a new turn. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>
}

export type PlanSearch = PlanRequest & {
  readonly lessons: readonly StoredAppointment[]
  /** Lessons of others that may be moved. */
  readonly others: readonly StoredAppointment[]
}

export type Planning = PlanSearch & {
  readonly actor: Actor
  readonly of: Calendars['of']
  readonly closures: Calendars['closures']
  /** The calendars as they are after the change and the decisions so far. */
  readonly calendar: SchoolCalendar
  readonly calendarAnew: () => SchoolCalendar
  readonly fullDays: Map<string, Set<string>>
  readonly lessonTypes: ReadonlyMap<string, TaughtLessonType>
  readonly learners: ReadonlyMap<string, Learner | undefined>
  readonly contacts: ReadonlyMap<string, StudentContacts>
  readonly holidayOn: HolidayCalendar | undefined
  readonly range: Interval
  readonly substituteIds: readonly string[]
  readonly fleet: SchoolFleet
  readonly usesThings: boolean
}

export async function slotsToTakeOver(lesson: StoredAppointment, planning: Planning): Promise<Slot[]> {
  const { instructor_id: own } = lesson
  const agendas = await planning.slicer.run(agendasFor(lesson, planning))
  const others = agendas.filter(({ agenda }) => agenda.instructor.id !== own)
  const criteria = atSameTime(lesson, planning)
  const slots = await search(lesson, planning, { dailyAgendas: others, criteria, limit: others.length })
  return bestKnownFirst(slots, lesson, planning).slice(0, MAX_SLOTS)
}

/** Sorts places by instructor: the one whom the student prefers, then those with whom the student has had most lessons. */
export function bestKnownFirst<Place extends { readonly instructor_id: string }>(
  places: readonly Place[],
  { id, student_id }: Pick<StoredAppointment, 'id' | 'student_id'>,
  { learners, contacts }: Pick<Planning, 'learners' | 'contacts'>,
): readonly Place[] {
  const preferred = learners.get(id)?.preferred_instructor_id
  const lessons = contacts.get(student_id ?? '')?.lessons
  const rank = ({ instructor_id }: Place) =>
    instructor_id === preferred ? Number.POSITIVE_INFINITY : (lessons?.get(instructor_id) ?? 0)
  return places.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a)))
}

/** Finds the vehicles that are free at the same time in place of the absent one, those that suit the class. */
export async function slotsWithOtherVehicles(lesson: StoredAppointment, planning: Planning): Promise<Slot[]> {
  const found: Slot[] = []
  for (const vehicles of choicesFor(lesson, planning).slice(1)) {
    const dailyAgendas = [agendaWith(lesson, planning, lesson.instructor_id, [vehicles])]
    found.push(
      ...(await search(lesson, planning, { dailyAgendas, criteria: atSameTime(lesson, planning), limit: 1 })),
    )
    if (found.length === MAX_SLOTS) break
  }
  return found
}

export async function slotsToMoveTo(lesson: StoredAppointment, planning: Planning): Promise<Slot[]> {
  const { range, slicer } = planning
  const agendas = await slicer.run(agendasFor(lesson, planning))
  const isOwn = ({ agenda }: DailyAgenda) => agenda.instructor.id === lesson.instructor_id
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
  const dailyAgendas = agendas
    .filter((one) => !isOwn(one))
    .map((one) => ({ ...one, isFullOn: fullDaysOf(one, planning, criteria) }))
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
  const { of, usesThings, actor, slicer, lessonTypes, holidayOn } = planning
  const learner = planning.learners.get(lesson.id)
  const preferred_instructor_id = learner?.preferred_instructor_id ?? null
  const steps = firstSlots({ dailyAgendas, criteria, preferred_instructor_id }, { by: 'time' }, { limit })
  const found: readonly FoundSlot[] = await slicer.run(steps)
  const lesson_type = lessonTypes.get(lesson.lesson_type_id)
  const loaded = { of, usesThings, lesson_type, learner, holidayOn }
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
    darkness: type?.only_in_the_dark ? darknessFor(actor.tenant) : undefined,
  }
}

function atSameTime(lesson: StoredAppointment, planning: Planning): SlotCriteria {
  return { ...criteriaFor(lesson, planning), range: intervalOf(lesson), step: 1, darkness: undefined }
}

function* agendasFor(lesson: StoredAppointment, planning: Planning): Steps<readonly DailyAgenda[]> {
  const learner = planning.learners.get(lesson.id)
  const agendas: DailyAgenda[] = []
  for (const { id, rules, license_classes } of planning.of.values()) {
    if (!rules || (id !== lesson.instructor_id && !teachesClassOf(license_classes, learner))) continue
    agendas.push(agendaWith(lesson, planning, id, choicesFor(lesson, planning, id)))
    yield
  }
  return agendas
}

function agendaWith(
  { student_id, attendees }: StoredAppointment,
  { calendar }: Planning,
  instructor_id: string,
  choices: readonly (readonly Occupant[])[],
): DailyAgenda {
  return calendar.dailyAgendaFor({ instructor_id, student_id, attendees }, choices)
}

/** Returns a check for days of an agenda without free time. Planned lessons only fill days, except where one has left. */
function fullDaysOf(
  { agenda, ofInstructor, occupied }: DailyAgenda,
  { fullDays }: Planning,
  { darkness: _, ...criteria }: SlotCriteria,
): NonNullable<DailyAgenda['isFullOn']> {
  const { id } = agenda.instructor
  const known = fullDays.get(id) ?? new Set()
  fullDays.set(id, known)
  const alone = {
    agenda: { ...agenda, student_open: undefined, former: undefined },
    ofInstructor,
    occupied: occupied.filter(({ kind }) => kind === 'instructor'),
    choices: undefined,
  }
  return (day) => {
    const key = `${day} ${criteria.minutes} ${criteria.counts_toward_limits}`
    if (known.has(key)) return true
    const range = { start: midnightOf(day), end: midnightOf(day + 2) }
    const isFull = freeIntervalsOn(day, alone, { ...criteria, range }).length === 0
    if (isFull) known.add(key)
    return isFull
  }
}

/**
 * Returns the lesson's vehicles with an instructor, then those with a substitute for the absent one that suits the student's
 * class.
 */
function choicesFor(
  lesson: StoredAppointment,
  { of, learners, cause, substituteIds, fleet }: Planning,
  instructor_id = lesson.instructor_id,
): readonly (readonly Occupant[])[] {
  const vehicle_ids = fleet.vehiclesWith(lesson, instructor_id)
  if (!vehicle_ids.includes(cause.vehicle_id ?? '')) return [occupantsOf({ vehicle_ids })]
  const license_class = learners.get(lesson.id)?.license_class ?? null
  const isFitting = (vehicle: string) =>
    !vehicle_ids.includes(vehicle) && suitsClass(of.get(vehicle)?.license_classes ?? [], license_class)
  const others = substituteIds
    .filter(isFitting)
    .map((other) => vehicle_ids.map((one) => (one === cause.vehicle_id ? other : one)))
  return [vehicle_ids, ...others].map((ids) => occupantsOf({ vehicle_ids: ids }))
}
