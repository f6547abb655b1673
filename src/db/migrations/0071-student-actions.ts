import { type Kysely, sql } from 'kysely'

const OFF = JSON.stringify({ confirm: false, cancel: false, wish: false, proof: 'birth_date' })

/** Adds students' actions on their page, confirmations of lessons, and the number of wrong proofs of each link. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tenants add column student_actions json not null default ${sql.lit(OFF)}`.execute(db)
  await sql`alter table appointments add column confirmed_at timestamptz(3)`.execute(db)
  await sql`alter table links add column wrong_proofs integer not null default 0`.execute(db)
}
