import type { Agenda, Proposal, Timed } from './agenda.ts'
import { availabilityRefusalFor } from './availability.ts'
import { breakRefusalFor, continuousRefusalFor } from './breaks.ts'
import { instructorConflictFor, studentConflictFor } from './conflicts.ts'
import { intervalOf } from './interval.ts'
import type { Refusal } from './refusal.ts'
import {
  dailyLimitRefusalFor,
  type OverrideUsed,
  overridesNeededFor,
  weeklyLimitRefusalFor,
} from './unit-limits.ts'
import { vacationRefusalFor } from './vacation.ts'

/** The first rule that the proposal breaks, in the order of the interface; nothing if it may be booked. */
export function refusalFor(proposal: Proposal, agenda: Agenda): Refusal | undefined {
  const { instructor } = agenda
  const proposed = timed(proposal)
  const ofInstructor = sortedByStart(agenda.instructor_appointments)
  const ofStudent = sortedByStart(agenda.student_appointments)
  return (
    inactiveRefusalFor(agenda) ??
    instructorConflictFor(proposed, ofInstructor) ??
    studentConflictFor(proposed, ofStudent) ??
    vacationRefusalFor(proposed, instructor.vacations) ??
    availabilityRefusalFor(proposed, instructor.availability_windows) ??
    dailyLimitRefusalFor(proposed, ofInstructor, agenda) ??
    weeklyLimitRefusalFor(proposed, ofInstructor, agenda) ??
    breakRefusalFor(proposed, ofInstructor, instructor) ??
    continuousRefusalFor(proposed, ofInstructor, instructor)
  )
}

/** What the rules say of a proposal. */
export type Verdict = {
  readonly refusals: readonly Refusal[]
  readonly overrides_used: readonly OverrideUsed[]
}

export function verdictOn(proposal: Proposal, agenda: Agenda): Verdict {
  const refusal = refusalFor(proposal, agenda)
  return {
    refusals: refusal ? [refusal] : [],
    overrides_used: refusal ? [] : overridesUsedBy(proposal, agenda),
  }
}

/** Fields that say nothing of when and with whom. */
const UNRULED = new Set(['status', 'notes'])

/** Whether a change of a stored appointment is asked about: not where it is or becomes cancelled, nor of status and notes alone. */
export function asksTheRules(
  change: { readonly status?: string },
  stored: { readonly status: string },
): boolean {
  if ((change.status ?? stored.status) === 'cancelled') return false
  return stored.status === 'cancelled' || Object.keys(change).some((name) => !UNRULED.has(name))
}

/** The overrides that an accepted proposal draws on, for its `overrides_used`. */
export function overridesUsedBy(proposal: Proposal, agenda: Agenda): readonly OverrideUsed[] {
  return overridesNeededFor(timed(proposal), sortedByStart(agenda.instructor_appointments), agenda)
}

function inactiveRefusalFor({ instructor }: Agenda): Refusal | undefined {
  if (instructor.active) return undefined
  return { code: 'instructor_inactive', params: { instructor_id: instructor.id } }
}

function timed<T extends Proposal>(source: T): Timed<T> {
  return { ...intervalOf(source), source }
}

function sortedByStart<T extends Proposal>(appointments: readonly T[]): readonly Timed<T>[] {
  return appointments.map(timed).toSorted((a, b) => a.start - b.start)
}
