import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { startedAs } from './started-as.ts'

const folder = mkdtempSync(join(tmpdir(), 'fahrplan-started-as-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('a command is named as it was started: by npm in a checkout, and as a program in a release', () => {
  const byNpm = { npm_lifecycle_event: 'cli' }
  expect(startedAs({}, folder)).toBe('fahrplan')
  expect(startedAs(byNpm, folder)).toBe('npm run --silent cli --')
  writeFileSync(join(folder, 'vite.config.ts'), '')
  expect(startedAs({}, folder)).toBe('npm run --silent cli --')
  expect(startedAs({})).toBe('npm run --silent cli --')
})
