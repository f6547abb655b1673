import { defineConfig } from 'vitest/config'
import { TAGS } from '../support/gate.ts'

const suites = ['test/http/**/*.test.ts', 'test/security/**/*.test.ts', 'test/concurrency/**/*.test.ts']

/** The tests that move the service's clock, read its log or change its settings, which is impossible in another process. */
const NEEDS_THE_SERVICE_IN_HAND = [
  'test/http/appointments-restore.test.ts',
  'test/http/auth-cookies.test.ts',
  'test/http/auth-password.test.ts',
  'test/http/auth-refresh.test.ts',
  'test/http/auth-session.test.ts',
  'test/http/bad-input.test.ts',
  'test/http/cors.test.ts',
  'test/http/docs-page.test.ts',
  'test/http/setup.test.ts',
  'test/http/students.test.ts',
  'test/http/turns.test.ts',
]

const common = {
  globalSetup: 'test/replicas/replicas.setup.ts',
  testTimeout: 30_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 10_000 } },
}

/** The tests whose response to an oversized body may be lost on the way: see `large-bodies.test.ts`. */
const SENDS_LARGE_BODIES = ['test/http/order-of-answers.test.ts']

/** Every suite with its pools behind pgbouncer, and those over HTTP on two processes behind nginx, in both modes. */
export default defineConfig({
  test: {
    // One pair of processes, and one pgbouncer, for all files.
    maxWorkers: 1,
    tags: [...TAGS],
    reporters: ['default', './test/support/suites.reporter.ts'],
    projects: ['session', 'transaction'].flatMap((mode) => [
      { test: { ...common, name: `pooled ${mode}`, include: suites } },
      {
        test: {
          ...common,
          name: `replicas ${mode}`,
          include: ['test/replicas/*.test.ts', 'test/http/**/*.test.ts', 'test/concurrency/**/*.test.ts'],
          exclude: [...NEEDS_THE_SERVICE_IN_HAND, ...SENDS_LARGE_BODIES],
        },
      },
    ]),
  },
})
