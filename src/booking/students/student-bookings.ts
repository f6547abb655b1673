import type { Actor } from '../../contract/actor.ts'
import { newId } from '../../contract/new-id.ts'
import { notFound, Problem } from '../../contract/problem.ts'
import type { Slot } from '../../contract/slot.ts'
import type { Student } from '../../contract/student.ts'
import { readTaughtLessonTypes } from '../../db/appointments/affected-appointments.ts'
import { insertAppointment } from '../../db/appointments/write-appointment.ts'
import { type OwnLesson, readComingLessons } from '../../db/calendars/shared-lessons.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import type { Database } from '../../db/schema/tables.ts'
import { findInstructor } from '../../db/school/instructors.ts'
import { requireTraining } from '../../db/students/progress.ts'
import { findStudent } from '../../db/students/students.ts'
import type { LocalDateTime } from '../../domain/local-time.ts'
import { openDrivesIn } from '../../domain/progress.ts'
import { bookableTypes, mayBook } from '../../domain/student-booking.ts'
import { localNow } from '../../domain/time-zone.ts'
import { teachesClassOf } from '../../domain/warnings.ts'
import { decide } from '../decide.ts'
import { bookingOf } from '../lessons/book-appointment.ts'
import type { TimeSlicer } from '../time-slicer.ts'
import { findFreeTime, findFreeTimes, type OfferedTimes, openRange, type TimeSearch } from './free-times.ts'

/** A lesson type that a student may book, at its default length. */
export type BookableLesson = { readonly lesson_type_id: string; readonly minutes: number }

/** The lessons that a student may book, and those that are coming. */
export type OwnBooking = {
  readonly types: readonly BookableLesson[]
  readonly coming: readonly OwnLesson[]
  readonly isFull: boolean
  readonly license_class: string | null
  readonly student: Student
}

/** Reads the lessons that the student may book now. Throws `not_found`, also if the school does not let students book. */
export async function readOwnBooking(db: Database, actor: Actor): Promise<OwnBooking> {
  const { tenant, id } = actor
  if (id === null || !mayBook(tenant)) throw notFound()
  const [student, coming, lessonTypes, training] = await Promise.all([
    findStudent(db, tenant.id, id),
    readComing(db, actor, id),
    readTaughtLessonTypes(db, tenant.id),
    requireTraining(db, tenant.id, { id }),
  ])
  if (!student || student.archived_at) throw notFound()
  const open = openDrivesIn(training, tenant.unit_minutes)
  const types = bookableTypes(open, lessonTypes, tenant.student_booking)
  return {
    types: types.map((one) => ({ lesson_type_id: one.id, minutes: one.default_minutes })),
    coming,
    isFull: coming.length >= tenant.student_booking.lessons_ahead,
    license_class: training.license_class,
    student,
  }
}

function readComing(db: Database, { tenant, now }: Actor, student_id: string): Promise<readonly OwnLesson[]> {
  return readComingLessons(db, { tenantId: tenant.id, student_id, from: localNow(now, tenant.timezone) })
}

type Searching = { readonly lesson_type_id: string; readonly pages: number; readonly slicer: TimeSlicer }

/** Lists free times for a lesson, with the student's own instructor or else all who teach the class. Throws `not_found` and `stale`. */
export async function findTimesToBook(
  db: Database,
  actor: Actor,
  { lesson_type_id, ...bounds }: Searching,
): Promise<OfferedTimes> {
  const { search } = await searchFor(db, actor, lesson_type_id)
  return findFreeTimes(db, actor, search, bounds)
}

/** Warnings that do not keep a lesson from being offered: the school lets the student practise more than the class requires. */
const HARMLESS: readonly string[] = ['no_enrolment', 'not_required', 'requirement_already_met']

async function searchFor(
  db: Database,
  actor: Actor,
  lesson_type_id: string,
): Promise<{ readonly search: TimeSearch; readonly student: Student }> {
  const own = await readOwnBooking(db, actor)
  const { student } = own
  const type = own.types.find((one) => one.lesson_type_id === lesson_type_id)
  if (!type || own.isFull) throw new Problem('stale')
  const search = {
    ...{ student_id: student.id, appointment_id: undefined },
    ...type,
    instructor_ids: await ownInstructor(db, actor, own),
    vehicles: { beside: [] },
    range: openRange(actor),
    isOpen: (slot: Slot) => slot.warnings.every(({ code }) => HARMLESS.includes(code)),
  }
  return { search, student }
}

/** Returns the student's own instructor alone if they can teach the class; undefined for all who do. */
async function ownInstructor(
  db: Database,
  { tenant }: Actor,
  { student: { preferred_instructor_id: id }, license_class }: OwnBooking,
): Promise<readonly string[] | undefined> {
  const instructor = id === null ? undefined : await findInstructor(db, tenant.id, id)
  if (!instructor?.active || !teachesClassOf(instructor.license_classes, { license_class })) return undefined
  return [instructor.id]
}

type Choice = {
  readonly lesson_type_id: string
  readonly instructor_id: string
  readonly start_at: LocalDateTime
}

/**
 * Books an offered time for the student, and returns the lesson. The same choice sent again returns the same lesson. Throws
 * `not_found`, also if the school does not let students book, and `stale` if the time or the lesson is no longer offered.
 */
export async function bookLesson(
  database: DatabasePool,
  actor: Actor,
  choice: Choice,
  slicer: TimeSlicer,
): Promise<{ readonly id: string }> {
  const known = await findBooked(database, actor, choice)
  if (known) return known
  try {
    return await bookOffered(database, actor, choice, slicer)
  } catch (error) {
    if (!(error instanceof Problem) || !(error.refusals || error.code === 'stale')) throw error
    const booked = await findBooked(database, actor, choice)
    if (!booked) throw new Problem('stale')
    return booked
  }
}

async function findBooked(
  db: Database,
  actor: Actor,
  { lesson_type_id, instructor_id, start_at }: Choice,
): Promise<OwnLesson | undefined> {
  const { coming } = await readOwnBooking(db, actor)
  return coming.find(
    (one) =>
      one.start_at === start_at &&
      one.instructor_id === instructor_id &&
      one.lesson_type_id === lesson_type_id,
  )
}

async function bookOffered(
  database: DatabasePool,
  actor: Actor,
  { lesson_type_id, ...chosen }: Choice,
  slicer: TimeSlicer,
): Promise<{ readonly id: string }> {
  const { search, student } = await searchFor(database, actor, lesson_type_id)
  const time = await findFreeTime(database, actor, search, { ...chosen, slicer })
  if (!time) throw new Problem('stale')
  const { pickup_place } = student
  const read = async (db: Database) => {
    const { row, seen } = await bookingOf(db, actor, {
      ...{ ...time, lesson_type_id, pickup_place, student_id: student.id },
      id: newId(),
    })
    // After the calendars: what changes the student's lessons or requirements later changes their calendar's version.
    const { types, isFull } = await readOwnBooking(db, actor)
    if (isFull || !types.some((one) => one.lesson_type_id === lesson_type_id)) throw new Problem('stale')
    return { seen, write: (at: Database) => insertAppointment(at, actor, row, { seen, key: undefined }) }
  }
  return decide(database, actor, { read })
}
