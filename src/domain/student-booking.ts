import type { TimeOfDay } from './local-time.ts'
import { type PlannableType, practiceTypeIn } from './plan-asks.ts'
import type { RequirementProgress } from './progress.ts'

/** Students may do nothing, move their lessons, or book further ones as well. */
export const BOOKING_MODES = ['off', 'move', 'book'] as const
export type BookingMode = (typeof BOOKING_MODES)[number]

/** The categories of the lesson types that students may book. */
export const BOOKABLE: readonly string[] = ['practical', 'special']

/** The lessons that students may move and book on their page, and the bounds of the times that it offers. */
export type StudentBooking = {
  readonly mode: BookingMode
  /** The hours from now to the earliest start. */
  readonly notice_hours: number
  /** The days from now to the latest end. */
  readonly horizon_days: number
  readonly time_from: TimeOfDay
  readonly time_to: TimeOfDay
  /** The coming lessons that a student may have before no further one can be booked. */
  readonly lessons_ahead: number
  /** The types to book; null for the open special drives and ordinary practice. */
  readonly lesson_type_ids: readonly string[] | null
  /** Whether a time that leaves a useless remainder is offered only if no other is free. */
  readonly no_gaps: boolean
}

/** The bounds of a new school: instructors rely on the next day's plan, and without working hours are free at night, too. */
export const NO_STUDENT_BOOKING: StudentBooking = {
  mode: 'off',
  notice_hours: 24,
  horizon_days: 28,
  time_from: '07:00',
  time_to: '21:00',
  lessons_ahead: 3,
  lesson_type_ids: null,
  no_gaps: true,
}

type Allowing = { readonly students_may_move: boolean; readonly student_booking: StudentBooking }

/** Whether students may book. The previous release knows only `students_may_move`, and switches both off by it. */
export function mayBook({ students_may_move, student_booking }: Allowing): boolean {
  return students_may_move && student_booking.mode === 'book'
}

/** Returns the lesson types that a student may book now: the open special drives in the order of the class, then practice. */
export function bookableTypes<T extends PlannableType>(
  open: readonly RequirementProgress[],
  lessonTypes: ReadonlyMap<string, T>,
  { lesson_type_ids: ids }: Pick<StudentBooking, 'lesson_type_ids'>,
): readonly T[] {
  const special = open.flatMap(({ lesson_type_id }) => lessonTypes.get(lesson_type_id) ?? [])
  const practice = ids ? [...lessonTypes.values()] : [practiceTypeIn(lessonTypes)]
  const isNamed = ({ id }: T) => ids?.includes(id) !== false
  return [
    ...special.filter(({ category }) => category === 'special'),
    ...practice.flatMap((one) => (one?.category === 'practical' ? one : [])),
  ].filter(isNamed)
}
