import { type Kysely, sql } from 'kysely'

const BOUNDS = JSON.stringify({
  mode: 'off',
  notice_hours: 24,
  horizon_days: 28,
  time_from: '07:00',
  time_to: '21:00',
  lessons_ahead: 3,
  lesson_type_ids: null,
  no_gaps: true,
})

/** Adds the bounds within which students move and book lessons on their page. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tenants add column student_booking json not null default ${sql.lit(BOUNDS)}`.execute(
    db,
  )
  await sql`update tenants set student_booking = replace(student_booking::text, '"off"', '"move"')::json
    where students_may_move`.execute(db)
}
