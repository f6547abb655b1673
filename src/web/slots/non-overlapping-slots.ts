import type { Slot } from '../../contract/slot.ts'
import { intervalOf, overlaps } from '../../domain/interval.ts'

/** Returns the slots that overlap no earlier one of the same instructor. */
export function nonOverlappingSlots(slots: readonly Slot[]): readonly Slot[] {
  const kept = new Map<string, Slot[]>()
  return slots.filter((slot) => {
    const theirs = kept.get(slot.instructor_id) ?? []
    if (theirs.some((one) => overlaps(intervalOf(one), intervalOf(slot)))) return false
    kept.set(slot.instructor_id, [...theirs, slot])
    return true
  })
}
