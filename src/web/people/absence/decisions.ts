import type { AbsenceDecision } from '../../../contract/absence-decision.ts'
import type { Slot } from '../../../contract/slot.ts'
import type { AbsencePlanLesson, DecidedLesson, Decisions } from './draft.ts'

export const DECISION_ACTIONS = ['take_over', 'move', 'cancel', 'keep'] as const
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
export function slotsFor({ take_over, move }: AbsencePlanLesson, action: DecisionAction): readonly Slot[] {
  if (action === 'take_over') return take_over
  return action === 'move' ? move : []
}

/** Returns the decision for an action: the proposal if it has that action, otherwise the first slot. */
export function decisionFor(planned: AbsencePlanLesson, action: DecisionAction): AbsenceDecision {
  const { proposal } = planned
  if (action === proposal.action) return proposed(planned)
  const [slot] = slotsFor(planned, action)
  return slot ? decisionOn(planned, action, slot) : { ...basisOf(planned), action, ...cancellationOf(action) }
}

/** Returns the decision to use a slot. */
export function decisionOn(planned: AbsencePlanLesson, action: DecisionAction, slot: Slot): AbsenceDecision {
  const { instructor_id, start_at, end_at } = slot
  const basis = { ...basisOf(planned), action }
  if (action === 'take_over') return { ...basis, instructor_id }
  const isOther = instructor_id !== planned.appointment.instructor_id
  return { ...basis, start_at, end_at, ...(isOther && { instructor_id }) }
}

/** Returns the slot of a decision; undefined if it is no longer offered or the decision needs none. */
export function chosenSlotFor(planned: AbsencePlanLesson, decision: AbsenceDecision): Slot | undefined {
  const { action, instructor_id = planned.appointment.instructor_id, start_at } = decision
  return slotsFor(planned, action).find(
    (slot) => slot.instructor_id === instructor_id && (action === 'take_over' || slot.start_at === start_at),
  )
}

/** Returns the decisions, with the proposal for each lesson that is not `decided`. */
export function withProposals(plan: readonly AbsencePlanLesson[], decisions: Decisions): Decisions {
  const open = plan.filter((planned) => decisionStateOf(planned, decisions) !== 'decided')
  return { ...decisions, ...Object.fromEntries(open.map((one) => [one.appointment.id, proposed(one)])) }
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

function proposed({ proposal }: AbsencePlanLesson): AbsenceDecision {
  return { ...proposal, ...cancellationOf(proposal.action) }
}

function basisOf({ appointment: { id, version } }: AbsencePlanLesson) {
  return { appointment_id: id, version }
}

/** Returns the default cancellation: by the school, because of illness. */
function cancellationOf(action: DecisionAction): Pick<AbsenceDecision, 'cancellation'> {
  return action === 'cancel' ? { cancellation: { by: 'school', reason: 'illness' } } : {}
}
