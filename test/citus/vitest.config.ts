import { defineConfig } from 'vitest/config'
import { TAGS } from '../support/gate.ts'

/** The suites of everything observable over HTTP, on a Citus cluster. */
export default defineConfig({
  test: {
    tags: [...TAGS],
    reporters: ['default', './test/support/suites.reporter.ts'],
    maxWorkers: 1,
    projects: [
      {
        test: {
          name: 'citus',
          isolate: false,
          include: [
            'test/citus/*.test.ts',
            'test/http/**/*.test.ts',
            'test/security/**/*.test.ts',
            'test/concurrency/**/*.test.ts',
            'test/mail/**/*.test.ts',
            'test/busy/**/*.test.ts',
            'test/webhooks/**/*.test.ts',
          ],
          globalSetup: 'test/citus/citus.setup.ts',
          testTimeout: 60_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
    ],
  },
})
