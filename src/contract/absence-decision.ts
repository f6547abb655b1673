import { type Static, Type } from 'typebox'
import { appointmentFaultsFor } from './appointment.ts'
import { DecidedCancellation } from './cancellation.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'
import type { Fault } from './problem.ts'

const decided = {
  appointment_id: field.described(field.Id, 'The appointment.'),
  version: Type.Integer({
    minimum: 1,
    description: 'The version of the appointment that the decision is based on.',
  }),
  action: Type.Enum(['take_over', 'other_vehicle', 'move', 'cancel', 'keep'], {
    description:
      '`take_over`: another instructor teaches at the same time; `other_vehicle`: other vehicles at the same time; `move`: another time, and another instructor or other vehicles if they are named; `cancel`; `keep`: nothing changes.',
  }),
}
const place = {
  instructor_id: field.described(field.Id, 'The instructor who takes over, or teaches at the other time.'),
  start_at: field.described(field.LocalDateTime, 'The start of a `move`.'),
  end_at: field.described(field.LocalDateTime, 'The end of a `move`.'),
  vehicle_ids: field.described(field.VehicleIds, 'The vehicles that the lesson has instead.'),
  cancellation: DecidedCancellation,
}
const ABOUT_DECISIONS = 'The decision on a lesson that a change affects.'
const decisionExamples = [
  {
    appointment_id: example.appointment.id,
    version: 1,
    action: 'take_over',
    instructor_id: example.instructor.id,
  },
]

/** The decision on a lesson that a change affects. */
export const AbsenceDecisionSchema = field.closed(
  { ...decided, ...field.optionals(place) },
  { $id: 'AbsenceDecision', description: ABOUT_DECISIONS, examples: decisionExamples },
)
export type AbsenceDecision = Static<typeof AbsenceDecisionSchema>

/** A decision as clients send it: fields that do not belong to the action may be null. */
export const NewAbsenceDecisionSchema = field.closed(
  {
    ...decided,
    ...field.optionals({
      instructor_id: field.nullable(place.instructor_id),
      start_at: field.nullable(place.start_at),
      end_at: field.nullable(place.end_at),
      vehicle_ids: field.nullable(place.vehicle_ids),
      cancellation: field.nullable(place.cancellation),
    }),
  },
  {
    $id: 'NewAbsenceDecision',
    description: `${ABOUT_DECISIONS} A field that does not belong to the action may be left out or null.`,
    examples: decisionExamples,
  },
)
export type NewAbsenceDecision = Static<typeof NewAbsenceDecisionSchema>

const FIELDS = {
  take_over: { needed: ['instructor_id'], allowed: [] },
  other_vehicle: { needed: ['vehicle_ids'], allowed: [] },
  move: { needed: ['start_at', 'end_at'], allowed: ['instructor_id', 'vehicle_ids'] },
  cancel: { needed: [], allowed: ['cancellation'] },
  keep: { needed: [], allowed: [] },
} as const satisfies Record<
  AbsenceDecision['action'],
  { needed: readonly string[]; allowed: readonly string[] }
>

/** Returns the faults of decisions: lessons with two of them, and the faults of each. */
export function decisionsFaultsFor(
  decisions: readonly NewAbsenceDecision[] = [],
  timezone: string,
): readonly Fault[] {
  const seen = new Set<string>()
  return decisions.flatMap((decision, at) => {
    const isTwice = seen.has(decision.appointment_id)
    seen.add(decision.appointment_id)
    const twice = {
      pointer: '/appointment_id',
      code: 'duplicate',
      detail: 'There is a decision on it already.',
    }
    return [...(isTwice ? [twice] : []), ...decisionFaultsFor(decision, timezone)].map((fault) => ({
      ...fault,
      pointer: `/decisions/${at}${fault.pointer}`,
    }))
  })
}

/** Returns the faults of one decision: fields of another action, missing fields, and nonexistent times. */
function decisionFaultsFor(decision: NewAbsenceDecision, timezone: string): readonly Fault[] {
  return [...fieldFaults(decision), ...timeFaults(decision, timezone)]
}

function fieldFaults(decision: NewAbsenceDecision): readonly Fault[] {
  const { appointment_id: _, version: __, action, ...fields } = decision
  const given = Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [name]))
  const needed: readonly string[] = FIELDS[action].needed
  const allowed: readonly string[] = [...needed, ...FIELDS[action].allowed]
  return [
    ...needed
      .filter((name) => !given.includes(name))
      .map((name) => ({ pointer: `/${name}`, code: 'required', detail: `${action} needs ${name}.` })),
    ...given
      .filter((name) => !allowed.includes(name))
      .map((name) => ({ pointer: `/${name}`, code: 'not_allowed', detail: `${action} takes no ${name}.` })),
  ]
}

function timeFaults({ start_at, end_at }: NewAbsenceDecision, timezone: string): readonly Fault[] {
  return appointmentFaultsFor({ ...(start_at && { start_at }), ...(end_at && { end_at }) }, timezone)
}
