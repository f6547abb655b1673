import { isLocalDate, type LocalDate } from '../../domain/local-time.ts'
import { APPOINTMENT_MINUTES } from '../../domain/ranges.ts'
import type { SlotsWanted } from '../api/slots.ts'

/** The parts of a day that can be chosen. */
export const PARTS_OF_DAY = ['anyTime', 'morning', 'afternoon', 'evening'] as const

const HOURS = {
  anyTime: {},
  morning: { time_to: '12:00' },
  afternoon: { time_from: '12:00', time_to: '17:00' },
  evening: { time_from: '17:00' },
} satisfies Record<(typeof PARTS_OF_DAY)[number], object>

/** What is asked of a time, beside that it is free. */
export type Wish = {
  readonly from: LocalDate
  /** Empty: anybody. */
  readonly instructor_id: string
  /** Monday is 1; none: any. */
  readonly weekdays: readonly number[]
  readonly hours: (typeof PARTS_OF_DAY)[number]
  readonly order: 'fit' | 'time'
}

/** The lesson that a time is wanted for; with its id if it is stored and shall be moved. */
export type Sought = {
  readonly id?: string | undefined
  readonly student_id: string | null
  readonly lesson_type_id: string
  readonly minutes: number
}

/** What to ask the service for; undefined while the lesson has no type, or no possible length, or the search no first day. */
export function wantedFor(
  { id, student_id, lesson_type_id, minutes }: Sought,
  { from, instructor_id, weekdays, hours, order }: Wish,
  today: LocalDate,
): SlotsWanted | undefined {
  const { min, max } = APPOINTMENT_MINUTES
  if (lesson_type_id === '' || minutes < min || minutes > max || !isLocalDate(from)) return undefined
  return {
    lesson_type_id,
    minutes: String(minutes),
    order,
    ...HOURS[hours],
    ...(student_id !== null && { student_id }),
    ...(id !== undefined && { appointment_id: id }),
    ...(instructor_id !== '' && { instructor_id }),
    ...(weekdays.length > 0 && { weekdays: weekdays.toSorted().join(',') }),
    // Today begins now.
    ...(from > today && { from }),
  }
}
