import pg from 'pg'
import { checkoutIn, HERE } from './checkout.ts'
import { askOnce } from './http-load.ts'
import { foundSchool, PASSWORD } from './idle-school.ts'
import { startEmptyPostgres, type Undo } from './servers.ts'

const JWT_SECRET = 'the secret of the bench has more than 256 bits'

/** A service with one school, whose instructors work from 07:00 to 20:00 on five days a week. */
export type BookedSchool = Awaited<ReturnType<typeof startBookedSchool>>

type Plan = {
  readonly instructors: number
  /** The rules of the instructors other than their hours; the school's defaults if omitted. */
  readonly rules?: object
}

export async function startBookedSchool(undo: Undo, name: string, { instructors, rules = {} }: Plan) {
  const url = await startEmptyPostgres(undo)
  const checkout = checkoutIn(HERE)
  const env = { DATABASE_URL: url, JWT_SECRET }
  const email = foundSchool(checkout, env, name)
  const { port, stop } = await checkout.serve({ ...env, PORT: '0', METRICS_PORT: '0' })
  undo.push(stop)
  const request = async (method: string, path: string, body?: object, headers = {}) => {
    const text = body && JSON.stringify(body)
    const answer = await askOnce(port, {
      ...{ method, path: `/api/v1${path}`, headers },
      ...(text && { body: text }),
    })
    return JSON.parse(answer.body)
  }
  const { token } = await request('POST', '/auth/login', { email, password: PASSWORD })
  const headers = { authorization: `Bearer ${token}` }
  const ask = (method: string, path: string, body?: object) => request(method, path, body, headers)
  const windows = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '07:00', end: '20:00' }))
  const instructorIds: string[] = []
  for (let number = 0; number < instructors; number += 1) {
    const names = { first_name: 'x', last_name: `Number ${number}` }
    const made = await ask('POST', '/instructors', { ...names, availability_windows: windows, ...rules })
    instructorIds.push(made.id)
  }
  const types: readonly { code: string; id: string }[] = await ask('GET', '/lesson-types')
  const lessonTypeId = types.find(({ code }) => code === 'PRACTICE')?.id ?? ''
  return { url, port, headers, ask, lessonTypeId, instructorIds }
}

/** Books four lessons of each instructor on every working day of the period, in SQL. */
export async function bookLessons(
  { url, instructorIds }: Pick<BookedSchool, 'url' | 'instructorIds'>,
  first: string,
  days: number,
): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `insert into appointments (tenant_id, id, instructor_id, lesson_type_id, start_at, end_at, title, status, overrides_used)
    select i.tenant_id, gen_random_uuid(), i.id, t.id, d + h, d + h + interval '90 minutes', 'Bench', 'planned', '{}'
    from instructors i join lesson_types t on t.tenant_id = i.tenant_id and t.code = 'PRACTICE',
      generate_series($1::timestamp, $1::timestamp + ($2::int - 1) * interval '1 day', interval '1 day') d,
      unnest('{8 hours,10 hours,13 hours,15 hours}'::interval[]) h
    where extract(isodow from d) < 6 and i.id = any($3::uuid[])`,
    [first, days, instructorIds],
  )
  await client.end()
  await analyze(url)
}

/** Updates the planner's statistics: plans made while the tables were empty read a school's lessons by its key alone. */
export async function analyze(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('analyze')
  await client.end()
}
