import type { Appointment, AppointmentChange } from '../../contract/appointment.ts'
import { intervalOf, minutesOf } from '../../domain/interval.ts'
import {
  dateOf,
  type LocalDateTime,
  MINUTES_PER_DAY,
  minuteOf,
  minutesLater,
  type TimeOfDay,
  timeOf,
} from '../../domain/local-time.ts'

/** The fields of a lesson that an instructor writes. */
export type Noted = Pick<
  AppointmentChange,
  'status' | 'notes' | 'practised' | 'actual_start_at' | 'actual_end_at'
>

/** Records how a lesson goes or went. */
export type Mark = (lesson: Appointment, noted: Noted) => Promise<void>

type Times = Pick<Appointment, 'start_at' | 'end_at' | 'actual_start_at' | 'actual_end_at'>

/** The minutes before its start from which a lesson can be started. */
const EARLY_MINUTES = 30

/** The minutes after the end until which pressing Done records the time: later the instructor is no longer in the car. */
const LATE_MINUTES = 30

/** The next-to-nothing that a lesson lasts at least. */
const SHORTEST_MINUTES = 1

const NEVER = { actual_start_at: null, actual_end_at: null } as const

/** Whether a lesson is about to begin, or should have, and nobody has said when it did. */
export function canStart(lesson: Times & Pick<Appointment, 'status'>, now: LocalDateTime): boolean {
  const { status, start_at, end_at, actual_start_at } = lesson
  return (
    status === 'planned' &&
    actual_start_at === null &&
    minutesLater(start_at, -EARLY_MINUTES) <= now &&
    now < end_at
  )
}

/** It begins now, and will last as long as planned. */
export function started(lesson: Times, now: LocalDateTime): Noted {
  return { actual_start_at: now, actual_end_at: minutesLater(now, minutesOf(intervalOf(lesson))) }
}

/** It is done. Who has said when it began has it end now; who has not, or says it late, when it was to end. */
export function done({ actual_start_at, actual_end_at }: Times, now: LocalDateTime): Noted {
  if (actual_start_at === null || actual_end_at === null) return { status: 'completed' }
  if (now > minutesLater(actual_end_at, LATE_MINUTES)) return { status: 'completed' }
  const soonest = minutesLater(actual_start_at, SHORTEST_MINUTES)
  return { status: 'completed', actual_end_at: now > soonest ? now : soonest }
}

/** Nobody came, or nothing has happened yet: then there are no actual times either. */
export function without(lesson: Times, status: 'no_show' | 'planned'): Noted {
  return lesson.actual_start_at === null ? { status } : { status, ...NEVER }
}

type ActualTimes = { readonly actual_start_at: LocalDateTime; readonly actual_end_at: LocalDateTime }

/** Returns times of day as the actual times of a lesson, each on the day that is nearest to the plan. */
export function correctedTo(
  lesson: Times,
  times: { readonly start: TimeOfDay; readonly end: TimeOfDay },
): ActualTimes {
  return {
    actual_start_at: nearestTo(lesson.start_at, times.start),
    actual_end_at: nearestTo(lesson.end_at, times.end),
  }
}

function nearestTo(planned: LocalDateTime, time: TimeOfDay): LocalDateTime {
  const sameDay = `${dateOf(planned)} ${time}`
  const ahead = minuteOf(sameDay) - minuteOf(planned)
  if (Math.abs(ahead) <= MINUTES_PER_DAY / 2) return sameDay
  return minutesLater(sameDay, ahead > 0 ? -MINUTES_PER_DAY : MINUTES_PER_DAY)
}

/** The times of day with which a correction begins. */
export function timesOf(lesson: Times): { readonly start: string; readonly end: string } {
  const { start_at, end_at, actual_start_at, actual_end_at } = lesson
  return { start: timeOf(actual_start_at ?? start_at), end: timeOf(actual_end_at ?? end_at) }
}
