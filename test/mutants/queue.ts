import { dirname } from 'node:path'
import type { Mutant } from './mutants.ts'
import type { Failure, MutantRunner } from './runner.ts'

/** A test file, the mutants that it reaches, and those that it reaches before its first test. */
export type Suite = {
  readonly file: string
  readonly reached: ReadonlySet<string>
  readonly early: ReadonlySet<string>
}

/** The outcome for a mutant: caught by a test, survived, or undecided because of a timeout. */
export type MutantResult = {
  readonly mutant: Mutant
  readonly verdict: 'caught' | 'lives' | 'undecided'
  readonly by: string
}

/** The files that catch the most mutants of a folder, to run first. */
const FIRST: readonly (readonly [folder: string, file: string])[] = [
  ['db', 'isolation-twins'],
  ['doctor', 'harmed'],
  ['', 'roles'],
]

type Waiting = { readonly mutant: Mutant; readonly left: readonly Suite[]; readonly slow?: string }
type Batch = { readonly suite: Suite; readonly taken: readonly Waiting[] }

/** The number of mutants in one run of a file: few enough for early results and to limit a worker's memory. */
const BATCH = 12

/** The undecided mutants, and the files that may still catch each. Runners take batches from it. */
export class Queue {
  readonly #onResult: (fate: MutantResult) => void
  /** The number of mutants of a folder that a file has caught, by folder and file. */
  readonly #caught = new Map<string, number>()
  #waiting: readonly Waiting[]

  constructor(mutants: readonly Mutant[], suites: readonly Suite[], onResult: (fate: MutantResult) => void) {
    this.#onResult = onResult
    this.#waiting = mutants.map((mutant) => ({
      mutant,
      left: suites.filter(({ reached }) => reached.has(mutant.key)),
    }))
    for (const one of this.#waiting) if (one.left.length === 0) this.#decide(one, 'no test reaches it')
    this.#waiting = this.#waiting.filter(({ left }) => left.length > 0)
  }

  /** Runs batches until no mutant is waiting. Throws if a file fails without a mutant. */
  async work(runner: MutantRunner): Promise<void> {
    for (let batch = this.#take(); batch; batch = this.#take()) {
      const failures = await failuresIn(runner, batch)
      for (const [at, one] of batch.taken.entries()) this.#note(one, batch.suite, failures[at])
    }
  }

  /** Takes the file most likely to catch the first mutant, and further mutants that fit. */
  #take(): Batch | undefined {
    const [first] = this.#waiting
    if (!first) return undefined
    const suite = this.#bestFor(first)
    const isEarly = suite.early.has(first.mutant.key)
    const goAlong = this.#waiting.filter(
      (one) => this.#bestFor(one) === suite && !suite.early.has(one.mutant.key),
    )
    const taken = isEarly ? [first] : goAlong.slice(0, BATCH)
    this.#waiting = this.#waiting.filter((one) => !taken.includes(one))
    return { suite, taken }
  }

  #bestFor({ mutant, left }: Waiting): Suite {
    const [, first = ''] = FIRST.find(([folder]) => mutant.path.startsWith(folder)) ?? []
    const likely = ({ file }: Suite) => {
      const caught = this.#caught.get(`${dirname(mutant.path)} ${file}`) ?? 0
      return file.includes(first) ? caught + 1 : caught
    }
    return left.toSorted((a, b) => likely(b) - likely(a) || b.reached.size - a.reached.size)[0] as Suite
  }

  #note({ mutant, left, slow }: Waiting, { file }: Suite, failure: Failure | undefined): void {
    const next = { mutant, left: left.filter((one) => one.file !== file), slow: failure?.name ?? slow }
    if (failure && !failure.isTimeout) {
      const place = `${dirname(mutant.path)} ${file}`
      this.#caught.set(place, (this.#caught.get(place) ?? 0) + 1)
      this.#onResult({ mutant, verdict: 'caught', by: `${failure.name}: ${failure.message.slice(0, 200)}` })
    } else if (next.left.length === 0) this.#decide(next, 'no test fails')
    else this.#waiting = [...this.#waiting, next]
  }

  #decide({ mutant, slow }: Waiting, why: string): void {
    this.#onResult({ mutant, verdict: slow === undefined ? 'lives' : 'undecided', by: slow ?? why })
  }
}

/** Returns the file's first failure with each mutant. One reached while the service loads needs its own process. */
async function failuresIn(runner: MutantRunner, { suite: { file, early }, taken }: Batch) {
  const [first] = taken
  if (first && early.has(first.mutant.key)) {
    return (await runner.runAlone(file, first.mutant.key)).map(({ failures }) => failures[0])
  }
  // The last run has no mutant. It fails if the earlier ones have left something behind.
  const outcomes = await runner.runAll(file, [...taken.map(({ mutant }) => mutant.key), ''])
  const [clean] = outcomes.at(-1)?.failures ?? []
  if (clean && !clean.isTimeout) throw new Error(`without a mutant: ${clean.name}: ${clean.message}`)
  return outcomes.map(({ failures }) => failures[0])
}
