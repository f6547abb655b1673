import {
  type Agenda,
  type ClosedDays,
  type CountedAppointment,
  type Group,
  type InstructorRules,
  occupiedBy,
  type Proposal,
  type VehicleRules,
} from './agenda.ts'
import { attendeeIdsOf } from './group.ts'
import { intervalOf, overlaps } from './interval.ts'
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

type LessonTypes = ReadonlyMap<string, { readonly counts_toward_limits: boolean; readonly seats?: number }>

export type BookingData = {
  readonly unit_minutes: number
  readonly instructor: InstructorRules
  /** The instructor's rules after a pending change. */
  readonly assumed?: InstructorRules | undefined
  /** The days on which the school is closed; undefined if unknown. */
  readonly closed?: ClosedDays | undefined
  readonly lessonTypes: LessonTypes
  /** The vehicles by id. A missing one is not checked. */
  readonly vehicles?: ReadonlyMap<string, VehicleRules> | undefined
  readonly appointments: readonly ListedAppointment[]
}

/** Whether an appointment takes up time: a no-show does, a cancelled one does not. */
export function isCounted({ status }: { readonly status: string }): boolean {
  return status !== 'cancelled'
}

export function studentIdsOf(
  appointment: Pick<ListedAppointment, 'student_id' | 'attendees'>,
): readonly string[] {
  const { student_id } = appointment
  return student_id === null ? attendeeIdsOf(appointment) : [student_id]
}

/** Returns the group, with the appointment's own seats or those of its type; undefined if there are no attendees. */
export function groupOf(
  { attendees = [], seats }: Pick<ListedAppointment, 'attendees' | 'seats'>,
  seatsOfType: number | undefined,
): Group | undefined {
  if (attendees.length === 0) return undefined
  return { seats: seats ?? seatsOfType ?? attendees.length, attendees: attendees.length }
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

/** Returns the agenda for a proposed appointment, without the stored version of it. */
export function agendaFor(
  proposed: ProposedAppointment,
  { unit_minutes, instructor, assumed, closed, lessonTypes, vehicles, appointments }: BookingData,
): Agenda {
  const others = appointments.filter(({ id }) => id !== proposed.id)
  const ofInstructor = others.filter(({ instructor_id }) => instructor_id === instructor.id)
  const ofStudent = (id: string | null) => {
    const theirs = others.filter((other) => id !== null && studentIdsOf(other).includes(id))
    const near = theirs.filter((other) => overlaps(intervalOf(other), intervalOf(proposed)))
    return countedIn(near, lessonTypes)
  }
  const ofVehicles = (proposed.vehicle_ids ?? []).flatMap((id) => {
    const vehicle = vehicles?.get(id)
    const using = others.filter(({ vehicle_ids }) => vehicle_ids?.includes(id))
    return vehicle ? [{ vehicle, appointments: countedIn(using, lessonTypes) }] : []
  })
  return {
    unit_minutes,
    instructor,
    assumed,
    closed,
    occupied: occupiedBy({
      instructor: countedIn(ofInstructor, lessonTypes),
      student: ofStudent(proposed.student_id),
      attendees: attendeeIdsOf(proposed).map((id) => ({ id, appointments: ofStudent(id) })),
      vehicles: ofVehicles,
    }),
    group: groupOf(proposed, lessonTypes.get(proposed.lesson_type_id)?.seats),
  }
}
