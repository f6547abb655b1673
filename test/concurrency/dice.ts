/** A generator of integers from 0 to below the bound, the same for the same seed (mulberry32). */
export type Dice = (bound: number) => number

/** The seed of a run's dice: `RACE_SEED` repeats a run. */
export const SEED = Number(process.env.RACE_SEED ?? Date.now() % 1_000_000)

export function diceOf(seed: number): Dice {
  let state = seed
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296) * bound)
  }
}

export function pick<T>(list: readonly T[], dice: Dice): T | undefined {
  return list[dice(list.length)]
}

/** Returns one of several values, each with a probability in proportion to its weight. */
export function drawn<T>(lots: readonly (readonly [weight: number, T])[], dice: Dice): T {
  let lot = dice(lots.reduce((sum, [weight]) => sum + weight, 0))
  for (const [weight, value] of lots) {
    if (lot < weight) return value
    lot -= weight
  }
  throw new Error('the dice have shown more than they have')
}
