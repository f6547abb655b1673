import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const FOLDER = join(import.meta.dirname, '../src/db/migrations')

/** Migrations that may remove something, and the reason why the previous release does not need it. */
const MAY_TAKE_AWAY: Readonly<Record<string, string>> = {
  '0002-calendars.ts': 'it ran before there was a release',
}

/** Statements that remove, rename or narrow something that the previous release may use. */
const TAKES_AWAY =
  /\bdrop (?:column|table)\b|\brename\b|\bset not null\b|\balter column \w+ (?:set data )?type\b/i

it('migrations do not remove, rename or narrow anything that the previous release may use', () => {
  const migrations = readdirSync(FOLDER)
  const taking = migrations.filter((name) => TAKES_AWAY.test(readFileSync(join(FOLDER, name), 'utf8')))
  expect(taking).toEqual(Object.keys(MAY_TAKE_AWAY))
})
