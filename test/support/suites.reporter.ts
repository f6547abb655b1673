import type { Reporter, TestModule, TestProject, Vitest } from 'vitest/node'

/**
 * Says at the end what each suite ran, and which tests passed at the second try only. A suite that ran nothing, or left a test
 * out, fails the run.
 */
export default class SuitesReporter implements Reporter {
  #projects: readonly TestProject[] = []

  onInit(vitest: Vitest): void {
    this.#projects = vitest.projects
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const { name } of this.#projects) {
      const tests = modules
        .filter(({ project }) => project.name === name)
        .flatMap((module) => [...module.children.allTests()])
      const count = (state: string) => tests.filter((test) => test.result().state === state).length
      const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')]
      console.log(`${name}: ${passed} passed, ${failed} failed, ${skipped} skipped`)
      for (const test of tests.filter((one) => one.diagnostic()?.flaky))
        console.error(`At the second try only: ${test.module.moduleId} > ${test.fullName}`)
      if (passed === 0 || skipped > 0) {
        console.error(`The suite "${name}" ${passed === 0 ? 'ran no test' : 'left tests out'}.`)
        process.exitCode = 1
      }
    }
  }
}
