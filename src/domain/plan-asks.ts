import { type AvailableTime, timesOfWish } from './available-times.ts'
import type { Darkness } from './daylight.ts'
import type { Wish } from './gaps.ts'
import type { Interval } from './interval.ts'
import {
  type Day,
  dayOf,
  type LocalDate,
  localDateFor,
  MINUTES_PER_DAY,
  midnightOf,
  minuteOfDay,
  weekStartOf,
} from './local-time.ts'
import { type DayRange, weeksIn } from './numbers.ts'
import type { PlanAsk, PlanLessonType, PlanWindow } from './plan-problem.ts'
import type { RequirementProgress } from './progress.ts'

/** The answer of a student for a week, in place of the wishes. */
export type PlannedAvailability = {
  readonly week_start: LocalDate
  readonly lessons: number
  /** The hours; null for those of the wishes. */
  readonly windows: readonly AvailableTime[] | null
}

/** A student who is planned, as of the first planned day. */
export type PlannedStudent = {
  readonly student_id: string
  /** The number of lessons that the student wants in a week; null means one. */
  readonly lessons_per_week: number | null
  /** The lessons booked in each ISO week, by its Monday. */
  readonly booked: Readonly<Record<LocalDate, number>>
  /** The day of the last lesson before the plan, or of the enrolment. */
  readonly since: LocalDate
  readonly has_exam: boolean
  readonly wishes: readonly Wish[]
  readonly availability: readonly PlannedAvailability[]
}

/** Hours of a day, with the wish that they are from. */
export type StudentWindow = Interval & {
  readonly minutes: number
  readonly wish: Wish | null
}

type Asking = {
  readonly range: DayRange
  /** Returns the lesson types for the lessons of a week in some hours, in their order. */
  readonly typesFor: (window: StudentWindow, lessons: number) => readonly PlanLessonType[]
}

/** Returns an ask for each ISO week of the range in which the student has hours. */
export function asksOf(student: PlannedStudent, { range, typesFor }: Asking): readonly PlanAsk[] {
  const { student_id, lessons_per_week, has_exam, since } = student
  return weeksIn(range).flatMap(({ first, last }) => {
    const week_start = localDateFor(weekStartOf(first))
    const answer = student.availability.find((one) => one.week_start === week_start)
    const times =
      answer?.windows?.map((one) => ({ ...one, wish: null })) ?? timesOfWishes(student.wishes, week_start)
    const hours = times
      .filter(({ date }) => dayOf(date) >= first && dayOf(date) <= last)
      .map(({ date, minutes, wish, ...time }) => ({ ...intervalOn(dayOf(date), time), minutes, wish }))
    if (hours.length === 0) return []
    const booked = student.booked[week_start] ?? 0
    const lessons = Math.max(0, (answer?.lessons ?? lessons_per_week ?? 1) - booked)
    const windows = hours.map((one): PlanWindow => {
      const { wish, ...hour } = one
      return { ...hour, wish_id: wish?.id ?? null, types: typesFor(one, lessons) }
    })
    const waited_weeks = Math.max(0, dayOf(range.from) - dayOf(since)) / 7
    return { student_id, lessons, booked, waited_weeks, has_exam, windows }
  })
}

function timesOfWishes(wishes: readonly Wish[], week_start: LocalDate) {
  return wishes.flatMap((wish) => timesOfWish(wish, week_start).map((time) => ({ ...time, wish })))
}

export function intervalOn(
  day: Day,
  { time_from, time_to }: Pick<AvailableTime, 'time_from' | 'time_to'>,
): Interval {
  const midnight = midnightOf(day)
  const to = time_to === '24:00' ? MINUTES_PER_DAY : minuteOfDay(time_to)
  return { start: midnight + minuteOfDay(time_from), end: midnight + to }
}

export type PlannableType = {
  readonly id: string
  readonly category: string
  readonly default_minutes: number
  readonly only_in_the_dark: boolean
}

type Drives<T> = {
  readonly lessonTypes: ReadonlyMap<string, T>
  readonly unit_minutes: number
  readonly darkness: Darkness | undefined
}

/**
 * Returns the types of the student's next drives in some hours: the open special drives, as often as they are open, if the
 * hours are long and dark enough, and then ordinary practice.
 */
export function drivesIn<T extends PlannableType>(
  { minutes, ...hours }: Pick<StudentWindow, 'minutes' | 'start' | 'end'>,
  open: readonly RequirementProgress[],
  { lessonTypes, unit_minutes, darkness }: Drives<T>,
): readonly T[] {
  const units = Math.max(1, Math.floor(minutes / unit_minutes))
  const special = open.flatMap(({ lesson_type_id, open_units, min_one_block_units }) => {
    const type = lessonTypes.get(lesson_type_id)
    if (type?.category !== 'special') return []
    const isLongEnough = minutes >= Math.min(type.default_minutes, (min_one_block_units ?? 1) * unit_minutes)
    const isDarkEnough = !type.only_in_the_dark || !darkness || hasDark(hours, minutes, darkness)
    return isLongEnough && isDarkEnough
      ? Array.from({ length: Math.ceil(open_units / units) }, () => type)
      : []
  })
  const practice = practiceTypeIn(lessonTypes)
  return practice ? [...special, practice] : special
}

function hasDark({ start, end }: Interval, minutes: number, darkness: Darkness): boolean {
  const night = darkness.nightFrom(start)
  return night !== undefined && Math.min(night.end, end) - Math.max(night.start, start) >= minutes
}

/** Returns the ordinary practice of a school: ids sort by the order of the country's pack. */
export function practiceTypeIn<T extends PlannableType>(lessonTypes: ReadonlyMap<string, T>): T | undefined {
  const practical = [...lessonTypes.values()].filter(({ category }) => category === 'practical')
  return practical.toSorted((a, b) => (a.id < b.id ? -1 : 1))[0]
}
