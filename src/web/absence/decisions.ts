import type { AbsenceDecision } from '../../contract/absence-decision.ts'
import type { Slot } from '../../contract/slot.ts'
import type { AbsenceLadder } from '../data/absences.ts'
import type { AbsenceCause } from './causes.ts'
import type { AbsencePlanLesson, DecidedLesson, Decisions } from './draft.ts'

export const DECISION_ACTIONS = ['take_over', 'other_vehicle', 'move', 'cancel', 'keep'] as const
export type DecisionAction = AbsenceDecision['action']

/** Returns `open` if there is no decision, `changed` if it is for an earlier version of the lesson, otherwise `decided`. */
export function decisionStateOf(
  { appointment }: AbsencePlanLesson,
  decisions: Decisions,
): 'open' | 'changed' | 'decided' {
  const decision = decisions[appointment.id]
  if (!decision) return 'open'
  return decision.version === appointment.version ? 'decided' : 'changed'
}

/** Returns the slots of an action. */
export function slotsFor(planned: AbsencePlanLesson, action: DecisionAction): readonly Slot[] {
  return action === 'cancel' || action === 'keep' ? [] : planned[action]
}

/** Returns the decision for an action: the proposal if it has that action, otherwise the first slot. */
export function decisionFor(
  planned: AbsencePlanLesson,
  action: DecisionAction,
  { reason }: Pick<AbsenceCause, 'reason'>,
): AbsenceDecision {
  const { proposal } = planned
  if (action === proposal.action) return proposed(planned, reason)
  const [slot] = slotsFor(planned, action)
  if (slot) return decisionOn(planned, action, slot)
  return { ...basisOf(planned), action, ...cancellationOf(action, reason) }
}

/** Returns the decision to use a slot. */
export function decisionOn(planned: AbsencePlanLesson, action: DecisionAction, slot: Slot): AbsenceDecision {
  const { instructor_id, start_at, end_at } = slot
  const basis = { ...basisOf(planned), action }
  if (action === 'take_over') return { ...basis, instructor_id }
  if (action === 'other_vehicle') return { ...basis, vehicle_ids: slot.vehicle_ids }
  const { appointment } = planned
  return {
    ...basis,
    start_at,
    end_at,
    ...(instructor_id !== appointment.instructor_id && { instructor_id }),
    ...(slot.vehicle_ids.join() !== appointment.vehicle_ids.join() && { vehicle_ids: slot.vehicle_ids }),
  }
}

/** Returns the slot of a decision; undefined if it is no longer offered or the decision needs none. */
export function chosenSlotFor(planned: AbsencePlanLesson, decision: AbsenceDecision): Slot | undefined {
  const { instructor_id, start_at, vehicle_ids } = { ...planned.appointment, ...decision }
  return slotsFor(planned, decision.action).find(
    (slot) =>
      slot.instructor_id === instructor_id &&
      slot.start_at === start_at &&
      slot.vehicle_ids.join() === vehicle_ids.join(),
  )
}

/** Returns the decisions, with the proposal for each lesson that is not `decided`. */
export function withProposals(
  plan: readonly AbsencePlanLesson[],
  decisions: Decisions,
  { reason }: Pick<AbsenceCause, 'reason'>,
): Decisions {
  const open = plan.filter((planned) => decisionStateOf(planned, decisions) !== 'decided')
  return {
    ...decisions,
    ...Object.fromEntries(open.map((one) => [one.appointment.id, proposed(one, reason)])),
  }
}

/** Returns the decisions of a step on the lessons of the plan. */
export function decisionsOf(
  step: AbsenceLadder[number],
  plan: readonly AbsencePlanLesson[],
  { reason }: Pick<AbsenceCause, 'reason'>,
): Decisions {
  const ids = new Set(plan.map(({ appointment }) => appointment.id))
  const own = step.decisions.filter(({ appointment_id }) => ids.has(appointment_id))
  return Object.fromEntries(
    own.map((one) => [one.appointment_id, { ...one, ...cancellationOf(one.action, reason) }]),
  )
}

/** Returns the lessons with the decisions to send; those without one are left out. */
export function settledIn(
  plan: readonly AbsencePlanLesson[],
  decisions: Decisions,
): readonly DecidedLesson[] {
  return plan.flatMap(({ appointment, phones }) => {
    const decision = decisions[appointment.id]
    return decision ? { lesson: appointment, phones, decision } : []
  })
}

function proposed({ proposal }: AbsencePlanLesson, reason: AbsenceCause['reason']): AbsenceDecision {
  return { ...proposal, ...cancellationOf(proposal.action, reason) }
}

function basisOf({ appointment: { id, version } }: AbsencePlanLesson) {
  return { appointment_id: id, version }
}

/** Returns the default cancellation: by the school, with the reason that fits the cause. */
function cancellationOf(
  action: DecisionAction,
  reason: AbsenceCause['reason'],
): Pick<AbsenceDecision, 'cancellation'> {
  return action === 'cancel' ? { cancellation: { by: 'school', reason } } : {}
}
