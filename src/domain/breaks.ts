import type { BreakRule, TimedAppointment, TimedProposal } from './agenda.ts'
import type { Interval } from './interval.ts'
import type { Refusal } from './refusal.ts'

/** Checks rule 7: the breaks to the nearest appointments are long enough. Expects appointments sorted by start. */
export function breakRefusalFor(
  proposed: TimedProposal,
  appointments: readonly TimedAppointment[],
  { required_break_minutes }: BreakRule,
): Refusal | undefined {
  const { before, after } = neighboursOf(proposed, appointments)
  return (
    shortBreak(before, before && proposed.start - before.end, required_break_minutes) ??
    shortBreak(after, after && after.start - proposed.end, required_break_minutes)
  )
}

/** Returns the nearest appointments before and after the proposal that do not overlap it. Expects them sorted by start. */
export function neighboursOf(
  proposed: Interval,
  appointments: readonly TimedAppointment[],
): { readonly before: TimedAppointment | undefined; readonly after: TimedAppointment | undefined } {
  let before: TimedAppointment | undefined
  for (const appointment of appointments) {
    if (appointment.start >= proposed.end) return { before, after: appointment }
    if (appointment.end <= proposed.start && !(before && before.end >= appointment.end)) before = appointment
  }
  return { before, after: undefined }
}

function shortBreak(
  neighbour: TimedAppointment | undefined,
  gapMinutes: number | undefined,
  requiredMinutes: number,
): Refusal | undefined {
  if (neighbour === undefined || gapMinutes === undefined || gapMinutes >= requiredMinutes) return undefined
  return {
    code: 'break_too_short',
    params: {
      gap_minutes: gapMinutes,
      required_minutes: requiredMinutes,
      appointment_id: neighbour.source.id,
    },
  }
}
