import type { Instructor } from '../contract/instructor.ts'
import type { LessonType } from '../contract/lesson-type.ts'
import { newId } from '../contract/new-id.ts'
import type { AppointmentValues } from '../db/appointments.ts'
import type { VehicleRules } from '../domain/agenda.ts'
import { APPOINTMENT_FIELDS } from '../domain/appointment-fields.ts'
import { timesOf, windowsOn } from '../domain/availability.ts'
import { verdictOn } from '../domain/booking.ts'
import { agendaFor, type ProposedAppointment, proposalFor } from '../domain/counted.ts'
import type { Sky } from '../domain/daylight.ts'
import { blankOf } from '../domain/fields.ts'
import { intervalOf, minutesOf } from '../domain/interval.ts'
import {
  type Day,
  dateOf,
  daysLater,
  localDateTimeFor,
  MINUTES_PER_DAY,
  midnightOf,
  weekdayOf,
} from '../domain/local-time.ts'
import { isExam } from '../domain/readiness.ts'
import type { Random } from './random.ts'

/** A student of the demo. `progress` runs from 0, just started, to 1, ready for the test. */
export type Learner = {
  readonly id: string
  readonly instructor_id: string | null
  readonly license_class: string
  readonly stage: number
}

export type DemoSchool = {
  readonly unit_minutes: number
  readonly sky: Sky | undefined
  readonly instructors: readonly Instructor[]
  readonly learners: readonly Learner[]
  readonly vehicles: ReadonlyMap<string, VehicleRules>
  readonly lessonTypes: readonly LessonType[]
  readonly booked: BookedLesson[]
}

export type BookedLesson = AppointmentValues & { readonly id: string }

const STEP_MINUTES = 15
const EVENING = 18 * 60
const NIGHT_MINUTES = 45
const THEORY_WEEKDAYS = [2, 4]
const THEORY_MINUTE = 18 * 60 + 30
const LATE = '21:00'

/** Books a week of lessons that the rules accept; those before `now` are completed, missed or cancelled. */
export function bookWeek(
  school: DemoSchool,
  { monday, now, random }: { monday: Day; now: string; random: Random },
): readonly BookedLesson[] {
  const before = school.booked.length
  for (let day = monday; day < monday + 7; day += 1) {
    for (const instructor of school.instructors) bookDay(school, instructor, day, random)
  }
  return school.booked.slice(before).map((lesson) => withOutcome(school, lesson, now, random))
}

function bookDay(school: DemoSchool, instructor: Instructor, day: Day, random: Random): void {
  bookTheory(school, instructor, day)
  for (const window of windowsOn(weekdayOf(day), instructor.availability_windows)) {
    const { start, end } = timesOf(window)
    let minute = start + pause(random)
    while (minute < end) {
      const lesson = lessonAt(school, instructor, midnightOf(day) + minute, random)
      if (lesson) school.booked.push(lesson)
      minute = lesson ? minute + minutesOf(intervalOf(lesson)) + pause(random) : minute + 2 * STEP_MINUTES
    }
  }
}

function bookTheory(school: DemoSchool, instructor: Instructor, day: Day): void {
  const isLate = windowsOn(weekdayOf(day), instructor.availability_windows).some(({ end }) => end >= LATE)
  if (!isLate || !THEORY_WEEKDAYS.includes(weekdayOf(day))) return
  const lesson = proposed(school, instructor, {
    start: midnightOf(day) + THEORY_MINUTE,
    code: 'THEORY_BASIC',
  })
  if (lesson) school.booked.push(lesson)
}

/** Half of the lessons follow at once, as offices like to book them. */
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
  const teachable = school.learners.filter(({ license_class }) =>
    instructor.license_classes.includes(license_class),
  )
  if (teachable.length === 0) return undefined
  const own = teachable.filter(({ instructor_id }) => instructor_id === instructor.id)
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const learner = random.pick(attempt < 2 && own.length > 0 ? own : teachable)
    const code = codeFor(learner, isNight(school, start), random)
    const lesson = isRested(school, learner, start) && proposed(school, instructor, { start, code, learner })
    if (lesson) return lesson
  }
  return undefined
}

/** At most one lesson a day and three a week. */
function isRested({ booked }: DemoSchool, { id }: Learner, start: number): boolean {
  const theirs = booked.filter((lesson) => lesson.student_id === id).map(({ start_at }) => dateOf(start_at))
  const date = dateOf(localDateTimeFor(start))
  const weekAgo = daysLater(date, -6)
  return !theirs.includes(date) && theirs.filter((other) => other >= weekAgo && other <= date).length < 3
}

function isNight({ sky }: DemoSchool, start: number): boolean {
  return start % MINUTES_PER_DAY >= EVENING && (sky?.isDark({ start, end: start + NIGHT_MINUTES }) ?? true)
}

function codeFor({ stage }: Learner, isDark: boolean, random: Random): string {
  if (isDark && stage > 0.4) return 'NIGHT'
  if (stage < 0.15) return random.pick(['PRACTICE', 'PRACTICE', 'MANOEUVRES'])
  if (stage < 0.45) return random.pick(['PRACTICE', 'PRACTICE', 'PRACTICE', 'MANOEUVRES', 'RURAL'])
  if (stage < 0.85) return random.pick(['PRACTICE', 'RURAL', 'RURAL', 'MOTORWAY', 'MOTORWAY'])
  return random.pick(['EXAM_PREP', 'EXAM_PREP', 'PRACTICE', 'MANOEUVRES', 'PRACTICAL_EXAM'])
}

function proposed(
  school: DemoSchool,
  instructor: Instructor,
  { start, code, learner }: { start: number; code: string; learner?: Learner },
): BookedLesson | undefined {
  const lessonType = school.lessonTypes.find((one) => one.code === code)
  if (!lessonType) return undefined
  const asked = {
    instructor_id: instructor.id,
    student_id: learner?.id ?? null,
    attendees: [],
    vehicle_ids: carFor(instructor, lessonType, learner),
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
    title: lessonType.name,
    status: 'planned',
    overrides_used: [...overrides_used],
    series_id: null,
    cancellation: null,
    license_class: learner && lessonType.category !== 'theory' ? learner.license_class : null,
  }
}

/** Returns the instructor's car for drives of a class that needs one. */
function carFor({ usual_vehicle_id }: Instructor, { category }: LessonType, learner?: Learner): string[] {
  const isInCar = learner?.license_class.startsWith('B') && category !== 'theory'
  return isInCar && usual_vehicle_id ? [usual_vehicle_id] : []
}

function verdictFor(
  asked: ProposedAppointment,
  { unit_minutes, lessonTypes, vehicles, booked }: DemoSchool,
  instructor: Instructor,
) {
  const typesById = new Map(lessonTypes.map((lessonType) => [lessonType.id, lessonType]))
  const books = { unit_minutes, instructor, lessonTypes: typesById, vehicles, appointments: booked }
  return verdictOn(proposalFor(asked, typesById), agendaFor(asked, books))
}

function withOutcome(school: DemoSchool, lesson: BookedLesson, now: string, random: Random): BookedLesson {
  const roll = random.next()
  if (lesson.end_at > now) return roll < 0.03 ? { ...lesson, status: 'cancelled' } : lesson
  if (lesson.student_id === null) return { ...lesson, status: 'completed' }
  if (roll < 0.07) return { ...lesson, status: roll < 0.04 ? 'cancelled' : 'no_show' }
  const type = school.lessonTypes.find(({ id }) => id === lesson.lesson_type_id)
  const exam_result = isExam(type?.category ?? '') ? resultFor(roll) : null
  return { ...lesson, status: 'completed', exam_result }
}

/** Two of three exams are passed. */
function resultFor(roll: number): BookedLesson['exam_result'] {
  if (roll < 0.7) return { note: null, passed: true }
  return { note: 'Vorfahrt an der Kreuzung nicht beachtet', passed: false }
}
