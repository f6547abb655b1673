import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../support/process.ts'

it('a program that imports the PostgreSQL server of the tests keeps its exit code', () => {
  const server = join(ROOT, 'test/support/postgres-server.ts')
  const program = `await import(${JSON.stringify(server)}); process.exitCode = 3`
  expect(spawnSync(process.execPath, ['--input-type=module', '--eval', program]).status).toBe(3)
})
