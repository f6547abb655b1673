import { absenceRefusalFor, busyRefusalFor } from './absence.ts'
import {
  type Agenda,
  type ClosedDays,
  type InstructorRules,
  instructorAppointmentsOf,
  type Occupancy,
  type Proposal,
  type TimedAppointment,
  type TimedProposal,
  timed,
  timedByStart,
} from './agenda.ts'
import { OUTCOME_FIELDS } from './appointment-fields.ts'
import { availabilityRefusalFor } from './availability.ts'
import { breakRefusalFor } from './breaks.ts'
import { closureRefusalFor, holidayRefusalFor } from './closed-days.ts'
import { firstConflictFor, thingChecksFor } from './conflicts.ts'
import { isCounted } from './counted.ts'
import { fullRefusalFor } from './group.ts'
import { DAILY, dayLoadFor, type LoadOfDayAndWeek, tallyFor, WEEKLY, weekLoadFor } from './load.ts'
import { formerRefusalFor, tooManyRefusalFor } from './open-appointments.ts'
import type { Refusal, RefusalCode } from './refusal.ts'
import { continuousRefusalFor } from './stretch.ts'
import {
  dailyLimitRefusalFor,
  type OverrideUsed,
  overridesNeededFor,
  weeklyLimitRefusalFor,
} from './unit-limits.ts'
import { vacationRefusalFor } from './vacation.ts'

export type RuleResult = { readonly code: RefusalCode; readonly refusal: Refusal | undefined }

export type Verdict = {
  /** The results of all rules, in the documented order. */
  readonly checks: readonly RuleResult[]
  readonly refusals: readonly Refusal[]
  readonly overrides_used: readonly OverrideUsed[]
  /** The load of the start's day and ISO week, and the units that the proposal adds. */
  readonly load: LoadOfDayAndWeek
}

/** An agenda whose appointments are sorted by start, with their intervals. */
export type TimedAgenda = Omit<Agenda, 'occupied'> & {
  readonly occupied: readonly Occupancy<TimedAppointment>[]
}

export function verdictOn(proposal: Proposal, agenda: Agenda): Verdict {
  return verdictOnTimed(timed(proposal), timedAgendaOf(agenda))
}

export function timedAgendaOf(agenda: Agenda): TimedAgenda {
  const occupied = agenda.occupied.map((one) => ({ ...one, appointments: timedByStart(one.appointments) }))
  return { ...agenda, occupied }
}

/** Returns the verdict on a timed proposal. The agenda can be reused for many: parsing its times takes longest. */
export function verdictOnTimed(proposed: TimedProposal, agenda: TimedAgenda): Verdict {
  const { instructor, assumed } = agenda
  const verdict = verdictUnder(instructor, proposed, agenda)
  return assumed ? joinedVerdict(verdict, verdictUnder(assumed, proposed, agenda)) : verdict
}

/** Joins the verdicts under two sets of rules that must both be kept. The load is the first one's. */
function joinedVerdict(one: Verdict, other: Verdict): Verdict {
  const checks = one.checks.map(({ code, refusal }, index) => ({
    code,
    refusal: refusal ?? other.checks[index]?.refusal,
  }))
  const refusals = checks.flatMap(({ refusal }) => refusal ?? [])
  const used = [...one.overrides_used, ...other.overrides_used]
  const overrides_used = refusals.length > 0 ? [] : OVERRIDES.filter((override) => used.includes(override))
  return { checks, refusals, overrides_used, load: one.load }
}

const OVERRIDES: readonly OverrideUsed[] = ['daily', 'weekly']

const OPEN: ClosedDays = { closures: [] }

function verdictUnder(instructor: InstructorRules, proposed: TimedProposal, agenda: TimedAgenda): Verdict {
  const { unit_minutes, occupied, closed = OPEN, student_open } = agenda
  const appointments = instructorAppointmentsOf(agenda)
  const workload = { instructor, unit_minutes, appointments }
  const day = tallyFor(DAILY, proposed, workload)
  const week = tallyFor(WEEKLY, proposed, workload)
  const checks: readonly RuleResult[] = [
    { code: 'instructor_inactive', refusal: inactiveRefusalFor(instructor) },
    { code: 'instructor_busy', refusal: firstConflictFor('instructor_busy', proposed, occupied) },
    { code: 'full', refusal: agenda.group && fullRefusalFor(agenda.group) },
    { code: 'student_busy', refusal: firstConflictFor('student_busy', proposed, occupied) },
    { code: 'public_holiday', refusal: holidayRefusalFor(proposed, closed) },
    { code: 'school_closed', refusal: closureRefusalFor(proposed, closed) },
    {
      code: 'instructor_on_vacation',
      refusal:
        vacationRefusalFor(proposed, instructor.vacations) ??
        absenceRefusalFor(proposed, instructor.absences),
    },
    {
      code: 'instructor_busy_elsewhere',
      refusal: busyRefusalFor(proposed, instructor.busy_times, agenda.busy_calendars),
    },
    {
      code: 'outside_availability',
      refusal: availabilityRefusalFor(proposed, instructor.availability_windows),
    },
    { code: 'daily_limit_exceeded', refusal: dailyLimitRefusalFor(day) },
    { code: 'weekly_limit_exceeded', refusal: weeklyLimitRefusalFor(week) },
    { code: 'break_too_short', refusal: breakRefusalFor(proposed, appointments, instructor) },
    {
      code: 'continuous_minutes_exceeded',
      refusal: continuousRefusalFor(proposed, appointments, instructor),
    },
    { code: 'too_many_appointments', refusal: tooManyRefusalFor(student_open) },
    { code: 'student_archived', refusal: formerRefusalFor(proposed.source, agenda.former) },
    ...thingChecksFor(proposed, occupied),
  ]
  const refusals = checks.flatMap(({ refusal }) => refusal ?? [])
  return {
    checks,
    refusals,
    overrides_used: refusals.length > 0 ? [] : overridesNeededFor(day, week),
    load: { day: dayLoadFor(day), week: weekLoadFor(week) },
  }
}

/** Returns the first rule that the proposal breaks, or undefined if it may be booked. */
export function refusalFor(proposal: Proposal, agenda: Agenda): Refusal | undefined {
  return verdictOn(proposal, agenda).refusals[0]
}

function inactiveRefusalFor({ id, active }: InstructorRules): Refusal | undefined {
  return active ? undefined : { code: 'instructor_inactive', params: { instructor_id: id } }
}

/** The fields that no rule depends on. */
export const UNCHECKED_FIELDS: ReadonlySet<string> = new Set([
  ...OUTCOME_FIELDS,
  'enrolment_id',
  'pickup_place',
  'topic',
  'location_id',
  'confirmed_at',
  'no_show_fee_percent',
])

/** Whether the rules apply to a change: not if the lesson is then cancelled, nor if only `UNCHECKED_FIELDS` of a counted one change. */
export function isCheckedByRules(
  change: { readonly status?: string },
  stored: { readonly status: string },
): boolean {
  if (!isCounted({ status: change.status ?? stored.status })) return false
  return !isCounted(stored) || Object.keys(change).some((name) => !UNCHECKED_FIELDS.has(name))
}
