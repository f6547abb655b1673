import type { Appointment } from '../../src/contract/appointment.ts'
import type { Instructor } from '../../src/contract/instructor.ts'
import type { LessonType } from '../../src/contract/lesson-type.ts'
import type { CountedAppointment } from '../../src/domain/agenda.ts'
import { occupiedBy } from '../../src/domain/agenda-builder.test-support.ts'
import { refusalFor } from '../../src/domain/booking.ts'
import { dayOf, localDateFor, weekStartOf } from '../../src/domain/local-time.ts'

/** A school as its API returns it. */
export type ShownSchool = {
  readonly instructors: readonly Instructor[]
  readonly lessonTypes: readonly LessonType[]
  readonly appointments: readonly Appointment[]
}

/** Returns the lessons that the rules refuse if all that are not cancelled are booked one after another. */
export function refusedIn({ instructors, lessonTypes, appointments }: ShownSchool): readonly unknown[] {
  const counting = new Map(lessonTypes.map(({ id, counts_toward_limits }) => [id, counts_toward_limits]))
  const booked: (Appointment & CountedAppointment)[] = []
  const refused: unknown[] = []
  for (const appointment of standing(appointments)) {
    const instructor = instructors.find(({ id }) => id === appointment.instructor_id)
    const counts_toward_limits = counting.get(appointment.lesson_type_id)
    if (!instructor || counts_toward_limits === undefined) {
      refused.push({ appointment, refusal: 'it refers to nothing' })
      continue
    }
    const lesson = { ...appointment, counts_toward_limits }
    const refusal = refusalFor(lesson, {
      unit_minutes: 45,
      instructor,
      occupied: occupiedBy(
        booked.filter(({ instructor_id }) => instructor_id === instructor.id),
        booked.filter(({ student_id }) => student_id !== null && student_id === lesson.student_id),
      ),
    })
    if (refusal) refused.push({ appointment, refusal })
    booked.push(lesson)
  }
  return refused
}

/** Returns pairs of lessons of one person that overlap and are not cancelled. Does not use the product's rules. */
export function overlapsIn(appointments: readonly Appointment[]): readonly unknown[] {
  return standing(appointments).flatMap((one, index, all) =>
    all
      .slice(index + 1)
      .filter(
        (other) =>
          other.start_at < one.end_at &&
          (other.instructor_id === one.instructor_id ||
            (other.student_id !== null && other.student_id === one.student_id)),
      )
      .map((other) => [one, other]),
  )
}

/** Counts the lessons of each week, by its Monday. */
export function lessonsByWeek(appointments: readonly Appointment[]): Readonly<Record<string, number>> {
  const weeks: Record<string, number> = {}
  for (const { start_at } of appointments.toSorted(byStart)) {
    const monday = localDateFor(weekStartOf(dayOf(start_at)))
    weeks[monday] = (weeks[monday] ?? 0) + 1
  }
  return weeks
}

/** Returns the Mondays of five weeks in Berlin's time zone, with the instant in the middle one. */
export function fiveMondaysAround(now: Date): readonly string[] {
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(now)
  const monday = weekStartOf(dayOf(today))
  return [-14, -7, 0, 7, 14].map((days) => localDateFor(monday + days))
}

function standing(appointments: readonly Appointment[]): readonly Appointment[] {
  return appointments.filter(({ status }) => status !== 'cancelled').toSorted(byStart)
}

function byStart(a: Appointment, b: Appointment): number {
  return a.start_at < b.start_at ? -1 : a.start_at > b.start_at ? 1 : 0
}
