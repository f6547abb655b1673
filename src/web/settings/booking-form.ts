import { BOOKING_HORIZON_DAYS, BOOKING_NOTICE_HOURS, LESSONS_AHEAD, type Range } from '../../domain/ranges.ts'
import type { StudentBooking } from '../../domain/student-booking.ts'

/** The fields for numbers, in their order. */
export const BOUNDS = {
  notice_hours: BOOKING_NOTICE_HOURS,
  horizon_days: BOOKING_HORIZON_DAYS,
  lessons_ahead: LESSONS_AHEAD,
} as const satisfies Partial<Record<keyof StudentBooking, Range>>

/** The bounds for students; numbers and times are empty while they are invalid. */
export type BookingForm = Omit<StudentBooking, keyof typeof BOUNDS> &
  Readonly<Record<keyof typeof BOUNDS, number | ''>>

export function bookingIn(form: BookingForm): StudentBooking {
  return {
    ...form,
    notice_hours: Number(form.notice_hours),
    horizon_days: Number(form.horizon_days),
    lessons_ahead: Number(form.lessons_ahead),
  }
}

/** Whether the last time is after the first one. */
export function areHours({ time_from, time_to }: BookingForm): boolean {
  return time_from !== '' && time_to !== '' && time_from < time_to
}

/** Whether the horizon is beyond the notice. */
export function isBeyondNotice({ notice_hours, horizon_days }: BookingForm): boolean {
  return notice_hours === '' || horizon_days === '' || horizon_days * 24 > notice_hours
}

export function isWholeBooking(form: BookingForm): boolean {
  const names = Object.keys(BOUNDS) as (keyof typeof BOUNDS)[]
  return names.every((name) => form[name] !== '') && areHours(form) && isBeyondNotice(form)
}
