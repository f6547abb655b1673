import type { Appointment, AppointmentChange } from '../../contract/appointment.ts'
import { isCounted } from '../../domain/counted.ts'
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
import { type ActualTimes, endingAt } from '../lessons/done.ts'

/** The fields of a lesson that an instructor writes. Of a class, `attendees` lists only the students marked. */
export type Outcome = Pick<
  AppointmentChange,
  'status' | 'notes' | 'practised' | 'exam_result' | 'actual_start_at' | 'actual_end_at' | 'attendees'
>

type Marks = Appointment['attendees']

/** A function that records how a lesson goes or went. */
export type RecordOutcome = (lesson: Appointment, outcome: Outcome) => Promise<void>

/** Returns an outcome followed by another, which may mark other students. */
export function followedBy(before: Outcome, after: Outcome): Outcome {
  const { attendees: marks } = after
  const both = { ...before, ...after }
  if (!before.attendees || !marks) return both
  return { ...both, attendees: [...before.attendees.filter((one) => !markIn(marks, one)), ...marks] }
}

/** Returns the change of a lesson by an outcome, with all its present attendees. */
export function changeBy({ attendees: marks, ...others }: Outcome, lesson: Appointment): AppointmentChange {
  if (!marks) return others
  return { ...others, attendees: lesson.attendees.map((one) => markIn(marks, one) ?? one) }
}

function markIn(marks: Marks, { student_id }: Marks[number]): Marks[number] | undefined {
  return marks.find((mark) => mark.student_id === student_id)
}

type Times = Pick<Appointment, 'start_at' | 'end_at' | 'actual_start_at' | 'actual_end_at'>

/** The minutes before its start from which a lesson can be started. */
const EARLY_MINUTES = 30

/** Whether attendance can be recorded: from shortly before the class begins. */
export function canRecordAttendance(
  lesson: Pick<Appointment, 'start_at' | 'status'>,
  now: LocalDateTime,
): boolean {
  return isCounted(lesson) && minutesLater(lesson.start_at, -EARLY_MINUTES) <= now
}

/** The minutes after the end in which *Done* records the time. Later, the instructor is no longer in the car. */
const LATE_MINUTES = 30

/** Whether a lesson can be started: from shortly before its start until its end, if no start is recorded. */
export function canStart(lesson: Times & Pick<Appointment, 'status'>, now: LocalDateTime): boolean {
  const { status, start_at, end_at, actual_start_at } = lesson
  return (
    status === 'planned' &&
    actual_start_at === null &&
    minutesLater(start_at, -EARLY_MINUTES) <= now &&
    now < end_at
  )
}

/** Returns the actual times of a lesson that starts now, with the planned length. */
export function started(lesson: Times, now: LocalDateTime): Outcome {
  return { actual_start_at: now, actual_end_at: minutesLater(now, minutesOf(intervalOf(lesson))) }
}

/** Returns the outcome of a lesson that is done. If its start was recorded, it ends now, unless its expected end is long past. */
export function done({ actual_start_at, actual_end_at }: Times, now: LocalDateTime): Outcome {
  if (actual_start_at === null || actual_end_at === null) return { status: 'completed' }
  if (now > minutesLater(actual_end_at, LATE_MINUTES)) return { status: 'completed' }
  return { status: 'completed', actual_end_at: endingAt(now, actual_start_at) }
}

/** Turns times of day into actual times, each on the day nearest to the plan. */
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

/** Returns the initial times of a correction. */
export function actualTimes(lesson: Times): { readonly start: string; readonly end: string } {
  const { start_at, end_at, actual_start_at, actual_end_at } = lesson
  return { start: timeOf(actual_start_at ?? start_at), end: timeOf(actual_end_at ?? end_at) }
}
