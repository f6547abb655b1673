import type { CountedAppointment, Proposal } from './agenda.ts'
import type { LocalDateTime } from './local-time.ts'

export type ListedAppointment = {
  readonly id: string
  readonly instructor_id: string
  readonly student_id: string | null
  readonly vehicle_ids?: readonly string[] | undefined
  readonly attendees?: readonly { readonly student_id: string }[] | undefined
  readonly seats?: number | null | undefined
  readonly lesson_type_id: string
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
  readonly status: string
}

/** A requested appointment, with its id if it is already stored. */
export type ProposedAppointment = Omit<ListedAppointment, 'id' | 'status'> & { readonly id?: string }

export type LessonTypes = ReadonlyMap<
  string,
  { readonly counts_toward_limits: boolean; readonly seats?: number }
>

/** Whether an appointment takes up time: a no-show does, a cancelled one does not. */
export function isCounted({ status }: { readonly status: string }): boolean {
  return status !== 'cancelled'
}

type WithStudents = {
  readonly student_id?: string | null | undefined
  readonly attendees?: readonly { readonly student_id: string }[] | undefined
}

export function isStudentIn({ student_id, attendees }: WithStudents, id: string): boolean {
  return student_id === id || (attendees?.some((one) => one.student_id === id) ?? false)
}

/** Returns the proposal to check. An unknown type counts toward limits. */
export function proposalFor(proposed: ProposedAppointment, lessonTypes: LessonTypes): Proposal {
  const counts_toward_limits = lessonTypes.get(proposed.lesson_type_id)?.counts_toward_limits ?? true
  return { start_at: proposed.start_at, end_at: proposed.end_at, counts_toward_limits }
}

export function countedIn(
  appointments: readonly ListedAppointment[],
  lessonTypes: LessonTypes,
): readonly CountedAppointment[] {
  return appointments
    .filter(isCounted)
    .map((appointment) => ({ id: appointment.id, ...proposalFor(appointment, lessonTypes) }))
}

/** Whether an appointment is planned and has not begun. Nobody can have signed it. */
export function isToCome(
  { status, start_at }: { readonly status: string; readonly start_at: LocalDateTime },
  now: LocalDateTime,
): boolean {
  return status === 'planned' && start_at > now
}
