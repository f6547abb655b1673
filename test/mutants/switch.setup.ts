import { afterAll, beforeAll, beforeEach, inject, onTestFailed } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The keys of the mutants of a run, by the number in the name of a file; that without a number has the first. */
    mutants: readonly string[]
  }
  export interface TaskMeta {
    /** Keys of the mutants whose code a file has reached; and those that it has reached while it was loaded. */
    reached?: readonly string[]
    early?: readonly string[]
  }
}

const mutants = inject('mutants')
const reached = new Set<string>()
let early: readonly string[] = []
let hasFailed = false
let [mutant] = mutants

/** The functions that `switched` code calls, defined before the service is loaded. */
Object.assign(globalThis, {
  isMutated(key: string): boolean {
    reached.add(key)
    return key === mutant
  },
})

// biome-ignore lint/correctness/noEmptyPattern: Vitest gives the file second, and wants to see a pattern first
beforeAll(({}, { file }) => {
  early = [...reached]
  const number = /\?mutant=(\d+)$/.exec(file.filepath)?.[1]
  if (number !== undefined) mutant = mutants[Number(number)]
  Object.assign(globalThis, { mutatedRun: `${file.filepath} ${mutant}` })
})

// One failure is enough, and the next file waits.
beforeEach(({ skip }) => {
  skip(hasFailed)
  onTestFailed(() => {
    hasFailed = true
  })
})

// biome-ignore lint/correctness/noEmptyPattern: as above
afterAll(({}, { file }) => {
  Object.assign(file.meta, { reached: [...reached], early })
})
