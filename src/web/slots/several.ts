import { slotIdOf } from './offered.ts'

export type ChosenSlot = {
  readonly instructor_id: string
  readonly start_at: string
  /** The vehicles that a search has found for the time. */
  readonly vehicle_ids?: readonly string[]
}

/** The times kept in the selection, and the form's own; undefined while it has none. */
export type SlotSelection = { readonly kept: readonly ChosenSlot[]; readonly current: ChosenSlot | undefined }

/** Returns all distinct chosen times, earliest first. */
export function allChosen({ kept, current }: SlotSelection): readonly ChosenSlot[] {
  const all = current && !includes(kept, current) ? [...kept, current] : kept
  return all.toSorted((a, b) => (slotOrder(a) < slotOrder(b) ? -1 : 1))
}

/** Adds a time, or removes it unless it is the last one. */
export function toggled(choosing: SlotSelection, time: ChosenSlot): SlotSelection {
  const all = allChosen(choosing)
  if (!includes(all, time)) return { kept: [...all, time], current: choosing.current ?? time }
  const rest = all.filter((one) => !isSame(one, time))
  if (rest.length === 0) return choosing
  const current = choosing.current && includes(rest, choosing.current) ? choosing.current : rest[0]
  return { kept: rest.length > 1 ? rest : [], current }
}

/** Keeps the form's time in the selection, or releases it. */
export function toggledKept({ kept, current }: SlotSelection): SlotSelection {
  if (!current) return { kept, current }
  const others = kept.filter((one) => !isSame(one, current))
  return { kept: others.length < kept.length ? others : [...kept, current], current }
}

function includes(times: readonly ChosenSlot[], time: ChosenSlot): boolean {
  return times.some((one) => isSame(one, time))
}

function isSame(one: ChosenSlot, other: ChosenSlot): boolean {
  return slotIdOf(one) === slotIdOf(other)
}

function slotOrder({ start_at, instructor_id }: ChosenSlot): string {
  return `${start_at} ${instructor_id}`
}
