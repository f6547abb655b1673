import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'

/**
 * Adds groups: lesson types with several seats, and appointments with attendees. No index supports overlaps of lists of students:
 * as with vehicles, each becomes a range of one number, so that lists that share a student overlap.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
  await fillSeats(db)
}

const statements = [
  'alter table lesson_types add column seats integer not null default 1',
  'alter table lesson_types add constraint lesson_types_seats_check check (seats between 1 and 100)',
  `alter table appointments add column attendees jsonb not null default '[]'`,
  'alter table appointments add column seats integer',
  'alter table appointments add column topic text',
  'alter table appointments add constraint appointments_seats_check check (seats between 1 and 100)',
  `alter table appointments add constraint appointments_attendees_check check (attendees = '[]'
    or (student_id is null and seats is not null and jsonb_array_length(attendees) <= seats))`,
  `create function attendee_ranges(attendees jsonb) returns int8multirange
    language sql immutable strict parallel safe as $$
      select coalesce(range_agg(int8range(number, number, '[]')), '{}')
      from (select uuid_hash_extended((entry ->> 'student_id')::uuid, 0) / 2 as number
        from jsonb_array_elements(attendees) entry) numbered $$`,
  `alter table appointments add constraint appointments_attendee_busy exclude using gist
    (tenant_id with =, attendee_ranges(attendees) with &&, tsrange(start_at, end_at) with &&)
    where (deleted_at is null and status <> 'cancelled' and attendees <> '[]')`,
  `create index appointments_of_groups on appointments (tenant_id, start_at) where attendees <> '[]'`,
  `create index appointments_of_attendee on appointments using gin (attendees jsonb_path_ops)
    where attendees <> '[]'`,
]

/** Sets the seats of theory in existing schools, one or all, to those of new schools. */
export async function fillSeats(db: QueryExecutorProvider, tenantId?: string): Promise<void> {
  const where = tenantId === undefined ? sql`true` : sql`tenant_id = ${tenantId}`
  await sql`update lesson_types set seats = 20 where ${where} and code = any(${THEORY}::text[])`.execute(db)
}

const THEORY = ['THEORY_BASIC', 'THEORY_SPECIFIC']
