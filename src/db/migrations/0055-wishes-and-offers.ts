import { type Kysely, sql } from 'kysely'
import { placeNewTable } from '../schema/citus.ts'

/** Adds students' wishes for lessons, offers of a free time to several students, and their links, stored as hashes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const { name, columns } of TABLES) {
    await sql.raw(`create table ${name} (tenant_id uuid not null, ${columns})`).execute(db)
    await placeNewTable(db, name)
  }
  for (const statement of REST) await sql.raw(statement).execute(db)
}

const TABLES = [
  {
    name: 'wishes',
    columns: `
    id uuid not null,
    student_id uuid not null,
    weekdays integer[],
    time_from text collate "C",
    time_to text collate "C",
    minutes integer not null,
    lesson_type_id uuid,
    instructor_id uuid,
    until date,
    version integer not null default 1,
    deleted_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (tenant_id, id)`,
  },
  {
    name: 'offers',
    columns: `
    id uuid not null,
    instructor_id uuid not null,
    lesson_type_id uuid not null,
    start_at timestamp not null,
    end_at timestamp not null,
    expires_at timestamptz not null,
    state text not null default 'open',
    appointment_id uuid,
    taken_by uuid,
    version integer not null default 1,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (tenant_id, id),
    constraint offers_state_check check (state in ('open', 'taken', 'withdrawn')),
    constraint offers_taken_check check ((state = 'taken') = (appointment_id is not null)),
    constraint offers_times_check check (start_at < end_at)`,
  },
  {
    name: 'offer_links',
    columns: `
    offer_id uuid not null,
    student_id uuid not null,
    wish_id uuid,
    token_hash bytea not null,
    created_at timestamptz not null default now(),
    primary key (tenant_id, offer_id, student_id),
    constraint offer_links_token_hash_key unique (tenant_id, token_hash)`,
  },
] as const

const REST = [
  'create index wishes_of_student on wishes (tenant_id, student_id, id)',
  'create index offer_links_of_student on offer_links (tenant_id, student_id, created_at)',
  'alter table wishes add foreign key (tenant_id, student_id) references students on delete cascade',
  'alter table wishes add foreign key (tenant_id, lesson_type_id) references lesson_types',
  'alter table wishes add foreign key (tenant_id, instructor_id) references instructors',
  'alter table offers add foreign key (tenant_id, instructor_id) references instructors',
  'alter table offers add foreign key (tenant_id, lesson_type_id) references lesson_types',
  'alter table offer_links add foreign key (tenant_id, offer_id) references offers on delete cascade',
  'alter table offer_links add foreign key (tenant_id, student_id) references students on delete cascade',
]
