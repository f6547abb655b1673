import { daysLater, isLocalDate, type LocalDate } from '../../domain/local-time.ts'
import { APPOINTMENT_MINUTES } from '../../domain/ranges.ts'
import type { SlotsQuery } from '../data/slots.ts'
import type { VehicleQuery } from '../lessons/lesson-vehicles.ts'

/** The parts of a day to choose from. */
export const PARTS_OF_DAY = ['morning', 'afternoon', 'evening'] as const

const HOURS = {
  anyTime: {},
  morning: { time_to: '12:00' },
  afternoon: { time_from: '12:00', time_to: '17:00' },
  evening: { time_from: '17:00' },
} satisfies Record<'anyTime' | (typeof PARTS_OF_DAY)[number], object>

/** The maximum number of days in a search, first and last included. */
const MAX_DAYS = 92

/** The conditions on a free time. */
export type SearchCriteria = {
  readonly from: LocalDate
  /** The last day; empty for the service's default. */
  readonly until: LocalDate
  /** Empty for any instructor. */
  readonly instructor_ids: readonly string[]
  /** 1 is Monday; empty for any day. */
  readonly weekdays: readonly number[]
  readonly hours: keyof typeof HOURS
  readonly order: 'fit' | 'time'
  /** A vehicle's id, or `any`; undefined for the vehicles of the lesson. */
  readonly vehicle?: string | undefined
}

/** The lesson to find a time for, with its id if it is being moved. */
export type SearchedLesson = {
  readonly id?: string | undefined
  readonly student_id: string | null
  readonly lesson_type_id: string
  readonly minutes: number
  /** The parameters for the vehicles of the lesson. */
  readonly vehicles: VehicleQuery
}

/** Returns the query; undefined while type, length or first day are missing or invalid. */
export function slotsQueryFor(
  { id, student_id, lesson_type_id, minutes, vehicles }: SearchedLesson,
  { from, until, instructor_ids, weekdays, hours, order, vehicle }: SearchCriteria,
  today: LocalDate,
): SlotsQuery | undefined {
  const { min, max } = APPOINTMENT_MINUTES
  if (lesson_type_id === '' || minutes < min || minutes > max || !isLocalDate(from)) return undefined
  return {
    lesson_type_id,
    minutes: String(minutes),
    order,
    ...HOURS[hours],
    ...(student_id !== null && { student_id }),
    ...vehiclesIn(vehicle, vehicles),
    ...(id !== undefined && { appointment_id: id }),
    ...(instructor_ids.length > 0 && { instructor_ids }),
    ...(weekdays.length > 0 && { weekdays: weekdays.toSorted().join(',') }),
    // Without `from`, the search begins now.
    ...(from > today && { from }),
    ...(isLastDay(until, from) && { to: until }),
  }
}

function vehiclesIn(vehicle: SearchCriteria['vehicle'], ofLesson: VehicleQuery): VehicleQuery {
  if (vehicle === undefined) return ofLesson
  return vehicle === 'any' ? { vehicle } : { vehicle_ids: [vehicle] }
}

/** Returns the latest possible last day of a search from `from`. */
export function latestUntil(from: LocalDate): LocalDate {
  return isLocalDate(from) ? daysLater(from, MAX_DAYS - 1) : ''
}

/** Whether a search from `from` may end on `until`. */
export function isLastDay(until: LocalDate, from: LocalDate): boolean {
  return isLocalDate(until) && until >= from && until <= latestUntil(from)
}
