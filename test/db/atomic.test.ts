import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { postgresDatabase } from '../support/database.ts'
import { aSchool, type School } from '../support/factory.ts'
import { execute } from '../support/postgres-database.ts'

const service = useService()
const WORD = 'unnotable'
let school: School

/** From here on, no change entry that contains the word can be stored. A request writes its entry last. */
beforeAll(async () => {
  school = await aSchool(service())
  await execute(
    postgresDatabase().owner,
    `create function refuse() returns trigger language plpgsql as $$
      begin if new.after::text like '%${WORD}%' then raise 'refused'; end if; return new; end $$;
    create trigger refuse before insert on changes for each row execute function refuse()`,
  )
})

afterAll(() => execute(postgresDatabase().owner, 'drop trigger refuse on changes; drop function refuse()'))

const TABLES = ['calendars', 'students', 'instructors', 'schedule_requests', 'changes'] as const

async function countsOf(tenantId: string): Promise<readonly number[]> {
  const counts = TABLES.map((table) =>
    sql<{ count: number }>`select count(*)::integer as count from ${sql.table(table)}
      where tenant_id = ${tenantId}`.execute(service().db),
  )
  return (await Promise.all(counts)).map(({ rows }) => rows[0]?.count ?? Number.NaN)
}

const person = { first_name: 'Ida', last_name: WORD }

it.each([
  ['a student', '/students', async () => person],
  ['an instructor', '/instructors', async () => person],
  [
    'a schedule request',
    '/schedule-requests',
    async () => ({ instructor_id: (await school.instructor()).id, availability_windows: [], note: WORD }),
  ],
] as const)('creating %s stores nothing if its change entry cannot be written', async (_, path, bodyOf) => {
  const body = await bodyOf()
  const before = await countsOf(school.tenantId)
  for (const headers of [undefined, { 'idempotency-key': path }]) {
    expect((await school.client.post(path, body, headers)).status).toBe(500)
    expect(await countsOf(school.tenantId)).toEqual(before)
  }
})
