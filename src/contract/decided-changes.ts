import { type Static, Type } from 'typebox'
import { dayOf } from '../domain/local-time.ts'
import { MAX_DAYS_OF_ABSENCE } from '../domain/ranges.ts'
import { decisionsFaultsFor } from './absence-decision.ts'
import { decisions } from './absence-plan.ts'
import { closureFaultsFor, type NewClosure, NewClosureSchema } from './closure.ts'
import * as example from './examples.ts'
import * as school from './examples-of-school.ts'
import * as field from './fields.ts'
import { type InstructorChange, InstructorChangeSchema, instructorFaultsFor } from './instructor.ts'
import type { Fault } from './problem.ts'

const kept = [{ appointment_id: example.appointment.id, version: 1, action: 'keep' }]

export const DecidedClosureSchema = field.closed(
  { ...NewClosureSchema.properties, decisions },
  {
    $id: 'DecidedClosure',
    description: 'Days on which the school is closed, and a decision on each lesson of these days.',
    examples: [{ ...school.newClosure, decisions: kept }],
  },
)
export type DecidedClosure = Static<typeof DecidedClosureSchema>

export const DecidedInstructorChangeSchema = field.closed(
  { ...InstructorChangeSchema.properties, decisions },
  {
    $id: 'DecidedInstructorChange',
    description: 'A change of an instructor, and a decision on each lesson of its plan.',
    examples: [{ max_daily_units: 6, decisions: kept }],
  },
)
export type DecidedInstructorChange = Static<typeof DecidedInstructorChangeSchema>

const active = Type.Literal(false, { description: 'Always false: the vehicle is no longer in use.' })

export const VehicleRetirementSchema = field.closed(
  { active },
  {
    $id: 'VehicleRetirement',
    description: 'A vehicle that is no longer in use.',
    examples: [{ active: false }],
  },
)

export const DecidedVehicleRetirementSchema = field.closed(
  { active, decisions },
  {
    $id: 'DecidedVehicleRetirement',
    description: 'A vehicle that is no longer in use, and a decision on each lesson of its plan.',
    examples: [{ active: false, decisions: kept }],
  },
)
export type DecidedVehicleRetirement = Static<typeof DecidedVehicleRetirementSchema>

/** Returns the faults of days to plan for: a wrong order, or too many days. */
export function closurePlanFaultsFor(closure: Partial<NewClosure>): readonly Fault[] {
  const { start_date, end_date } = closure
  const faults = closureFaultsFor(closure)
  if (faults.length > 0 || start_date === undefined || end_date === undefined) return faults
  if (dayOf(end_date) - dayOf(start_date) <= MAX_DAYS_OF_ABSENCE) return []
  const detail = `A closure with a plan ends at most ${MAX_DAYS_OF_ABSENCE} days after ${start_date}.`
  return [{ pointer: '/end_date', code: 'out_of_range', detail }]
}

/** Returns the faults of days and the decisions on their lessons. */
export function decidedClosureFaultsFor(
  { decisions, ...closure }: Partial<DecidedClosure>,
  timezone: string,
): readonly Fault[] {
  return [...closurePlanFaultsFor(closure), ...decisionsFaultsFor(decisions, timezone)]
}

/** Returns the faults of a change and the decisions on the lessons that it affects. */
export function decidedChangeFaultsFor(
  { decisions, ...change }: InstructorChange & Partial<Pick<DecidedInstructorChange, 'decisions'>>,
  timezone: string,
): readonly Fault[] {
  return [...instructorFaultsFor(change, timezone), ...decisionsFaultsFor(decisions, timezone)]
}

/** Returns the faults of the decisions on the lessons of a vehicle. */
export function decidedRetirementFaultsFor(
  { decisions }: Partial<DecidedVehicleRetirement>,
  timezone: string,
): readonly Fault[] {
  return decisionsFaultsFor(decisions, timezone)
}
