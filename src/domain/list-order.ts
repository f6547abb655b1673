/** An entry of a list that people order; no two of a list have the same position. */
export type Placed = { readonly id: string; readonly position: number }

/**
 * Returns the new positions of the entries that change theirs when the entry moves to `position`, by id. If another entry is
 * there, it and those in between move by one toward the place that becomes free.
 */
export function positionsAfterMove(
  entries: readonly Placed[],
  { id, position: from }: Placed,
  position: number,
): ReadonlyMap<string, number> {
  if (position === from) return new Map()
  const isTaken = entries.some((one) => one.position === position)
  const step = position > from ? -1 : 1
  const [first, last] = position > from ? [from + 1, position] : [position, from - 1]
  const between = entries.filter((one) => one.position >= first && one.position <= last)
  return new Map([
    ...(isTaken ? between.map((one) => [one.id, one.position + step] as const) : []),
    [id, position],
  ])
}
