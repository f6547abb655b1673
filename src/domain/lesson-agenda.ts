import type {
  Agenda,
  ClosedDays,
  CountedAppointment,
  Former,
  Group,
  InstructorRules,
  Occupancy,
  ThingRules,
} from './agenda.ts'
import type { BusyPolicy } from './busy-policy.ts'
import { countedIn, type LessonTypes, type ListedAppointment, type ProposedAppointment } from './counted.ts'
import { intervalOf, overlaps } from './interval.ts'
import type { LocalDateTime } from './local-time.ts'
import { OCCUPANTS, type Occupant, type Occupying, occupantsOf } from './occupants.ts'

/** The appointments of a person or thing over a range, with the rules of an instructor or thing. */
export type OwnCalendar = {
  readonly rules?: InstructorRules | undefined
  /** An instructor's rules after a pending change. */
  readonly assumed?: InstructorRules | undefined
  readonly thing?: ThingRules | undefined
  readonly appointments: readonly CountedAppointment[]
  /** The number of a student's appointments that have not ended; undefined if they cannot be too many. */
  readonly open_appointments?: number | undefined
  /** The time on the school's clock at which a student was put away. */
  readonly archived_at?: LocalDateTime | undefined
}

export type CalendarSource = {
  readonly unit_minutes: number
  readonly closed?: ClosedDays | undefined
  /** The effect of instructors' busy times; undefined to ignore them. */
  readonly busy_calendars?: BusyPolicy | undefined
  /** Returns the calendar of a person or thing; undefined if it is not checked. */
  readonly find: (occupant: Occupant) => OwnCalendar | undefined
}

export type GroupLesson = Occupying & {
  readonly instructor_id: string
  readonly seats?: number | null | undefined
}

/** Returns the agenda of a lesson from the calendars of all that it occupies. Expects rules of the instructor. */
export function agendaIn(
  lesson: GroupLesson,
  { unit_minutes, closed, busy_calendars, find }: CalendarSource,
): Agenda {
  const occupied: Occupancy[] = []
  let instructor: OwnCalendar | undefined
  let student_open: number | undefined
  let former: Former[] | undefined
  for (const occupant of occupantsOf(lesson)) {
    const own = find(occupant)
    if (!own) continue
    const { thing, appointments, open_appointments: open, archived_at } = own
    occupied.push({ ...occupant, thing, appointments })
    if (open !== undefined) student_open = Math.max(student_open ?? 0, open)
    if (archived_at) former = [...(former ?? []), { student_id: occupant.id, archived_at }]
    if (own.rules) instructor = own
  }
  if (!instructor?.rules) throw new Error(`The instructor ${lesson.instructor_id} has no rules`)
  const { rules, assumed } = instructor
  const group = groupOf(lesson)
  return {
    unit_minutes,
    instructor: rules,
    assumed,
    closed,
    busy_calendars,
    occupied,
    group,
    student_open,
    former,
  }
}

function groupOf({ attendees = [], seats }: GroupLesson): Group | undefined {
  if (attendees.length === 0) return undefined
  return { seats: seats ?? attendees.length, attendees: attendees.length }
}

export type BookingData = {
  readonly unit_minutes: number
  readonly instructor: InstructorRules
  /** The instructor's rules after a pending change. */
  readonly assumed?: InstructorRules | undefined
  readonly closed?: ClosedDays | undefined
  readonly busy_calendars?: BusyPolicy | undefined
  readonly lessonTypes: LessonTypes
  /** The things by id, such as vehicles. A missing one is not checked. */
  readonly things?: ReadonlyMap<string, ThingRules> | undefined
  readonly appointments: readonly ListedAppointment[]
}

/** Returns the agenda for a proposed appointment, without the stored version of it. */
export function agendaFor(proposed: ProposedAppointment, data: BookingData): Agenda {
  const { unit_minutes, instructor, assumed, closed, busy_calendars, lessonTypes, things, appointments } =
    data
  const seats = proposed.seats ?? lessonTypes.get(proposed.lesson_type_id)?.seats
  const own = intervalOf(proposed)
  const find = ({ kind, id }: Occupant): OwnCalendar | undefined => {
    const { isIn, ...described } = OCCUPANTS[kind]
    const thing = things?.get(id)
    if (described.thing && !thing) return undefined
    const isInstructor = kind === 'instructor'
    const near = appointments.filter(
      (other) =>
        other.id !== proposed.id && isIn(other, id) && (isInstructor || overlaps(intervalOf(other), own)),
    )
    const rules = isInstructor ? instructor : undefined
    return { rules, assumed, thing, appointments: countedIn(near, lessonTypes) }
  }
  const source = { unit_minutes, closed, busy_calendars, find }
  return agendaIn({ ...proposed, seats, instructor_id: instructor.id }, source)
}
