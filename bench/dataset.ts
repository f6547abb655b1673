import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { createUser } from '../src/auth/users.ts'
import { hireInstructor } from '../src/booking/school/change-instructor.ts'
import { createTenant } from '../src/booking/school/create-tenant.ts'
import type { Actor } from '../src/contract/actor.ts'
import type { DatabasePool } from '../src/db/connection/pool.ts'
import type { Database } from '../src/db/schema/tables.ts'

export const EMAIL = 'bench@school.example'
export const PASSWORD = 'a password for the bench'

export type Dataset = {
  readonly tenantId: string
  readonly userId: string
  readonly lessonTypeId: string
  readonly instructors: readonly string[]
  readonly students: readonly string[]
  /** One appointment of each instructor, to be moved back and forth. */
  readonly appointments: readonly string[]
  readonly refreshTokens: readonly string[]
}

const INSTRUCTORS = 30
const STUDENTS = 500

/** Fills an empty, migrated database with one school: 30 instructors, 500 students, a week of 100 lessons. */
export async function fill(db: DatabasePool, refreshTokens: number): Promise<Dataset> {
  const school = { name: 'Bench', country: 'DE', timezone: 'Europe/Berlin', locale: 'de' }
  const actor = await createTenant(db, { command: 'bench', now: new Date() }, school)
  const tenantId = actor.tenant.id
  const userId = (await createUser(db, actor, { email: EMAIL, name: 'Bench', password: PASSWORD })) ?? ''
  const instructors: string[] = []
  for (let index = 0; index < INSTRUCTORS; index += 1) instructors.push(await hire(db, actor, index))
  const students = await enrol(db, tenantId)
  const lessonTypeId = await practice(db, tenantId)
  const appointments = await book(db, { tenantId, instructors, students, lessonTypeId })
  await remember(db, { tenantId, instructors, students, lessonTypeId })
  const refreshTokenTexts = await issue(db, userId, refreshTokens)
  // Autovacuum would do this within a minute.
  await sql`analyze`.execute(db)
  return {
    tenantId,
    userId,
    lessonTypeId,
    instructors,
    students,
    appointments,
    refreshTokens: refreshTokenTexts,
  }
}

/** Hires an instructor with hours from 06:00 to 22:00 and the usual limits and breaks, so that every rule is checked. */
async function hire(db: DatabasePool, actor: Actor, index: number): Promise<string> {
  const { id } = await hireInstructor(db, actor, {
    first_name: 'Instructor',
    last_name: `Number ${index}`,
    max_weekly_units: 77,
    availability_windows: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, start: '06:00', end: '22:00' })),
    vacations: [{ start_date: '2029-08-01', end_date: '2029-08-14' }],
  })
  return id
}

async function enrol(db: Database, tenantId: string): Promise<string[]> {
  const students = Array.from({ length: STUDENTS }, () => uuidv7())
  await sql`insert into calendars (tenant_id, id, kind)
    select ${tenantId}, id, 'student' from unnest(${students}::uuid[]) student (id)`.execute(db)
  await sql`insert into students (tenant_id, id, first_name, last_name, email)
    select ${tenantId}, id, 'Student', 'Number ' || number, 'student' || number || '@school.example'
    from unnest(${students}::uuid[]) with ordinality as student (id, number)`.execute(db)
  return students
}

async function practice(db: Database, tenantId: string): Promise<string> {
  const { id } = await db
    .selectFrom('lesson_types')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('code', '=', 'PRACTICE')
    .executeTakeFirstOrThrow()
  return id
}

/** Books 100 lessons in the week of 2029-05-07, and one of each instructor a week later, to be moved. */
async function book(
  db: Database,
  {
    tenantId,
    instructors,
    students,
    lessonTypeId,
  }: Omit<Dataset, 'userId' | 'appointments' | 'refreshTokens'>,
): Promise<string[]> {
  const appointments = instructors.map(() => uuidv7())
  await sql`insert into appointments
      (tenant_id, id, instructor_id, student_id, lesson_type_id, start_at, end_at, title, status, overrides_used)
    select ${tenantId}, gen_random_uuid(), (${instructors}::uuid[])[1 + n % 20], (${students}::uuid[])[1 + n],
      ${lessonTypeId}, t, t + interval '45 minutes', 'Bench', 'planned', '{}'
    from generate_series(0, 99) n, lateral (select timestamp '2029-05-07 08:00' + n / 20 * interval '1 day') d (t)`.execute(
    db,
  )
  await sql`insert into appointments
      (tenant_id, id, instructor_id, student_id, lesson_type_id, start_at, end_at, title, status, overrides_used)
    select ${tenantId}, id, (${instructors}::uuid[])[n], (${students}::uuid[])[n], ${lessonTypeId},
      '2029-05-14 08:00', '2029-05-14 08:45', 'Bench', 'planned', '{}'
    from unnest(${appointments}::uuid[]) with ordinality as moved (id, n)`.execute(db)
  return appointments
}

/** Adds 200 days of history with six lessons per instructor and day, so that plans are those of tables in use. */
async function remember(
  db: Database,
  {
    tenantId,
    instructors,
    students,
    lessonTypeId,
  }: Omit<Dataset, 'userId' | 'appointments' | 'refreshTokens'>,
): Promise<void> {
  await sql`insert into appointments
      (tenant_id, id, instructor_id, student_id, lesson_type_id, start_at, end_at, title, status, overrides_used)
    select ${tenantId}, gen_random_uuid(), instructor, (${students}::uuid[])[1 + (n * 15 + day + lesson) % 500],
      ${lessonTypeId}, t, t + interval '45 minutes', 'Bench', 'completed', '{}'
    from unnest(${instructors}::uuid[]) with ordinality as i (instructor, n),
      generate_series(0, 199) day, generate_series(0, 5) lesson,
      lateral (select timestamp '2027-01-01 08:00' + day * interval '1 day' + lesson * interval '90 minutes') d (t)`.execute(
    db,
  )
}

async function issue(db: Database, userId: string, count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, (_, index) => `bench-refresh-token-${index}`)
  const families = tokens.map(() => uuidv7())
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest('hex'))
  await sql`insert into token_families (id, user_id) select id, ${userId} from unnest(${families}::uuid[]) as f (id)`.execute(
    db,
  )
  await sql`insert into refresh_tokens (id, family_id, token_hash, expires_at)
    select gen_random_uuid(), family, decode(hash, 'hex'), now() + interval '30 days'
    from unnest(${families}::uuid[], ${hashes}::text[]) as t (family, hash)`.execute(db)
  return tokens
}
