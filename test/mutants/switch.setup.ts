import { afterAll, beforeAll, beforeEach, inject, onTestFailed } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The keys of a run's mutants, by the number in a file's name. A file without a number has the first. */
    mutants: readonly string[]
  }
  export interface TaskMeta {
    /** The keys of the mutants whose code a file has reached; `early` are those reached while loading. */
    reached?: readonly string[]
    early?: readonly string[]
  }
}

const mutants = inject('mutants')
const reached = new Set<string>()
let early: readonly string[] = []
let hasFailed = false
let [mutant] = mutants

/** Defines the function that `switched` code calls, before the service is loaded. */
Object.assign(globalThis, {
  isMutated(key: string): boolean {
    reached.add(key)
    return key === mutant
  },
})

// biome-ignore lint/correctness/noEmptyPattern: Vitest passes the file second and requires a pattern as the first parameter
beforeAll(({}, { file }) => {
  early = [...reached]
  const number = /\?mutant=(\d+)$/.exec(file.filepath)?.[1]
  if (number !== undefined) mutant = mutants[Number(number)]
  Object.assign(globalThis, { mutatedRun: `${file.filepath} ${mutant}` })
})

// One failure is enough: skip the file's remaining tests.
beforeEach(({ skip }) => {
  skip(hasFailed)
  onTestFailed(() => {
    hasFailed = true
  })
})

// biome-ignore lint/correctness/noEmptyPattern: as above
afterAll(async ({}, { file }) => {
  Object.assign(file.meta, { reached: [...reached], early })
  // A service reads the permissions of its routes when it starts: the next mutant needs another one. Imported here, because
  // the service must load after `isMutated` is defined.
  const { closeSharedService } = await import('../support/app.ts')
  await closeSharedService()
})
