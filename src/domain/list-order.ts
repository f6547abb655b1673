export type PositionedEntry = { readonly id: string; readonly position: number }

/** Returns the new positions by id if an entry moves to `position`. If it is taken, entries in between move by one. */
export function positionsAfterMove(
  entries: readonly PositionedEntry[],
  { id, position: from }: PositionedEntry,
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
