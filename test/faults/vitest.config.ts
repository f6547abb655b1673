import { defineConfig } from 'vitest/config'
import { TAGS } from '../support/gate.ts'
import { RESULTS } from './results.ts'

/** All fault tests: those of `npm test` with more rounds, and those that take too long for it. */
export default defineConfig({
  test: {
    // They stop or starve other processes on the machine.
    maxWorkers: 1,
    tags: [...TAGS],
    reporters: ['default', './test/support/suites.reporter.ts', ['json', { outputFile: RESULTS }]],
    env: { FAULT_ROUNDS: process.env.FAULT_ROUNDS ?? '5' },
    projects: [
      {
        test: {
          name: 'faults',
          include: [
            'test/faults/*.test.ts',
            'test/cli/{backup,connections,crashes,damage,data-dir,full-disk,lost-answers,postgres-down,stopping}.test.ts',
            'test/db/held-locks.test.ts',
          ],
          globalSetup: 'test/support/postgres.setup.ts',
          maxConcurrency: 1,
          testTimeout: 900_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})
