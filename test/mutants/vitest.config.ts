import { relative } from 'node:path'
import { defineConfig, type Plugin } from 'vitest/config'
import { mutantsOf, SRC, switched } from './mutants.ts'

/** Puts every mutant into the service, switched off: `switch.setup.ts` says which one is on. */
const mutants: Plugin = {
  name: 'mutants',
  enforce: 'pre',
  transform(text, id) {
    const path = relative(SRC, id).replaceAll('\\', '/')
    if (path.startsWith('..') || !path.endsWith('.ts')) return
    const found = mutantsOf(path, text)
    return found.length === 0 ? undefined : { code: switched(text, found), map: null }
  },
}

/** The tests of who sees and does what, on the server that `run.ts` keeps running; each file loads the service anew. */
export default defineConfig({
  plugins: [mutants],
  test: {
    name: 'mutants',
    include: [
      'test/http/isolation*.test.ts',
      'test/security/{access-token,links,roles}.test.ts',
      'test/doctor/harmed-*.test.ts',
    ],
    setupFiles: 'test/mutants/switch.setup.ts',
    globalSetup: 'test/support/postgres.setup.ts',
    provide: { mutant: '' },
    isolate: true,
    maxWorkers: 1,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
