import { type Kysely, sql } from 'kysely'

/** Adds the identity providers of schools, the people there to whom users are linked, and the sessions that began there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table identity_providers (
  tenant_id uuid primary key,
  issuer text not null,
  client_id text not null,
  sealed_secret bytea not null,
  required boolean not null,
  updated_at timestamptz not null default now())`,
  `create table identities (
  user_id uuid primary key references users,
  tenant_id uuid not null,
  issuer text not null,
  subject text not null,
  created_at timestamptz not null default now(),
  unique (tenant_id, issuer, subject))`,
  `alter table token_families
     add column sso_issuer text,
     add column sso_subject text,
     add column sso_sid text,
     add constraint token_families_sso_check check ((sso_issuer is null) = (sso_subject is null))`,
  'create index token_families_of_sso on token_families (sso_issuer, sso_subject) where sso_issuer is not null',
  'alter table token_families drop constraint token_families_proof_check',
  `alter table token_families add constraint token_families_proof_check
     check ((proved_at is null) = (proved_by is null) and proved_by in ('password', 'passkey', 'totp', 'sso'))`,
]
