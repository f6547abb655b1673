import type { Agenda, CountedAppointment, InstructorRules, Proposal, VehicleRules } from './agenda.ts'
import { intervalOf, overlaps } from './interval.ts'
import type { LocalDateTime } from './local-time.ts'

/** An appointment as a list shows it: whose it is, when, and how it stands. */
export type ListedAppointment = {
  readonly id: string
  readonly instructor_id: string
  readonly student_id: string | null
  readonly vehicle_ids?: readonly string[] | undefined
  readonly lesson_type_id: string
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
  readonly status: string
}

/** An appointment as asked for; with its id if it is stored already. */
export type ProposedAppointment = Omit<ListedAppointment, 'id' | 'status'> & { readonly id?: string }

/** Lesson types by id. */
type LessonTypes = ReadonlyMap<string, { readonly counts_toward_limits: boolean }>

/** The appointments at hand, and what the rules must know beside them. */
export type Books = {
  readonly unit_minutes: number
  readonly instructor: InstructorRules
  /** The instructor as somebody is about to store them. */
  readonly assumed?: InstructorRules | undefined
  readonly lessonTypes: LessonTypes
  /** By id; one that is missing is judged by nothing. */
  readonly vehicles?: ReadonlyMap<string, VehicleRules> | undefined
  /** The appointments of the whole school. */
  readonly appointments: readonly ListedAppointment[]
}

/** Whether an appointment takes its time: a missed one does, for the time was spent; a cancelled one does not. */
export function isCounted({ status }: { readonly status: string }): boolean {
  return status !== 'cancelled'
}

/** Returns the proposal to judge. An appointment of an unknown type counts toward limits. */
export function proposalFor(proposed: ProposedAppointment, lessonTypes: LessonTypes): Proposal {
  const counts_toward_limits = lessonTypes.get(proposed.lesson_type_id)?.counts_toward_limits ?? true
  return { start_at: proposed.start_at, end_at: proposed.end_at, counts_toward_limits }
}

/** Returns the counted appointments, as the rules see them. */
export function countedIn(
  appointments: readonly ListedAppointment[],
  lessonTypes: LessonTypes,
): readonly CountedAppointment[] {
  return appointments
    .filter(isCounted)
    .map((appointment) => ({ id: appointment.id, ...proposalFor(appointment, lessonTypes) }))
}

/** The agenda around a proposed appointment; what is stored under its own id is not on it. */
export function agendaFor(
  proposed: ProposedAppointment,
  { unit_minutes, instructor, assumed, lessonTypes, vehicles, appointments }: Books,
): Agenda {
  const others = appointments.filter(({ id }) => id !== proposed.id)
  const ofInstructor = others.filter(({ instructor_id }) => instructor_id === instructor.id)
  const ofStudent = others.filter(
    (other) =>
      proposed.student_id !== null &&
      other.student_id === proposed.student_id &&
      overlaps(intervalOf(other), intervalOf(proposed)),
  )
  const ofVehicles = (proposed.vehicle_ids ?? []).flatMap((id) => {
    const vehicle = vehicles?.get(id)
    const using = others.filter(({ vehicle_ids }) => vehicle_ids?.includes(id))
    const appointments = countedIn(using, lessonTypes)
    return vehicle ? [{ code: 'vehicle_busy' as const, vehicle, appointments }] : []
  })
  return {
    unit_minutes,
    instructor,
    assumed,
    occupied: [
      { code: 'instructor_busy', appointments: countedIn(ofInstructor, lessonTypes) },
      { code: 'student_busy', appointments: countedIn(ofStudent, lessonTypes) },
      ...ofVehicles,
    ],
  }
}
