import { defineConfig } from 'vitest/config'

const service = ['test/http/**/*.test.ts', 'test/security/**/*.test.ts', 'test/concurrency/**/*.test.ts']

export default defineConfig({
  test: {
    reporters: ['default', './test/support/suites.reporter.ts'],
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts', 'test/*.test.ts'] } },
      {
        test: {
          name: 'embedded',
          include: service,
          globalSetup: 'test/support/embedded.setup.ts',
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'postgres',
          // The embedded database has the same planner, and never statistics: a state that these tests look at too.
          include: [...service, 'test/db/**/*.test.ts'],
          globalSetup: 'test/support/postgres.setup.ts',
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'web',
          include: ['test/web/**/*.test.ts'],
          globalSetup: ['test/support/embedded.setup.ts', 'test/support/web.setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'cli',
          include: ['test/cli/**/*.test.ts'],
          globalSetup: 'test/support/postgres.setup.ts',
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
