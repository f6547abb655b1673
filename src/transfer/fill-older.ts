import { fillNightDrives } from '../db/migrations/0014-night-drives.ts'
import { fillLessonClasses } from '../db/migrations/0016-lesson-classes.ts'
import { fillSeats } from '../db/migrations/0036-groups.ts'
import type { Database } from '../db/schema/tables.ts'
import type { Header } from './format.ts'

/** The migrations that compute values for existing rows, in order. */
const FILLS = {
  '0014-night-drives': fillNightDrives,
  '0016-lesson-classes': fillLessonClasses,
  '0036-groups': fillSeats,
} as const

/** Computes, for rows of an older schema, the values that later migrations gave to existing rows. */
export async function fillOlder(db: Database, { schema, school }: Header): Promise<void> {
  for (const [migration, fill] of Object.entries(FILLS)) if (schema < migration) await fill(db, school?.id)
}
