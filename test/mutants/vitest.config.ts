import { relative } from 'node:path'
import { defineConfig, type Plugin } from 'vitest/config'
import { TAGS } from '../support/gate.ts'
import { mutantsOf, SRC, switched } from './mutants.ts'

/** Inserts every mutant into the service, switched off. `switch.setup.ts` switches one on. */
const mutants: Plugin = {
  name: 'mutants',
  enforce: 'pre',
  transform(text, id) {
    const path = relative(SRC, id).replaceAll('\\', '/')
    if (path.startsWith('..') || !path.endsWith('.ts')) return
    if (path === 'db/connection/statement.ts') return { code: forgetful(text), map: null }
    const found = mutantsOf(path, text)
    return found.length === 0 ? undefined : { code: switched(text, found), map: null }
  },
}

/** Gives each file and mutant its own cache of built statements. */
function forgetful(text: string): string {
  const code = text.replace('names.join()', '[globalThis.mutatedRun, ...names].join()')
  if (code === text) throw new Error('statements are kept in another way')
  return code
}

/** The tests of tenants and roles, on the server that `run.ts` keeps running. */
export default defineConfig({
  plugins: [mutants],
  test: {
    name: 'mutants',
    tags: [...TAGS],
    include: [
      'test/{http,db,webhooks}/isolation*.test.ts',
      'test/security/{access-token,links,roles,sso}.test.ts',
      'test/http/{webhooks,instructors-book,merged-beside,own-schools,sso,students-deleted,undo-roles}.test.ts',
      'test/db/push-subscriptions.test.ts',
      'test/doctor/harmed-*.test.ts',
    ],
    setupFiles: 'test/mutants/switch.setup.ts',
    globalSetup: 'test/support/postgres.setup.ts',
    provide: { mutants: [''] },
    // A worker keeps the loaded service for all mutants of a run.
    isolate: false,
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
