import type { Slot } from '../../contract/slot.ts'
import { intervalOf, overlaps } from '../../domain/interval.ts'

/** Those that overlap none before them of the same instructor: of starts a quarter of an hour apart, one stands for all. */
export function apart(slots: readonly Slot[]): readonly Slot[] {
  const kept = new Map<string, Slot[]>()
  return slots.filter((slot) => {
    const theirs = kept.get(slot.instructor_id) ?? []
    if (theirs.some((one) => overlaps(intervalOf(one), intervalOf(slot)))) return false
    kept.set(slot.instructor_id, [...theirs, slot])
    return true
  })
}
