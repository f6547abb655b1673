/** A generator of integers from 0 to below the bound, the same for the same seed (mulberry32). */
export type RandomInteger = (bound: number) => number

/** The seed of a run's random integers: `RACE_SEED` repeats a run. */
export const SEED = Number(process.env.RACE_SEED ?? Date.now() % 1_000_000)

export function randomIntegers(seed: number): RandomInteger {
  let state = seed
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296) * bound)
  }
}

export function pick<T>(list: readonly T[], random: RandomInteger): T | undefined {
  return list[random(list.length)]
}

/** Returns one of several values, each with a probability in proportion to its weight. */
export function drawn<T>(lots: readonly (readonly [weight: number, T])[], random: RandomInteger): T {
  let lot = random(lots.reduce((sum, [weight]) => sum + weight, 0))
  for (const [weight, value] of lots) {
    if (lot < weight) return value
    lot -= weight
  }
  throw new Error('the weights add up to less than the random integer')
}
