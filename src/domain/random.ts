export type Random = {
  readonly next: () => number
  readonly pick: <T>(from: readonly T[]) => T
  readonly chance: (probability: number) => boolean
}

/** Mulberry32 (Tommy Ettinger, 2017): 32 bits of state are plenty for a school of sixty. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    pick: (from) => {
      const [first] = from
      const picked = from[Math.floor(next() * from.length)] ?? first
      if (picked === undefined) throw new Error('nothing to pick from')
      return picked
    },
    chance: (probability) => next() < probability,
  }
}
