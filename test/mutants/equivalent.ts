/** Mutants that no test can catch, and what holds in their place. One that is caught, or is not there any more, fails the run. */
export const EQUIVALENT: ReadonlyMap<string, string> = new Map([])
