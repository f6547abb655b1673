import { NIL } from 'uuid'
import type { Actor } from '../../contract/actor.ts'
import type { Assumed } from '../../contract/assumed.ts'
import { notFound } from '../../contract/problem.ts'
import {
  type Agenda,
  type CountedAppointment,
  type HolidayCalendar,
  type Occupancy,
  occupiedBy,
  type Proposal,
  type VehicleRules,
} from '../../domain/agenda.ts'
import { groupOf, type ListedAppointment } from '../../domain/counted.ts'
import { attendeeIdsOf } from '../../domain/group.ts'
import { type Interval, intervalOf } from '../../domain/interval.ts'
import type { Run } from '../../domain/steps.ts'
import { containsStretch, readUntilComplete, surroundingsOf } from '../../domain/surroundings.ts'
import { localNow } from '../../domain/time-zone.ts'
import { suitsClass } from '../../domain/vehicles.ts'
import { holidayCalendarOf } from '../holidays.ts'
import type { Database } from '../schema/tables.ts'
import { type CalendarVersion, calendarIdsOf } from './calendar-locks.ts'
import type { Calendar } from './calendar-rows.ts'
import { type Calendars, loadCalendars, type VehicleChoice } from './calendars.ts'

export type AgendaAppointment = Omit<ListedAppointment, 'status'> & {
  /** Further appointments of the same instructor, student and vehicles, counted as if stored. */
  readonly unstored?: readonly CountedAppointment[] | undefined
  readonly assumed?: Assumed | undefined
}

export type LoadedAgenda = {
  readonly proposal: Proposal
  readonly agenda: Agenda
  readonly lesson_type_name: string
  readonly seats: number
  readonly deletedAttendees: ReadonlySet<string>
  readonly isStudentDeleted: boolean
  readonly isVehicleDeleted: boolean
  readonly license_class: string | null
  readonly seen: readonly CalendarVersion[]
}

export async function requireAgenda(
  db: Database,
  { tenant, now }: Pick<Actor, 'tenant' | 'now'>,
  standing: AgendaAppointment,
): Promise<LoadedAgenda> {
  const { id: tenantId, unit_minutes, timezone } = tenant
  const holidayOn = await holidayCalendarOf(tenant, 'refuse')
  const { instructor_id, student_id, lesson_type_id, id: except, start_at, end_at, unstored = [] } = standing
  const { vehicle_ids = [], ...people } = standing
  const vehicles = vehicle_ids.length > 0 ? { ids: vehicle_ids } : undefined
  const ids = calendarIdsOf([people])
  const attendeeIds = attendeeIdsOf(standing)
  const others = intervalOf(standing)
  const request = { ids, vehicles, others, lesson_type_id, except, now: localNow(now, timezone) }
  const withUnstored = <T extends Pick<Calendar, 'appointments'>>(one: T) => {
    return { ...one, appointments: [...one.appointments, ...unstored] }
  }
  const read = async (range: Interval): Promise<LoadedAgenda> => {
    const { of, lesson_type, closures } = await loadCalendars(db, tenantId, { ...request, range })
    const [instructor, student] = [of.get(instructor_id), of.get(student_id ?? '')]
    const isStudentUnknown = student_id !== null && !student?.isStudent
    if (!instructor?.rules || !lesson_type || isStudentUnknown) throw notFound()
    const attendees = attendeeIds.map((id) => requireStudent(of.get(id)))
    const open = mostOpenOf([...(student ? [student] : []), ...attendees])
    const used = vehicle_ids.map((id) => requireVehicle(of.get(id)))
    const { name, category, counts_toward_limits } = lesson_type
    return {
      proposal: { start_at, end_at, counts_toward_limits },
      agenda: {
        unit_minutes,
        instructor: instructor.rules,
        occupied: occupiedBy({
          instructor: [...instructor.appointments, ...unstored],
          student: student ? [...student.appointments, ...unstored] : [],
          attendees: attendees.map(withUnstored),
          vehicles: used.map(withUnstored),
        }),
        closed: { holidayOn, closures },
        group: groupOf(standing, lesson_type.seats),
        student_open: open === undefined ? undefined : open + unstored.length,
      },
      lesson_type_name: name,
      seats: lesson_type.seats,
      deletedAttendees: new Set(attendeeIds.filter((id) => of.get(id)?.deleted)),
      isStudentDeleted: student?.deleted ?? false,
      isVehicleDeleted: vehicle_ids.some((id) => of.get(id)?.deleted),
      license_class: category === 'theory' ? null : (student?.license_class ?? null),
      seen: [...of.values()].map(({ id, version }) => ({ id, version })),
    }
  }
  return readUntilComplete(surroundingsOf(others), read, ({ agenda }, surroundings) =>
    containsStretch(agenda, standing, surroundings),
  )
}

function mostOpenOf(students: readonly Calendar[]): number | undefined {
  if (students.length === 0) return undefined
  return Math.max(...students.map((one) => one.open_appointments ?? 0))
}

function requireStudent(calendar: Calendar | undefined): Calendar {
  if (!calendar?.isStudent) throw notFound()
  return calendar
}

export function requireVehicle(
  calendar: Calendar | undefined,
): Occupancy & { readonly vehicle: VehicleRules } {
  if (!calendar?.vehicle) throw notFound()
  return { code: 'vehicle_busy', vehicle: calendar.vehicle, appointments: calendar.appointments }
}

export type AgendasRequest = {
  /** All active instructors if undefined. */
  readonly instructor_ids: readonly string[] | undefined
  readonly student_id: string | null
  readonly attendee_ids?: readonly string[] | undefined
  readonly lesson_type_id: string | null
  readonly vehicles?: VehicleChoice | undefined
  readonly range: Interval
  readonly except?: string
}

export type LoadedVehicle = Occupancy & {
  readonly vehicle: VehicleRules
  readonly license_classes: readonly string[]
  readonly deleted?: boolean
}

export type LoadedAgendas = Omit<Calendars, 'of' | 'closures'> & {
  readonly holidayOn: HolidayCalendar | undefined
  readonly instructors: readonly {
    readonly agenda: Agenda
    readonly license_classes: readonly string[]
    readonly usual_vehicle_id?: string | null
  }[]
  /** The vehicle choices, if requested: all given ids as one choice, or each vehicle that suits the student's class, by name. */
  readonly vehicles: readonly (readonly LoadedVehicle[])[] | undefined
}

/** Loads agendas from one snapshot. `run` parses the rows. Throws `not_found`. */
export async function requireAgendas(
  db: Database,
  { tenant, now }: Pick<Actor, 'tenant' | 'now'>,
  {
    instructor_ids,
    student_id,
    attendee_ids = [],
    lesson_type_id,
    vehicles,
    range,
    except = NIL,
  }: AgendasRequest,
  run?: Run,
): Promise<LoadedAgendas> {
  const [refused, holidayOn] = await Promise.all([
    holidayCalendarOf(tenant, 'refuse'),
    holidayCalendarOf(tenant, 'warn'),
  ])
  const search = { student_id, attendee_ids }
  const request = {
    ids: instructor_ids,
    vehicles,
    range,
    lesson_type_id,
    except,
    now: localNow(now, tenant.timezone),
    search,
  }
  const { of, closures, ...loaded } = await loadCalendars(db, tenant.id, request, run)
  const isUnknown = instructor_ids?.some((id) => !of.get(id)?.rules)
  if (isUnknown || (student_id && !loaded.learner) || (lesson_type_id && !loaded.lesson_type))
    throw notFound()
  const student = of.get(student_id ?? '')
  const attendees = attendee_ids.map((id) => requireStudent(of.get(id)))
  const student_open = mostOpenOf([...(student ? [student] : []), ...attendees])
  const instructors = [...of.values()].flatMap(
    ({ rules: instructor, license_classes, usual_vehicle_id, appointments }) => {
      if (!instructor) return []
      const busy = { instructor: appointments, student: student?.appointments ?? [], attendees }
      const closed = { holidayOn: refused, closures }
      const agenda = {
        unit_minutes: tenant.unit_minutes,
        instructor,
        occupied: occupiedBy(busy),
        closed,
        student_open,
      }
      return [{ agenda, license_classes, usual_vehicle_id }]
    },
  )
  return { instructors, holidayOn, vehicles: vehicles && choicesIn(of, vehicles, loaded.learner), ...loaded }
}

function choicesIn(
  of: Calendars['of'],
  choice: VehicleChoice,
  learner: Calendars['learner'],
): LoadedAgendas['vehicles'] {
  const load = (calendar: Calendar | undefined) => {
    const { license_classes = [], deleted = false } = calendar ?? {}
    return { ...requireVehicle(calendar), license_classes, deleted }
  }
  if ('ids' in choice) return [choice.ids.map((id) => load(of.get(id)))]
  const license_class = learner?.license_class ?? null
  return [...of.values()]
    .filter(({ vehicle, license_classes }) => vehicle && suitsClass(license_classes, license_class))
    .sort((a, b) => ((a.vehicle?.name ?? '') < (b.vehicle?.name ?? '') ? -1 : 1))
    .map((calendar) => [load(calendar)])
}
