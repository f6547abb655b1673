import { afterAll, inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The key of the mutant that is on; none where it is empty. */
    mutant: string
  }
  export interface TaskMeta {
    /** Keys of the mutants whose code a file has reached. */
    reached?: readonly string[]
  }
}

const mutant = inject('mutant')
const reached = new Set<string>()

/** What the code of `switched` asks, before anything of the service is loaded. */
Object.assign(globalThis, {
  isMutated(key: string): boolean {
    reached.add(key)
    return key === mutant
  },
})

// biome-ignore lint/correctness/noEmptyPattern: Vitest gives the file second, and wants to see a pattern first
afterAll(({}, { file }) => {
  file.meta.reached = [...reached]
})
