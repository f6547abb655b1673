import type { Reporter, TestCase, TestModule, TestProject, Vitest } from 'vitest/node'
import { isInPart, type Part } from './gate.ts'

/**
 * Prints the result of each suite, the tests that passed only at the second try, and how to run the tests that the gate leaves
 * out. A suite fails the run if it ran nothing or skipped a test of the run, and so does a process that ends before its tests.
 */
export default class SuitesReporter implements Reporter {
  readonly #part: Part
  #projects: readonly TestProject[] = []
  #hasEnded = false

  constructor(options?: { readonly part?: Part }) {
    this.#part = options?.part ?? 'all'
  }

  onInit(vitest: Vitest): void {
    this.#projects = vitest.projects
    // Node exits with code 0 if nothing is left to wait for.
    process.once('exit', () => {
      if (this.#hasEnded) return
      console.error('The tests have not ended.')
      process.exitCode = 1
    })
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    this.#hasEnded = true
    const leftOut = this.#projects.map((project) => ({
      name: project.name,
      count: this.#reportSuite(project.name, testsIn(project, modules)),
    }))
    if (this.#part === 'gate') reportLeftOut(leftOut)
  }

  /** Returns how many tests of the suite belong to another part. */
  #reportSuite(name: string, tests: readonly TestCase[]): number {
    const chosen = tests.filter((test) => isInPart(name, test.tags, this.#part))
    const count = (state: string) => chosen.filter((test) => test.result().state === state).length
    const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')]
    console.log(`${name}: ${passed} passed, ${failed} failed, ${skipped} skipped`)
    for (const test of chosen.filter((one) => one.diagnostic()?.flaky))
      console.error(`At the second try only: ${test.module.moduleId} > ${test.fullName}`)
    const isEmpty = chosen.length === 0 && this.#part === 'rest'
    if ((passed === 0 && !isEmpty) || skipped > 0) {
      console.error(`The suite "${name}" ${passed === 0 ? 'ran no test' : 'left tests out'}.`)
      process.exitCode = 1
    }
    const others = tests.filter((test) => !chosen.includes(test))
    for (const test of others.filter((one) => one.result().state !== 'skipped')) {
      console.error(`Not part of this run: ${test.module.moduleId} > ${test.fullName}`)
      process.exitCode = 1
    }
    return others.length
  }
}

function testsIn(project: TestProject, modules: readonly TestModule[]): readonly TestCase[] {
  return modules
    .filter((module) => module.project.name === project.name)
    .flatMap((module) => [...module.children.allTests()])
}

function reportLeftOut(suites: readonly { readonly name: string; readonly count: number }[]): void {
  const some = suites.filter(({ count }) => count > 0)
  if (some.length === 0) return
  const counts = some.map(({ name, count }) => `${count} ${name}`).join(', ')
  console.log(`Not run: ${counts}. \`npm run test:rest\` runs these, \`npm run test:all\` every test.`)
}
