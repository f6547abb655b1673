import { slotIdOf } from './offered.ts'

/** A time that was chosen, and with whom. */
export type Chosen = { readonly instructor_id: string; readonly start_at: string }

/** The times that stay chosen whatever the form holds, and the one that it holds; undefined while it has none. */
export type Choosing = { readonly kept: readonly Chosen[]; readonly current: Chosen | undefined }

/** Returns all times that are chosen, each once, the earliest first. */
export function allChosen({ kept, current }: Choosing): readonly Chosen[] {
  const all = current && !includes(kept, current) ? [...kept, current] : kept
  return all.toSorted((a, b) => (slotOrder(a) < slotOrder(b) ? -1 : 1))
}

/** Adds a time to those that are chosen, or takes it out. The last one stays. */
export function toggled(choosing: Choosing, time: Chosen): Choosing {
  const all = allChosen(choosing)
  if (!includes(all, time)) return { kept: [...all, time], current: choosing.current ?? time }
  const rest = all.filter((one) => !isSame(one, time))
  if (rest.length === 0) return choosing
  const current = choosing.current && includes(rest, choosing.current) ? choosing.current : rest[0]
  return { kept: rest.length > 1 ? rest : [], current }
}

/** Keeps the time of the form whatever is chosen next, or no longer. */
export function toggledKept({ kept, current }: Choosing): Choosing {
  if (!current) return { kept, current }
  const others = kept.filter((one) => !isSame(one, current))
  return { kept: others.length < kept.length ? others : [...kept, current], current }
}

function includes(times: readonly Chosen[], time: Chosen): boolean {
  return times.some((one) => isSame(one, time))
}

function isSame(one: Chosen, other: Chosen): boolean {
  return slotIdOf(one) === slotIdOf(other)
}

function slotOrder({ start_at, instructor_id }: Chosen): string {
  return `${start_at} ${instructor_id}`
}
