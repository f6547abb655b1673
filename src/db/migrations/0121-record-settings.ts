import { type Kysely, sql } from 'kysely'

const NO_SIGNERS = JSON.stringify({ signatures: [], content: 'note' })
const BOTH = JSON.stringify({ signatures: ['school', 'student'], content: 'note' })

/** Adds the address of schools, their responsible person, and what they demand of training records. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tenants add column address text, add column responsible text,
    add column record json not null default ${sql.lit(NO_SIGNERS)}`.execute(db)
  await sql`update tenants set record = ${sql.lit(BOTH)} where country = 'DE'`.execute(db)
}
