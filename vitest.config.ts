import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { partFor, TAGS, tagsFilterFor } from './test/support/gate.ts'
import LongFirst from './test/support/long-first.sequencer.ts'

const service = [
  'test/http/**/*.test.ts',
  'test/security/**/*.test.ts',
  'test/concurrency/**/*.test.ts',
  'test/doctor/**/*.test.ts',
  'test/mail/**/*.test.ts',
  'test/busy/**/*.test.ts',
  'test/webhooks/**/*.test.ts',
]

export default defineConfig(({ mode }) => {
  const part = partFor(mode)

  /** A worker keeps what it has loaded for its next file: loading the service takes as long as many a file. */
  const common = (name: string) => ({
    name,
    tagsFilter: tagsFilterFor(name, part),
    provide: { part },
    isolate: false,
    // Limits for what hangs, not for what is slow: a test takes five times as long where four files share two slow cores.
    testTimeout: 120_000,
    hookTimeout: 300_000,
    // A wait for a state ends with it; a second would be a race where tests share the cores.
    expect: { poll: { timeout: 30_000 } },
  })

  return {
    test: {
      tags: [...TAGS],
      reporters: ['default', ['./test/support/suites.reporter.ts', { part }]],
      // Two files more than there are cores, since many wait. More than four would ask PostgreSQL for more connections than it has.
      maxWorkers: Math.min(4, availableParallelism() + 2),
      sequence: { sequencer: LongFirst },
      projects: [
        { test: { ...common('unit'), include: ['src/**/*.test.ts', 'test/*.test.ts'] } },
        {
          test: {
            ...common('embedded'),
            include: service,
            globalSetup: 'test/support/embedded.setup.ts',
          },
        },
        {
          test: {
            ...common('postgres'),
            // The embedded database has the same planner, and never statistics: a state that these tests look at too.
            include: [...service, 'test/db/**/*.test.ts', 'test/clients/**/*.test.ts'],
            globalSetup: 'test/support/postgres.setup.ts',
          },
        },
        {
          test: {
            ...common('web'),
            include: ['test/web/**/*.test.ts'],
            globalSetup: ['test/support/embedded.setup.ts', 'test/support/web.setup.ts'],
            // No journey of the gate needs a second try. What passes only then in the rest is named at the end, to be mended.
            retry: part === 'gate' ? 0 : 1,
          },
        },
        {
          test: {
            ...common('cli'),
            // The one test of failovers that all others there build on.
            include: [
              'test/cli/**/*.test.ts',
              'test/upgrades/**/*.test.ts',
              'test/failover/promotion.test.ts',
            ],
            globalSetup: 'test/support/postgres.setup.ts',
            // Programs that start while others do take their time, and two files start them.
            maxConcurrency: 3,
            testTimeout: 900_000,
          },
        },
      ],
    },
  }
})
