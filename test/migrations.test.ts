import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const FOLDER = join(import.meta.dirname, '../src/db/migrations')

/** It ran before there was a release: no process of before can stand beside it. */
const BEFORE_THE_FIRST_RELEASE = '0002-calendars.ts'

/** What takes away, renames or narrows something that statements of the release before may name. */
const TAKES_AWAY =
  /\bdrop (?:column|table)\b|\brename\b|\bset not null\b|\balter column \w+ (?:set data )?type\b/i

it('migrations only add: a process of the release before goes on beside the new schema', () => {
  const migrations = readdirSync(FOLDER).filter((name) => name > BEFORE_THE_FIRST_RELEASE)
  expect(migrations.length).toBeGreaterThan(9)
  const taking = migrations.filter((name) => TAKES_AWAY.test(readFileSync(join(FOLDER, name), 'utf8')))
  expect(taking).toEqual([])
  expect(readFileSync(join(FOLDER, BEFORE_THE_FIRST_RELEASE), 'utf8')).toMatch(TAKES_AWAY)
})
