import type { Appointment } from '../../contract/appointment.ts'
import type { LessonType } from '../../contract/lesson-type.ts'
import type { Progress } from '../../contract/progress.ts'
import { intervalOf, minutesOf } from '../../domain/interval.ts'
import {
  dateOf,
  dayOf,
  daysLater,
  type LocalDate,
  localDateTimeFor,
  MINUTES_PER_DAY,
  minuteOf,
  minuteOfDay,
  timeOf,
} from '../../domain/local-time.ts'
import type { SlotsQuery } from '../data/slots.ts'

type Types = ReadonlyMap<string, LessonType>

/** The type and length of a student's next lesson. */
export type NextLesson = { readonly type: LessonType; readonly minutes: number }

/** Returns the same type as long as the student needs it, else the first drive that is still needed, else the same again. */
export function nextLessonAfter(
  lesson: Appointment,
  progress: Progress | undefined,
  types: Types,
): NextLesson | undefined {
  const open = (progress?.requirements ?? []).filter(({ open_units }) => open_units > 0)
  const drives = open.filter(({ lesson_type_id }) => types.get(lesson_type_id)?.category !== 'theory')
  const isOpen = drives.some(({ lesson_type_id }) => lesson_type_id === lesson.lesson_type_id)
  const id = isOpen ? lesson.lesson_type_id : (drives[0]?.lesson_type_id ?? lesson.lesson_type_id)
  const type = types.get(id)
  if (!type) return undefined
  return {
    type,
    minutes: id === lesson.lesson_type_id ? minutesOf(intervalOf(lesson)) : type.default_minutes,
  }
}

/** The days after the lesson, or from today, in which to search, and the minutes around its time of day. */
const DAYS_SEARCHED = 21
const MINUTES_AROUND = 60

type Context = { readonly own: string; readonly today: LocalDate }

/** Returns the search for the times of the next lesson, around the hour of this one unless it must be dark. */
export function nextTimesQuery(
  lesson: Appointment,
  { type, minutes }: NextLesson,
  { own, today }: Context,
): SlotsQuery {
  const from = firstDay(lesson, today)
  const start = minuteOfDay(timeOf(lesson.start_at))
  const around = {
    time_from: clock(Math.max(0, start - MINUTES_AROUND)),
    time_to: clock(Math.min(MINUTES_PER_DAY - 1, start + minutes + MINUTES_AROUND)),
  }
  const [vehicle_id, ...more] = lesson.vehicle_ids
  return {
    lesson_type_id: type.id,
    minutes: String(minutes),
    order: 'time',
    instructor_ids: [own],
    from,
    to: daysLater(from, DAYS_SEARCHED - 1),
    ...(lesson.student_id !== null && { student_id: lesson.student_id }),
    ...(!type.only_in_the_dark && around),
    ...(vehicle_id !== undefined && more.length === 0 && { vehicle_id }),
  }
}

type Time = Pick<Appointment, 'start_at' | 'end_at'>

const PROPOSED = 3
/** The penalty of a proposed time, in minutes of distance from the hour of the lesson. */
const OTHER_WEEKDAY = 120
const EACH_DAY_FROM_A_WEEK = 8

/** Returns the three times most like the lesson a week later, on different days if possible, the most alike first. */
export function nextTimes<Free extends Time>(
  free: readonly Free[],
  lesson: Time,
  today: LocalDate,
): readonly Free[] {
  const aWeekLater = weekAfter(lesson, today)
  const start = minuteOfDay(timeOf(lesson.start_at))
  const loss = ({ start_at }: Free) => {
    const days = dayOf(start_at) - aWeekLater
    const hours = Math.abs(minuteOfDay(timeOf(start_at)) - start)
    return hours + (days % 7 === 0 ? 0 : OTHER_WEEKDAY) + Math.abs(days) * EACH_DAY_FROM_A_WEEK
  }
  const alike = free.toSorted((a, b) => loss(a) - loss(b))
  const ofEachDay = [...Map.groupBy(alike, ({ start_at }) => dateOf(start_at)).values()].flatMap(
    ([first]) => first ?? [],
  )
  const chosen: Free[] = []
  for (const time of [...ofEachDay.slice(0, PROPOSED), ...alike]) {
    const isApart = chosen.every((one) => time.end_at <= one.start_at || time.start_at >= one.end_at)
    if (isApart && chosen.length < PROPOSED) chosen.push(time)
  }
  return chosen
}

function firstDay({ start_at }: Time, today: LocalDate): LocalDate {
  const next = daysLater(dateOf(start_at), 1)
  return next > today ? next : today
}

/** Returns the lesson's weekday at least a week later, and not before tomorrow. */
function weekAfter({ start_at }: Time, today: LocalDate): number {
  let day = dayOf(start_at) + 7
  while (day <= dayOf(`${today} 00:00`)) day += 7
  return day
}

function clock(minute: number): string {
  return timeOf(localDateTimeFor(minuteOf('2024-01-01 00:00') + minute))
}
