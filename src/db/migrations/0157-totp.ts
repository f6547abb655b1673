import { type Kysely, sql } from 'kysely'

/** Adds authenticator apps as a second factor, and the school's demand for one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table totp_secrets (
  user_id uuid primary key references users,
  sealed_secret bytea not null,
  last_step int not null,
  created_at timestamptz not null default now())`,
  `alter table tenants add column second_factor text not null default 'optional'
     constraint tenants_second_factor_check check (second_factor in ('optional', 'required'))`,
  'alter table token_families drop constraint token_families_proof_check',
  `alter table token_families add constraint token_families_proof_check
     check ((proved_at is null) = (proved_by is null) and proved_by in ('password', 'passkey', 'totp'))`,
]
