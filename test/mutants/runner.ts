import { relative } from 'node:path'
import { createVitest, type TestModule, type Vitest } from 'vitest/node'
import { type Part, tagsFilterFor } from '../support/gate.ts'

/** A failure in a file. A test that timed out proves nothing. */
export type Failure = { readonly name: string; readonly message: string; readonly isTimeout: boolean }

/** The mutants that a file has reached, those reached while loading, and its failures. */
type Outcome = {
  readonly reached: readonly string[]
  readonly early: readonly string[]
  readonly failures: readonly Failure[]
}

type Clean = Outcome & { readonly file: string }

const TIMED_OUT = /^(Test|Hook) timed out/

/** A Vitest instance with its own database. */
export class MutantRunner {
  readonly #vitest: Vitest

  private constructor(vitest: Vitest) {
    this.#vitest = vitest
  }

  /** Opens a runner for the tests of a part. */
  static async open(part: Part): Promise<MutantRunner> {
    const config = 'test/mutants/vitest.config.ts'
    const tagsFilter = tagsFilterFor('postgres', part)
    return new MutantRunner(await createVitest({ config, watch: false, reporters: [{}], tagsFilter }))
  }

  /**
   * Runs a share of the suite's files without a mutant, in one process: those whose path contains one of the texts, if there
   * are any, and whose index modulo `shares` is `share`.
   */
  async runClean(texts: string[], share: number, shares: number): Promise<readonly Clean[]> {
    const all = (await this.#vitest.globTestSpecifications(texts)).map(({ moduleId }) => moduleId)
    const files = all.toSorted().filter((_, index) => index % shares === share)
    const outcomes = files.length === 0 ? [] : await this.#run(files, [''])
    return outcomes.map((outcome, at) => ({ file: files[at] ?? '', ...outcome }))
  }

  /** Runs a file in a process of its own, with a mutant that is active before anything is loaded. */
  async runAlone(file: string, mutant: string): Promise<readonly Outcome[]> {
    return this.#run([file], [mutant])
  }

  /** Runs a file once for each mutant, in one process. */
  async runAll(file: string, mutants: readonly string[]): Promise<readonly Outcome[]> {
    return this.#run(
      mutants.map((_, number) => `${file}?mutant=${number}`),
      mutants,
    )
  }

  async #run(files: readonly string[], mutants: readonly string[]): Promise<readonly Outcome[]> {
    this.#vitest.provide('mutants', mutants)
    const project = this.#vitest.getRootProject()
    const { testModules } = await this.#vitest.runTestSpecifications(
      files.map((file) => project.createSpecification(file)),
    )
    return files.map((file) => outcomeOf(testModules.find(({ moduleId }) => moduleId === file)))
  }

  async close(): Promise<void> {
    await this.#vitest.close()
  }
}

function outcomeOf(module: TestModule | undefined): Outcome {
  if (!module) throw new Error('a file has not run')
  const { reached = [], early = [] } = module.meta()
  return { reached, early, failures: failuresOf(module) }
}

/** Returns the failures of a file and of its tests, timeouts last. */
function failuresOf(module: TestModule): readonly Failure[] {
  const name = relative(process.cwd(), module.moduleId).replace(/\?.*/, '')
  const ofFile = module.errors().map(({ message }) => ({ name, message }))
  const ofTests = Array.from(module.children.allTests()).flatMap((test) =>
    (test.result().errors ?? []).map(({ message }) => ({ name: `${name}: ${test.fullName}`, message })),
  )
  return [...ofFile, ...ofTests]
    .map((failure) => ({ ...failure, isTimeout: TIMED_OUT.test(failure.message) }))
    .sort((a, b) => Number(a.isTimeout) - Number(b.isTimeout))
}
