import { relative } from 'node:path'
import { createVitest, type TestModule, type Vitest } from 'vitest/node'

/** What went wrong in a file. A test that was too slow says nothing of the code. */
export type Failure = { readonly name: string; readonly message: string; readonly isTimeout: boolean }
type Outcome = { readonly reached: readonly string[]; readonly failures: readonly Failure[] }

const TIMED_OUT = /^(Test|Hook) timed out/

/** A Vitest with a database of its own, which runs a file at a time. */
export class Lane {
  readonly #vitest: Vitest

  private constructor(vitest: Vitest) {
    this.#vitest = vitest
  }

  static async open(): Promise<Lane> {
    const config = 'test/mutants/vitest.config.ts'
    return new Lane(await createVitest({ config, watch: false, reporters: [{}], bail: 1 }))
  }

  /** The files of the suite. */
  async files(): Promise<readonly string[]> {
    return (await this.#vitest.globTestSpecifications()).map(({ moduleId }) => moduleId)
  }

  /** Runs a file until a test fails, with the mutant of that key switched on; with none where it is empty. */
  async run(file: string, mutant: string): Promise<Outcome> {
    this.#vitest.provide('mutant', mutant)
    const specifications = await this.#vitest.globTestSpecifications([file])
    const { testModules } = await this.#vitest.runTestSpecifications(specifications)
    const module = testModules.find(({ moduleId }) => moduleId === file)
    if (!module) throw new Error(`${file} has not run`)
    return { reached: module.meta().reached ?? [], failures: failuresOf(module) }
  }

  async close(): Promise<void> {
    await this.#vitest.close()
  }
}

/** The failures of a file, real ones first: of its tests, or of what stands before them. */
function failuresOf(module: TestModule): readonly Failure[] {
  const name = relative(process.cwd(), module.moduleId)
  const ofFile = module.errors().map(({ message }) => ({ name, message }))
  const ofTests = Array.from(module.children.allTests()).flatMap((test) =>
    (test.result().errors ?? []).map(({ message }) => ({ name: `${name}: ${test.fullName}`, message })),
  )
  return [...ofFile, ...ofTests]
    .map((failure) => ({ ...failure, isTimeout: TIMED_OUT.test(failure.message) }))
    .sort((a, b) => Number(a.isTimeout) - Number(b.isTimeout))
}
