import { defineConfig } from 'vitest/config'
import { TAGS } from '../support/gate.ts'

/** A service before two PostgreSQL servers, a primary and its standby, of which any may be killed. */
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
