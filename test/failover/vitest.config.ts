import { defineConfig } from 'vitest/config'
import { TAGS } from '../support/gate.ts'

/** The tests of a service on a PostgreSQL primary and its standby, in which any of the three may be killed. */
export default defineConfig({
  test: {
    tags: [...TAGS],
    reporters: ['default', './test/support/suites.reporter.ts'],
    // Each file starts two servers and a service.
    maxWorkers: 1,
    projects: [
      {
        test: {
          name: 'failover',
          isolate: false,
          include: ['test/failover/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
