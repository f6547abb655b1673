import { sql } from 'kysely'
import type { TestService } from './app.ts'
import type { Headings } from './client.ts'
import type { School } from './factory.ts'
import type { Office } from './office.ts'

/** The most rows of a statement, few enough to meet its timeout on a busy machine. */
const PART = 5_000

/** Yields the first and last number of each part. */
function* partsOf(count: number): Generator<readonly [first: number, last: number]> {
  for (let first = 1; first <= count; first += PART) yield [first, Math.min(count, first + PART - 1)]
}

/** Adds students to a school, faster than by enrolling them one by one. */
export async function addStudents(
  { db }: TestService,
  { tenantId }: Pick<School, 'tenantId'>,
  count: number,
): Promise<void> {
  for (const [first, last] of partsOf(count)) {
    await sql`with calendar as (
        insert into calendars (tenant_id, id, kind)
        select ${tenantId}, gen_random_uuid(), 'student' from generate_series(${sql.lit(first)}, ${sql.lit(last)})
        returning id)
      insert into students (tenant_id, id, first_name, last_name)
      select ${tenantId}, id, 'x', 'x' || row_number() over () % 50 from calendar`.execute(db)
  }
}

/** The year of the lessons that `addLessons` adds. */
export const YEAR_OF_MANY = 'from=2040-01-01&to=2040-12-31'

/** Adds lessons of the first student. They are cancelled, because those of repeated calls overlap. */
export async function addLessons(
  { db }: TestService,
  { school, instructors, students }: Office,
  count: number,
): Promise<void> {
  for (const [first, last] of partsOf(count)) {
    await sql`insert into appointments (tenant_id, id, instructor_id, student_id, lesson_type_id, start_at, end_at, title,
        status, overrides_used)
      select ${school.tenantId}, gen_random_uuid(), ${instructors[0]}, ${students[0]}, ${school.lessonTypes.PRACTICE},
        timestamp '2040-01-01' + n * interval '1 hour', timestamp '2040-01-01 00:45' + n * interval '1 hour', 'x',
        'cancelled', '{}'
      from generate_series(${sql.lit(first)}, ${sql.lit(last)}) n`.execute(db)
  }
}

/** A response whose first bytes have been read. */
type Reading = { readonly headers: Headers; readonly rest: () => Promise<string> }

/** Requests a long response and stops reading after the first bytes until `rest` is called. */
export async function beginReading(
  { url }: TestService,
  { client }: Pick<School, 'client'>,
  path: string,
  headers: Headings = { 'accept-encoding': 'identity' },
): Promise<Reading> {
  const answer = await fetch(`${url}/api/v1${path}`, { headers: { ...client.headers, ...headers } })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) throw new Error('it has no body')
  let text = (await reader.read()).value ?? ''
  const rest = async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value
    return text
  }
  return { headers: answer.headers, rest }
}
