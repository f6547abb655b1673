import type { Actor } from '../../contract/actor.ts'
import { listMovableLessons } from '../../db/appointments/affected-appointments.ts'
import type { StoredAppointment } from '../../db/appointments/appointments.ts'
import type { Database } from '../../db/schema/tables.ts'
import { availabilityIn } from '../../db/students/availability.ts'
import { listWishesOf } from '../../db/students/wishes.ts'
import { type Interval, intervalOf } from '../../domain/interval.ts'
import { hoursFor } from '../../domain/ladder-hours.ts'
import type { LadderLesson, LadderPlace } from '../../domain/ladder-problem.ts'
import {
  dateOf,
  dayOf,
  type LocalDate,
  localDateFor,
  minutesLater,
  mondayOf,
} from '../../domain/local-time.ts'
import { isExam } from '../../domain/readiness.ts'
import { localNow, localToday } from '../../domain/time-zone.ts'
import { teachesClassOf } from '../../domain/warnings.ts'
import { bestKnownFirst, type Planning, type PlanSearch } from './plan-slots.ts'

/** The hours before its start in which a lesson of others is not moved. */
const HOURS_OF_NOTICE = 24

/** Returns the days of an absence, in order. */
export function daysOfAbsence({
  cause: { start_at, end_at },
}: Pick<PlanSearch, 'cause'>): readonly LocalDate[] {
  if (start_at === undefined || end_at === undefined) return []
  const [first, last] = [dayOf(start_at), dayOf(minutesLater(end_at, -1))]
  return Array.from({ length: last - first + 1 }, (_, days) => localDateFor(first + days))
}

/** Returns the lessons of others on the days of an absence that may be moved. */
export async function otherLessons(
  db: Database,
  { tenant, now }: Actor,
  { cause, lessons }: Pick<PlanSearch, 'cause' | 'lessons'>,
): Promise<readonly StoredAppointment[]> {
  const days = daysOfAbsence({ cause })
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return []
  const affected = new Set(lessons.map(({ id }) => id))
  const from = localNow(new Date(now.getTime() + HOURS_OF_NOTICE * 3_600_000), tenant.timezone)
  const interval = { start_at: `${first} 00:00`, end_at: `${localDateFor(dayOf(last) + 1)} 00:00` }
  const all = await listMovableLessons(db, tenant.id, { ...interval, from })
  return all.filter(({ id }) => !affected.has(id))
}

/** The lessons of a ladder with the places to which each may be moved. */
export type LadderLessons = {
  readonly affected: readonly LadderLesson[]
  readonly others: readonly LadderLesson[]
}

export async function ladderLessons(db: Database, actor: Actor, planning: Planning): Promise<LadderLessons> {
  const { lessons, others, lessonTypes, slicer } = planning
  const now = localNow(actor.now, actor.tenant.timezone)
  const hoursOf = await hoursOfStudents(db, actor, planning)
  const lessonOf = (lesson: StoredAppointment, places: readonly LadderPlace[]): LadderLesson => {
    const { id, start_at, end_at, instructor_id, student_id, attendees, seats, vehicle_ids } = lesson
    const { counts_toward_limits = true, only_in_the_dark = false } =
      lessonTypes.get(lesson.lesson_type_id) ?? {}
    const occupying = { instructor_id, student_id, attendees, seats, vehicle_ids }
    return { id, start_at, end_at, ...occupying, counts_toward_limits, only_in_the_dark, places }
  }
  const isExamLesson = ({ lesson_type_id }: StoredAppointment) =>
    isExam(lessonTypes.get(lesson_type_id)?.category ?? '')
  const affected: LadderLesson[] = []
  for (const lesson of lessons) {
    await slicer.pause()
    if (lesson.start_at <= now) continue
    const moves = isExamLesson(lesson) ? [] : knownPlacesFor(lesson, hoursOf(lesson), planning)
    affected.push(lessonOf(lesson, [...substitutesFor(lesson, planning), ...moves]))
  }
  const movable: LadderLesson[] = []
  for (const lesson of others) {
    await slicer.pause()
    if (isExamLesson(lesson)) continue
    movable.push(lessonOf(lesson, knownPlacesFor(lesson, hoursOf(lesson), planning)))
  }
  return { affected, others: movable }
}

async function hoursOfStudents(
  db: Database,
  { tenant, now }: Actor,
  { cause, lessons, others }: Planning,
): Promise<(lesson: StoredAppointment) => readonly Interval[]> {
  const dates = daysOfAbsence({ cause })
  const students = [...lessons, ...others].flatMap(({ student_id }) => student_id ?? [])
  const [wishes, answers] = await Promise.all([
    listWishesOf(db, tenant.id, [...new Set(students)]),
    availabilityIn(db, tenant.id, [...new Set(dates.map(mondayOf))]),
  ])
  const today = localToday(now, tenant.timezone)
  const current = wishes.filter(({ until }) => until === null || until >= today)
  const wishesOf = Map.groupBy(current, ({ student_id }) => student_id)
  const answersOf = Map.groupBy(answers, ({ student_id }) => student_id)
  return ({ student_id, start_at }) => {
    if (student_id === null) return []
    const asking = { wishes: wishesOf.get(student_id) ?? [], availability: answersOf.get(student_id) ?? [] }
    return hoursFor(asking, dates, dateOf(start_at))
  }
}

/** Returns the instructors who may take a lesson over at its time. */
function substitutesFor(lesson: StoredAppointment, planning: Planning): readonly LadderPlace[] {
  const { of, fleet, learners } = planning
  const hours = [intervalOf(lesson)]
  const places = [...of.values()].flatMap(({ id, rules, license_classes }) =>
    rules && id !== lesson.instructor_id && teachesClassOf(license_classes, learners.get(lesson.id))
      ? { instructor_id: id, vehicle_ids: fleet.vehiclesWith(lesson, id), hours }
      : [],
  )
  return bestKnownFirst(places, lesson, planning)
}

/** Returns the instructors whom the student has had, with the hours in which a lesson may be moved. */
function knownPlacesFor(
  lesson: StoredAppointment,
  hours: readonly Interval[],
  planning: Planning,
): readonly LadderPlace[] {
  const { student_id, instructor_id: own } = lesson
  const { of, fleet, contacts } = planning
  if (student_id === null || hours.length === 0) return []
  const known = [...(contacts.get(student_id)?.lessons.keys() ?? [])]
  const learner = { license_class: fleet.licenseClassOf(student_id) }
  const places = known.flatMap((instructor_id) => {
    const { rules, license_classes = [] } = of.get(instructor_id) ?? {}
    if (!rules || (instructor_id !== own && !teachesClassOf(license_classes, learner))) return []
    const vehicle_ids = instructor_id === own ? lesson.vehicle_ids : fleet.vehiclesWith(lesson, instructor_id)
    return { instructor_id, vehicle_ids, hours }
  })
  return bestKnownFirst(places, lesson, planning)
}
