import type { ThingRules } from './agenda.ts'
import { countedIn, type LessonTypes, type ListedAppointment } from './counted.ts'
import type { CalendarSource, OwnCalendar } from './lesson-agenda.ts'
import { OCCUPANTS, type Occupant } from './occupants.ts'
import { SchoolCalendar } from './school-calendar.ts'

/** A list of a school's appointments, with the rules of its instructors and things. */
export type ListedSchool = Omit<CalendarSource, 'find'> & {
  readonly rulesOf: (instructor_id: string) => Pick<OwnCalendar, 'rules' | 'assumed'>
  readonly lessonTypes: LessonTypes
  /** The things by id, such as vehicles. A missing one is not checked. */
  readonly things?: ReadonlyMap<string, ThingRules> | undefined
  readonly appointments: readonly ListedAppointment[]
}

/** Returns the calendars of all appointments but the one with the id `except`. */
export function calendarOf(
  { rulesOf, things, appointments, ...school }: ListedSchool,
  except?: string,
): SchoolCalendar {
  const find = ({ kind, id }: Occupant): OwnCalendar | undefined => {
    const { isIn, ...described } = OCCUPANTS[kind]
    const thing = things?.get(id)
    if (described.thing && !thing) return undefined
    const own = appointments.filter((one) => one.id !== except && isIn(one, id))
    const rules = kind === 'instructor' ? rulesOf(id) : {}
    return { ...rules, thing, appointments: countedIn(own, school.lessonTypes) }
  }
  return new SchoolCalendar({ ...school, find })
}
