import { isAbsent } from './absence.ts'
import type { Occupancy, TimedAppointment, TimedProposal } from './agenda.ts'
import { overlaps } from './interval.ts'
import { OCCUPANTS } from './occupants.ts'
import type { Refusal, RefusalCode } from './refusal.ts'

type Occupied = Occupancy<TimedAppointment>

/** Checks rules 1, 2 and 10: the person or thing has no overlapping appointment. Expects sorted appointments. */
export function conflictRefusalFor(proposed: TimedProposal, one: Occupied): Refusal | undefined {
  const rival = one.appointments.find((appointment) => overlaps(appointment, proposed))?.source
  if (!rival) return undefined
  const { start_at, end_at } = rival
  const appointment_id = rival.isHidden ? null : rival.id
  return refusalOf(OCCUPANTS[one.kind].busy, one, { appointment_id, start_at, end_at })
}

export function firstConflictFor(
  code: RefusalCode,
  proposed: TimedProposal,
  occupied: readonly Occupied[],
): Refusal | undefined {
  for (const one of occupied) {
    const refusal = OCCUPANTS[one.kind].busy === code ? conflictRefusalFor(proposed, one) : undefined
    if (refusal) return refusal
  }
  return undefined
}

/** Checks rule 10: each thing is in use, not away, and free. Results are by rule, then in the order of the things. */
export function thingChecksFor(
  proposed: TimedProposal,
  occupied: readonly Occupied[],
): readonly { readonly code: RefusalCode; readonly refusal: Refusal | undefined }[] {
  const things = occupied.filter(({ thing }) => thing)
  if (things.length === 0) return []
  const check = (rule: 'inactive' | 'absent', isBroken: (rules: Required<Occupied>['thing']) => boolean) =>
    things.flatMap((one) => {
      const code = OCCUPANTS[one.kind].thing?.[rule]
      return code && one.thing
        ? [{ code, refusal: isBroken(one.thing) ? refusalOf(code, one) : undefined }]
        : []
    })
  return [
    ...check('inactive', ({ active }) => !active),
    ...check('absent', (rules) => isAbsent(rules, proposed)),
    ...things.map((one) => ({ code: OCCUPANTS[one.kind].busy, refusal: conflictRefusalFor(proposed, one) })),
  ]
}

function refusalOf(code: RefusalCode, { kind, id }: Occupied, params: object = {}): Refusal {
  const { parameter } = OCCUPANTS[kind]
  return { code, params: parameter ? { [parameter]: id, ...params } : params } as Refusal
}
