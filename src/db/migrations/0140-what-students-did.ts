import { type Kysely, sql } from 'kysely'

/** Adds messages to instructors and the office about what students did, and the office's address. Such a message has no student. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const DEFAULT = {
  booked: false,
  moved: false,
  cancelled: false,
  reminder: false,
  offer: false,
  link: false,
  day_plan: false,
  availability: false,
  student_actions: 'both',
  reminder_hours: [24, 2],
  quiet: null,
}

const KINDS = `'booked', 'moved', 'cancelled', 'reminder', 'offer', 'link', 'day_plan', 'availability',
  'student_cancelled', 'student_moved', 'student_confirmed', 'student_wish', 'offer_taken'`

const statements = [
  'alter table tenants add column office_email text',
  `alter table tenants alter column messages set default '${JSON.stringify(DEFAULT)}'`,
  // Keeps the order of the settings.
  `update tenants set version = version + 1,
     messages = replace(messages::text, '"reminder_hours"', '"student_actions":"both","reminder_hours"')::json`,
  'alter table messages drop constraint messages_kind_check',
  `alter table messages add constraint messages_kind_check check (kind in (${KINDS}))`,
  'alter table messages drop constraint messages_check',
  `alter table messages add constraint messages_of_one check (num_nonnulls(student_id, instructor_id) = 1
     or student_id is null and kind in ('student_cancelled', 'student_moved', 'student_confirmed', 'student_wish', 'offer_taken'))`,
]
