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
import type { LessonTypes } from './counted.ts'
import type { LocalDateTime } from './local-time.ts'
import { type Occupant, type Occupying, occupantsOf } from './occupants.ts'

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
  /** The types that have the seats of groups without their own. */
  readonly lessonTypes?: LessonTypes | undefined
  /** Returns the calendar of a person or thing; undefined if it is not checked. */
  readonly find: (occupant: Occupant) => OwnCalendar | undefined
}

export type GroupLesson = Occupying & {
  readonly instructor_id: string
  readonly lesson_type_id?: string | null | undefined
  readonly seats?: number | null | undefined
}

/** Returns the agenda of a lesson from the calendars of all that it occupies. Expects rules of the instructor. */
export function agendaIn(
  lesson: GroupLesson,
  { unit_minutes, closed, busy_calendars, lessonTypes, find }: CalendarSource,
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
  const group = groupOf(lesson, lessonTypes)
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

function groupOf(
  { attendees = [], seats, lesson_type_id }: GroupLesson,
  lessonTypes: LessonTypes | undefined,
): Group | undefined {
  if (attendees.length === 0) return undefined
  const usual = lessonTypes?.get(lesson_type_id ?? '')?.seats
  return { seats: seats ?? usual ?? attendees.length, attendees: attendees.length }
}
