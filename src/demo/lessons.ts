import type { Instructor } from '../contract/instructor.ts'
import type { LessonType } from '../contract/lesson-type.ts'
import type { LicenseClassTemplate } from '../contract/license-class-template.ts'
import { newId } from '../contract/new-id.ts'
import type { Vehicle } from '../contract/vehicle.ts'
import type { ClosedDays } from '../domain/agenda.ts'
import { APPOINTMENT_FIELDS } from '../domain/appointment-fields.ts'
import { timesOf, windowsOn } from '../domain/availability.ts'
import { verdictOn } from '../domain/booking.ts'
import { isClosedOn } from '../domain/closed-days.ts'
import { type ProposedAppointment, proposalFor } from '../domain/counted.ts'
import type { Darkness } from '../domain/daylight.ts'
import { blankOf } from '../domain/fields.ts'
import { intervalOf, minutesOf } from '../domain/interval.ts'
import { vehiclesFor } from '../domain/lesson-vehicles.ts'
import { calendarOf } from '../domain/listed-calendar.ts'
import {
  type Day,
  dateOf,
  daysLater,
  localDateFor,
  localDateTimeFor,
  MINUTES_PER_DAY,
  midnightOf,
  weekdayOf,
} from '../domain/local-time.ts'
import type { Random } from '../domain/random.ts'
import { type BookedLesson, withOutcome } from './outcomes.ts'

/** A student of the demo. `stage` runs from 0, just started, to 1, ready for the test. */
export type DemoStudent = {
  readonly id: string
  readonly instructor_id: string | null
  readonly license_class: string
  readonly enrolment_id: string | null
  readonly template: LicenseClassTemplate | undefined
  readonly pickup_place: string | null
  readonly stage: number
}

export type DemoSchool = {
  readonly unit_minutes: number
  readonly darkness: Darkness | undefined
  readonly closed: ClosedDays
  readonly instructors: readonly Instructor[]
  readonly learners: readonly DemoStudent[]
  readonly vehicles: ReadonlyMap<string, Vehicle>
  readonly lessonTypes: readonly LessonType[]
  /** The ids of the learners whose theory test is still to come. */
  readonly untested: Set<string>
  /** The ids of the learners who have a practical test and so get no more lessons. */
  readonly examined: Set<string>
  readonly booked: BookedLesson[]
}

type LessonRequest = {
  readonly start: number
  readonly code: string
  readonly learner?: DemoStudent | undefined
  readonly group?: Pick<BookedLesson, 'attendees' | 'topic'>
}

const STEP_MINUTES = 15
const EVENING = 18 * 60
const NIGHT_MINUTES = 45
const THEORY_WEEKDAYS = [2, 4]
const THEORY_MINUTE = 18 * 60 + 30
const THEORY_TOPICS = 12
const LATE = '21:00'
const EXAM_WEEKDAY = 3
export const PRACTICAL_EXAM = 'PRACTICAL_EXAM'
/** The stage from which a learner is only waiting for the test. */
export const READY = 0.85

/** A week to book. Without `share`, as many drives as there is time for. */
type DemoWeek = {
  readonly monday: Day
  readonly now: string
  readonly random: Random
  /** The share of the drives that are booked already. */
  readonly share?: number
}

/** Books a week of lessons that the rules accept; those before `now` are completed, missed or cancelled. */
export function bookWeek(
  school: DemoSchool,
  { monday, now, random, share = 1 }: DemoWeek,
): readonly BookedLesson[] {
  const before = school.booked.length
  for (let day = monday; day < monday + 7; day += 1) {
    if (isClosedOn(localDateFor(day), school.closed)) continue
    if (weekdayOf(day) === EXAM_WEEKDAY) bookExam(school, day)
    for (const instructor of school.instructors) bookTheory(school, instructor, day, random)
    for (const instructor of school.instructors) bookDay(school, instructor, day, { random, share })
  }
  return school.booked.slice(before).map((lesson) => withOutcome(school, lesson, now, random))
}

/** Books the practical test of one learner first thing in the morning, with their own instructor. */
function bookExam(school: DemoSchool, day: Day): void {
  for (const learner of school.learners.filter(
    ({ id, stage }) => stage >= READY && !school.examined.has(id),
  )) {
    const instructor = school.instructors.find(({ id }) => id === learner.instructor_id)
    const [window] = instructor ? windowsOn(weekdayOf(day), instructor.availability_windows) : []
    if (!instructor || !window) continue
    const start = midnightOf(day) + timesOf(window).start
    const exam = proposed(school, instructor, { start, code: PRACTICAL_EXAM, learner })
    if (!exam) continue
    school.booked.push(exam)
    school.examined.add(learner.id)
    return
  }
}

function bookDay(
  school: DemoSchool,
  instructor: Instructor,
  day: Day,
  { random, share }: { readonly random: Random; readonly share: number },
): void {
  for (const window of windowsOn(weekdayOf(day), instructor.availability_windows)) {
    const { start, end } = timesOf(window)
    let minute = start + pause(random)
    while (minute < end) {
      const isBooked = share === 1 || random.chance(share)
      const lesson = isBooked && lessonAt(school, instructor, midnightOf(day) + minute, random)
      if (lesson) school.booked.push(lesson)
      minute = lesson ? minute + minutesOf(intervalOf(lesson)) + pause(random) : minute + 2 * STEP_MINUTES
    }
  }
}

/** Books an evening of theory for two thirds of the learners at an early stage. */
function bookTheory(school: DemoSchool, instructor: Instructor, day: Day, random: Random): void {
  const isLate = windowsOn(weekdayOf(day), instructor.availability_windows).some(({ end }) => end >= LATE)
  const evening = THEORY_WEEKDAYS.indexOf(weekdayOf(day))
  if (!isLate || evening === -1) return
  const topic = ((Math.floor(day / 7) * THEORY_WEEKDAYS.length + evening) % THEORY_TOPICS) + 1
  const attendees = school.learners
    .filter(({ stage }) => stage < 0.4 && random.chance(0.65))
    .slice(0, 20)
    .map(({ id, enrolment_id }) => ({ student_id: id, attended: null, enrolment_id }))
  const lesson = proposed(school, instructor, {
    start: midnightOf(day) + THEORY_MINUTE,
    code: 'THEORY_BASIC',
    group: { attendees, topic: `Thema ${topic}` },
  })
  if (lesson) school.booked.push(lesson)
}

/** Returns the minutes to the next lesson: often none, because offices like to book lessons back to back. */
function pause(random: Random): number {
  return random.pick([0, 0, 0, 15, 15, 30, 45])
}

function lessonAt(
  school: DemoSchool,
  instructor: Instructor,
  start: number,
  random: Random,
): BookedLesson | undefined {
  if (random.chance(0.04)) return proposed(school, instructor, { start, code: 'INTERNAL' })
  const teachable = school.learners.filter(
    ({ id, license_class }) => instructor.license_classes.includes(license_class) && !school.examined.has(id),
  )
  if (teachable.length === 0) return undefined
  const own = teachable.filter(({ instructor_id }) => instructor_id === instructor.id)
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const learner = random.pick(attempt < 2 && own.length > 0 ? own : teachable)
    const code = codeFor(school, learner, isNight(school, start), random)
    const lesson = isRested(school, learner, start) && proposed(school, instructor, { start, code, learner })
    if (lesson) {
      if (code === 'THEORY_EXAM') school.untested.delete(learner.id)
      return lesson
    }
  }
  return undefined
}

/** Whether the student may have a lesson: at most one a day and three a week. */
function isRested({ booked }: DemoSchool, { id }: DemoStudent, start: number): boolean {
  const theirs = booked.filter((lesson) => lesson.student_id === id).map(({ start_at }) => dateOf(start_at))
  const date = dateOf(localDateTimeFor(start))
  const weekAgo = daysLater(date, -6)
  return !theirs.includes(date) && theirs.filter((other) => other >= weekAgo && other <= date).length < 3
}

function isNight({ darkness }: DemoSchool, start: number): boolean {
  return (
    start % MINUTES_PER_DAY >= EVENING && (darkness?.isDark({ start, end: start + NIGHT_MINUTES }) ?? true)
  )
}

function codeFor(
  { untested }: DemoSchool,
  { id, stage }: DemoStudent,
  isDark: boolean,
  random: Random,
): string {
  if (untested.has(id)) return 'THEORY_EXAM'
  if (stage >= READY) return random.pick(['EXAM_PREP', 'EXAM_PREP', 'PRACTICE', 'MANOEUVRES'])
  if (isDark && stage > 0.4) return 'NIGHT'
  if (stage < 0.15) return random.pick(['PRACTICE', 'PRACTICE', 'MANOEUVRES'])
  if (stage < 0.45) return random.pick(['PRACTICE', 'PRACTICE', 'PRACTICE', 'MANOEUVRES', 'RURAL'])
  return random.pick(['PRACTICE', 'RURAL', 'RURAL', 'MOTORWAY', 'MOTORWAY'])
}

function proposed(
  school: DemoSchool,
  instructor: Instructor,
  { start, code, learner, group = { attendees: [], topic: null } }: LessonRequest,
): BookedLesson | undefined {
  const lessonType = school.lessonTypes.find((one) => one.code === code)
  if (!lessonType) return undefined
  const isDrive = !lessonType.category.startsWith('theory')
  const asked = {
    instructor_id: instructor.id,
    student_id: learner?.id ?? null,
    attendees: group.attendees,
    vehicle_ids: usualVehiclesFor(school, instructor, { lesson_type: lessonType, learner }),
    lesson_type_id: lessonType.id,
    start_at: localDateTimeFor(start),
    end_at: localDateTimeFor(start + lessonType.default_minutes),
  }
  const { refusals, overrides_used } = verdictFor(asked, school, instructor)
  if (refusals.length > 0) return undefined
  return {
    ...blankOf(APPOINTMENT_FIELDS),
    ...asked,
    id: newId(),
    topic: group.topic,
    seats: lessonType.seats > 1 ? lessonType.seats : null,
    pickup_place: isDrive ? (learner?.pickup_place ?? null) : null,
    title: lessonType.name,
    status: 'planned',
    overrides_used: [...overrides_used],
    series_id: null,
    cancellation: null,
    no_show_fee_percent: null,
    confirmed_at: null,
    enrolment_id: learner?.enrolment_id ?? null,
    license_class: learner && isDrive ? learner.license_class : null,
  }
}

/** Returns the usual vehicles of a drive. The school has no motorcycles or trucks. */
function usualVehiclesFor(
  { vehicles }: DemoSchool,
  { usual_vehicle_id }: Instructor,
  { lesson_type, learner }: { readonly lesson_type: LessonType; readonly learner: DemoStudent | undefined },
): string[] {
  if (!learner?.license_class.startsWith('B')) return []
  return vehiclesFor({ usual_vehicle_id, lesson_type, student_class: learner.template }, vehicles)
}

function verdictFor(asked: ProposedAppointment, school: DemoSchool, instructor: Instructor) {
  const { unit_minutes, closed, vehicles: things, booked: appointments } = school
  const lessonTypes = new Map(school.lessonTypes.map((lessonType) => [lessonType.id, lessonType]))
  const rulesOf = () => ({ rules: instructor })
  const calendar = calendarOf({ unit_minutes, closed, rulesOf, things, lessonTypes, appointments })
  return verdictOn(proposalFor(asked, lessonTypes), calendar.agendaFor(asked))
}
