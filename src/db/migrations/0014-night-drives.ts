import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import { zonePlaces } from '../school/zone-places.ts'

/** Adds whether a lesson type is driven only in the dark and whether it needs a student, and a school's coordinates for sunset. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
  await fillNightDrives(db)
}

const statements = [
  `alter table lesson_types
     add column needs_student boolean not null default false,
     add column only_in_the_dark boolean not null default false`,
  'alter table tenants add column latitude double precision, add column longitude double precision',
]

/** Sets the values that the pack gives to new rows on existing ones, of one school or all. */
export async function fillNightDrives(db: QueryExecutorProvider, tenantId?: string): Promise<void> {
  const school = tenantId === undefined ? sql`true` : sql`tenant_id = ${tenantId}`
  await sql`update lesson_types set only_in_the_dark = true where code = 'NIGHT' and ${school}`.execute(db)
  await sql`update lesson_types set needs_student = true
    where category in ('practical', 'special', 'practical_exam', 'simulator') and code <> 'MOFA_PRACTICE'
      and ${school}`.execute(db)
  const zones = await sql<{ timezone: string }>`select distinct timezone from tenants`.execute(db)
  for (const { timezone } of zones.rows) {
    const place = zonePlaces()[timezone]
    const where = tenantId === undefined ? sql`true` : sql`id = ${tenantId}`
    if (place)
      await sql`update tenants set latitude = ${place[0]}, longitude = ${place[1]}
        where timezone = ${timezone} and latitude is null and ${where}`.execute(db)
  }
}
