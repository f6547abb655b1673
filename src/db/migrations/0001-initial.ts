import { type Kysely, sql } from 'kysely'

/**
 * Creates the first tables. `tenant_id` leads every key of a tenant's data, so that no reference can cross tenants and tables
 * can be distributed by tenant. Users (an e-mail is unique across all schools), tokens and login records are global.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const written = `created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()`

const versioned = `${written},
  version integer not null default 1`

/** The number of times that a person's calendar was locked to change it. The fill factor keeps these updates cheap. */
const calendar = 'calendar_version integer not null default 1'
const room = 'with (fillfactor = 70)'

const statements = [
  'create extension if not exists btree_gist',

  `create table tenants (
  id uuid primary key,
  name text not null,
  timezone text not null,
  locale text not null,
  country text not null,
  unit_minutes integer not null check (unit_minutes between 1 and 1440),
  default_max_daily_units integer,
  default_max_weekly_units integer,
  default_required_break_minutes integer not null,
  default_max_continuous_minutes integer,
  ${written})`,

  `create table users (
  id uuid primary key,
  tenant_id uuid not null references tenants,
  email text not null unique check (email = lower(email)),
  name text not null,
  password_hash text not null,
  disabled_at timestamptz,
  ${written})`,

  `create table token_families (
  id uuid primary key,
  user_id uuid not null references users,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  revoked_reason text,
  check ((revoked_at is null) = (revoked_reason is null)))`,
  'create index on token_families (user_id) where revoked_at is null',

  `create table refresh_tokens (
  id uuid primary key,
  family_id uuid not null references token_families on delete cascade,
  parent_id uuid,
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_reason text,
  check ((revoked_at is null) = (revoked_reason is null)))`,
  'create unique index refresh_tokens_one_active on refresh_tokens (family_id) where revoked_at is null',
  'create index on refresh_tokens (family_id)',
  'create index on refresh_tokens (expires_at)',

  `create table login_failures (
  account text not null,
  address text not null,
  failed_at timestamptz not null default now())`,
  'create index on login_failures (account, failed_at)',
  'create index on login_failures (address, failed_at)',
  'create index on login_failures (failed_at)',

  `create table login_addresses (
  user_id uuid not null references users,
  address text not null,
  last_login_at timestamptz not null default now(),
  primary key (user_id, address))`,

  `create table lesson_types (
  tenant_id uuid not null references tenants,
  id uuid not null,
  position integer not null,
  code text not null,
  name text not null,
  category text not null,
  default_minutes integer not null,
  color text not null,
  counts_toward_limits boolean not null,
  counts_toward_legal_minutes boolean not null,
  ${written},
  primary key (tenant_id, id),
  unique (tenant_id, code),
  unique (tenant_id, position))`,

  `create table license_class_templates (
  tenant_id uuid not null references tenants,
  id uuid not null,
  position integer not null,
  code text not null,
  license_class text not null,
  name text not null,
  min_age real,
  ${written},
  primary key (tenant_id, id),
  unique (tenant_id, code),
  unique (tenant_id, position))`,

  `create table template_requirements (
  tenant_id uuid not null,
  license_class_template_id uuid not null,
  position integer not null,
  lesson_type_id uuid not null,
  required_units integer not null check (required_units > 0),
  min_one_block_units integer,
  primary key (tenant_id, license_class_template_id, position),
  foreign key (tenant_id, license_class_template_id) references license_class_templates,
  foreign key (tenant_id, lesson_type_id) references lesson_types)`,

  `create table instructors (
  tenant_id uuid not null references tenants,
  id uuid not null,
  first_name text collate "C" not null,
  last_name text collate "C" not null,
  email text,
  phone text,
  color text not null,
  license_classes text[] not null,
  active boolean not null,
  max_daily_units integer,
  max_daily_override integer,
  max_weekly_units integer,
  max_weekly_override integer,
  required_break_minutes integer not null,
  max_continuous_minutes integer,
  ${calendar},
  ${versioned},
  primary key (tenant_id, id)) ${room}`,
  'create index instructors_by_name on instructors (tenant_id, last_name, first_name, id)',

  `create table availability_windows (
  tenant_id uuid not null,
  instructor_id uuid not null,
  position integer not null,
  weekday integer not null check (weekday between 1 and 7),
  "start" time not null,
  "end" time not null check ("start" < "end"),
  primary key (tenant_id, instructor_id, position),
  foreign key (tenant_id, instructor_id) references instructors)`,

  `create table vacations (
  tenant_id uuid not null,
  instructor_id uuid not null,
  position integer not null,
  start_date date not null,
  end_date date not null check (start_date <= end_date),
  note text,
  primary key (tenant_id, instructor_id, position),
  foreign key (tenant_id, instructor_id) references instructors)`,

  `create table students (
  tenant_id uuid not null references tenants,
  id uuid not null,
  first_name text collate "C" not null,
  last_name text collate "C" not null,
  email text,
  phone text,
  birth_date date,
  license_class_template_id uuid,
  preferred_instructor_id uuid,
  notes text,
  deleted_at timestamptz,
  ${calendar},
  ${versioned},
  primary key (tenant_id, id),
  foreign key (tenant_id, license_class_template_id) references license_class_templates,
  foreign key (tenant_id, preferred_instructor_id) references instructors) ${room}`,
  'create index students_by_name on students (tenant_id, last_name, first_name, id) where deleted_at is null',

  `create table appointments (
  tenant_id uuid not null references tenants,
  id uuid not null,
  instructor_id uuid not null,
  student_id uuid,
  lesson_type_id uuid not null,
  start_at timestamp not null check (isfinite(start_at)),
  end_at timestamp not null check (isfinite(end_at)),
  title text not null,
  status text not null check (status in ('planned', 'completed', 'no_show', 'cancelled')),
  notes text,
  overrides_used text[] not null,
  cancelled_with_student boolean not null default false check (not cancelled_with_student or status = 'cancelled'),
  deleted_at timestamptz,
  ${versioned},
  primary key (tenant_id, id),
  foreign key (tenant_id, instructor_id) references instructors,
  foreign key (tenant_id, student_id) references students,
  foreign key (tenant_id, lesson_type_id) references lesson_types,
  check (start_at < end_at and end_at <= start_at + interval '24 hours'),
  constraint appointments_instructor_busy exclude using gist
    (tenant_id with =, instructor_id with =, tsrange(start_at, end_at) with &&)
    where (deleted_at is null and status <> 'cancelled'),
  constraint appointments_student_busy exclude using gist
    (tenant_id with =, student_id with =, tsrange(start_at, end_at) with &&)
    where (deleted_at is null and status <> 'cancelled' and student_id is not null))`,
  'create index appointments_by_start on appointments (tenant_id, start_at, id) where deleted_at is null',
  'create index appointments_of_instructor on appointments (tenant_id, instructor_id, start_at, id)',
  'create index appointments_of_student on appointments (tenant_id, student_id, start_at, id)',
]
