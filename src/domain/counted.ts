import type { Agenda, CountedAppointment, InstructorRules, Proposal } from './agenda.ts'
import { intervalOf, overlaps } from './interval.ts'
import type { LocalDateTime } from './local-time.ts'

/** An appointment as a list shows it: whose it is, when, and how it stands. */
export type ListedAppointment = {
  readonly id: string
  readonly instructor_id: string
  readonly student_id: string | null
  readonly lesson_type_id: string
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
  readonly status: string
}

/** An appointment as it shall be; with the id of the one that is changed. */
export type Draft = Omit<ListedAppointment, 'id' | 'status'> & { readonly id?: string }

/** Lesson types by id. */
type LessonTypes = ReadonlyMap<string, { readonly counts_toward_limits: boolean }>

/** The appointments at hand, and what the rules must know beside them. */
export type Books = {
  readonly unit_minutes: number
  readonly instructor: InstructorRules
  readonly lessonTypes: LessonTypes
  /** Of the whole school. */
  readonly appointments: readonly ListedAppointment[]
}

/** Whether an appointment takes its time: a missed one does, for the time was spent; a cancelled one does not. */
export function isCounted({ status }: { readonly status: string }): boolean {
  return status !== 'cancelled'
}

/** The draft as the rules are asked about it. What is of a type that is not known here counts toward limits. */
export function proposalFor(draft: Draft, lessonTypes: LessonTypes): Proposal {
  const counts_toward_limits = lessonTypes.get(draft.lesson_type_id)?.counts_toward_limits ?? true
  return { start_at: draft.start_at, end_at: draft.end_at, counts_toward_limits }
}

/** Those of the appointments that count, as the rules see them. */
export function countedIn(
  appointments: readonly ListedAppointment[],
  lessonTypes: LessonTypes,
): readonly CountedAppointment[] {
  return appointments
    .filter(isCounted)
    .map((appointment) => ({ id: appointment.id, ...proposalFor(appointment, lessonTypes) }))
}

/** The agenda around a draft; what is stored under the draft's own id is not on it. */
export function agendaFor(
  draft: Draft,
  { unit_minutes, instructor, lessonTypes, appointments }: Books,
): Agenda {
  const others = appointments.filter(({ id }) => id !== draft.id)
  const ofInstructor = others.filter(({ instructor_id }) => instructor_id === instructor.id)
  const ofStudent = others.filter(
    (other) =>
      draft.student_id !== null &&
      other.student_id === draft.student_id &&
      overlaps(intervalOf(other), intervalOf(draft)),
  )
  return {
    unit_minutes,
    instructor,
    instructor_appointments: countedIn(ofInstructor, lessonTypes),
    student_appointments: countedIn(ofStudent, lessonTypes),
  }
}
