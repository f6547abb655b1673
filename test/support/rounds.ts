import { inject } from 'vitest'
import type { Part } from './gate.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The part of the tests that runs. Suites with a configuration of their own run all. */
    part: Part
  }
}

/**
 * Returns how many rounds of a race, or runs of a property, belong to this part: a quarter to the gate, the others to the
 * rest. A test that calls this has the tag `rounds`, and so is in both.
 */
export function rounds(all: number): number {
  const part = inject('part') ?? 'all'
  const inGate = Math.ceil(all / 4)
  return { gate: inGate, rest: all - inGate, all }[part]
}
