import { type Interval, intervalOf } from './interval.ts'
import {
  dayOf,
  type LocalDate,
  type LocalDateTime,
  MINUTES_PER_DAY,
  minuteOf,
  minuteOfDay,
  minutesLater,
  type TimeOfDay,
  timeOf,
  weekdayOf,
} from './local-time.ts'

export type Gap = {
  readonly instructor_id: string
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
}

export type Wish = {
  /** Null for a time at which the student can come in that week, which stands in place of the wishes. */
  readonly id: string | null
  readonly weekdays: readonly number[] | null
  readonly time_from: TimeOfDay | null
  readonly time_to: TimeOfDay | null
  readonly minutes: number
  readonly lesson_type_id: string | null
  readonly instructor_id: string | null
  readonly from: LocalDate | null
  readonly until: LocalDate | null
}

/** A student who may be waiting for a lesson. */
export type WaitingStudent = {
  readonly student_id: string
  /** The end of the last lesson, or the enrolment. */
  readonly since: LocalDateTime
  readonly wishes: readonly Wish[]
}

/** A student, with the wishes that a gap fulfils, the longest lesson first; `undefined` if the student has none at all. */
export type StudentWithWishes<Student extends WaitingStudent> = {
  readonly student: Student
  readonly wishes: readonly Wish[] | undefined
}

/** Whether a lesson of the wish's length at the start of the gap would fulfil the wish. */
export function fitsWish(wish: Wish, { instructor_id, start_at, end_at }: Gap): boolean {
  const { weekdays, time_from, time_to, minutes, until } = wish
  const day = dayOf(start_at)
  const from = minuteOfDay(timeOf(start_at))
  return (
    minutes <= minuteOf(end_at) - minuteOf(start_at) &&
    (wish.instructor_id === null || wish.instructor_id === instructor_id) &&
    (weekdays === null || weekdays.includes(weekdayOf(day))) &&
    (wish.from === null || day >= dayOf(wish.from)) &&
    (until === null || day <= dayOf(until)) &&
    (time_from === null || from >= minuteOfDay(time_from)) &&
    (time_to === null || from + minutes <= endOfDayTime(time_to))
  )
}

/** Whether an offered lesson fulfils the wish; it may be longer. */
export function answersWish(wish: Wish, offered: Gap & { readonly lesson_type_id: string }): boolean {
  const isType = wish.lesson_type_id === null || wish.lesson_type_id === offered.lesson_type_id
  return isType && fitsWish(wish, offered)
}

function endOfDayTime(time: TimeOfDay): number {
  return time === '24:00' ? MINUTES_PER_DAY : minuteOfDay(time)
}

/** Returns the students with a wish that the gap fulfils, and those without any wish. */
export function studentsFor<Student extends WaitingStudent>(
  gap: Gap,
  students: readonly Student[],
): readonly StudentWithWishes<Student>[] {
  return students.flatMap((student): StudentWithWishes<Student>[] => {
    if (student.wishes.length === 0) return [{ student, wishes: undefined }]
    const fitting = student.wishes.filter((one) => fitsWish(one, gap))
    const wishes = fitting.toSorted((a, b) => b.minutes - a.minutes || compare(a.id ?? '', b.id ?? ''))
    return wishes.length > 0 ? [{ student, wishes }] : []
  })
}

/** Ranks students with a fitting wish before those without any; the longest waiting first. */
export function ranked<Student extends WaitingStudent>(
  asking: readonly StudentWithWishes<Student>[],
): readonly StudentWithWishes<Student>[] {
  return asking.toSorted(
    (a, b) =>
      Number(a.wishes === undefined) - Number(b.wishes === undefined) ||
      compare(a.student.since, b.student.since) ||
      compare(a.student.student_id, b.student.student_id),
  )
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

export function lessonIn(gap: Gap, minutes: number): Interval & Pick<Gap, 'start_at' | 'end_at'> {
  const times = { start_at: gap.start_at, end_at: minutesLater(gap.start_at, minutes) }
  return { ...times, ...intervalOf(times) }
}
