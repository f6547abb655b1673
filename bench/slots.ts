import { parseArgs } from 'node:util'
import pg from 'pg'
import { daysLater } from '../src/domain/local-time.ts'
import { checkoutIn, HERE } from './checkout.ts'
import { askOnce, load, type WireRequest } from './http-load.ts'
import { foundSchool, PASSWORD } from './idle-school.ts'
import { median } from './median.ts'
import { startEmptyPostgres, type Undo } from './servers.ts'

/**
 * The search for free times compared with the list of the appointments that it reads: 20 instructors with four lessons a working
 * day, 1,600 in four weeks, at a step of 15 minutes, over 4, 8 and 12 weeks. One client requests both in turn; what counts
 * is the median of the rounds' ratios of their times.
 *
 * --seconds N --rounds N        how long
 */
const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '1' }, rounds: { type: 'string', default: '7' } },
})

const MONDAY = '2030-05-06'
const INSTRUCTORS = 20
const WEEKS = [4, 8, 12]
const JWT_SECRET = 'the secret of the bench has more than 256 bits'

const SEARCHES: Readonly<Record<string, string>> = {
  'first page by time': '',
  '200 by time': '&limit=200',
  'first page by fit': '&order=fit',
  '200 by fit': '&order=fit&limit=200',
  'first page for a student': '&student_id=STUDENT',
}

const undo: Undo = []
try {
  const url = await startEmptyPostgres(undo)
  const { port, headers, lessonTypeId, studentId } = await startSchool(url)
  console.log('search                     weeks  lessons  list ms  search ms  ratio')
  for (const [name, more] of Object.entries(SEARCHES)) {
    for (const weeks of WEEKS) {
      const range = `from=${MONDAY}&to=${daysLater(MONDAY, weeks * 7 - 1)}`
      const search = `/slots?${range}&lesson_type_id=${lessonTypeId}${more.replace('STUDENT', studentId)}`
      const figures: { list: number; search: number }[] = []
      for (let round = -1; round < Number(options.rounds); round += 1) {
        const list = await timeOf(port, { method: 'GET', path: `/api/v1/appointments?${range}`, headers })
        const found = await timeOf(port, { method: 'GET', path: `/api/v1${search}`, headers })
        // The first round warms up.
        if (round >= 0) figures.push({ list, search: found })
      }
      const ratio = median(figures.map((one) => one.search / one.list))
      const [list, found] = [median(figures.map((one) => one.list)), median(figures.map((one) => one.search))]
      const cells = [name.padEnd(26), weeks, weeks * 400, list.toFixed(1), found.toFixed(1), ratio.toFixed(2)]
      console.log(cells.map((cell) => String(cell).padStart(6)).join('  '))
    }
  }
} finally {
  for (const one of undo.reverse()) await one()
}

/** Starts the service with a school, filled over HTTP and, for the lessons, in SQL. */
async function startSchool(url: string) {
  const checkout = checkoutIn(HERE)
  const env = { DATABASE_URL: url, JWT_SECRET }
  const email = foundSchool(checkout, env, 'Slots')
  const { port, stop } = await checkout.serve({
    ...env,
    PORT: '0',
    METRICS_PORT: '0',
  })
  undo.push(stop)
  const ask = async (method: string, path: string, body?: object, headers = {}) => {
    const text = body && JSON.stringify(body)
    const answer = await askOnce(port, {
      method,
      path: `/api/v1${path}`,
      headers,
      ...(text && { body: text }),
    })
    return JSON.parse(answer.body)
  }
  const { token } = await ask('POST', '/auth/login', { email, password: PASSWORD })
  const headers = { authorization: `Bearer ${token}` }
  const windows = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '07:00', end: '20:00' }))
  for (let number = 0; number < INSTRUCTORS; number += 1)
    await ask(
      'POST',
      '/instructors',
      { first_name: 'x', last_name: `Number ${number}`, availability_windows: windows },
      headers,
    )
  const student = await ask('POST', '/students', { first_name: 'x', last_name: 'y' }, headers)
  await bookLessons(url)
  const types: readonly { code: string; id: string }[] = await ask('GET', '/lesson-types', undefined, headers)
  const lessonTypeId = types.find(({ code }) => code === 'PRACTICE')?.id ?? ''
  return { port, headers, lessonTypeId, studentId: String(student.id) }
}

/** Four lessons of each instructor on every working day of the longest range. */
async function bookLessons(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `insert into appointments (tenant_id, id, instructor_id, lesson_type_id, start_at, end_at, title, status, overrides_used)
    select i.tenant_id, gen_random_uuid(), i.id, t.id, d + h, d + h + interval '90 minutes', 'Bench', 'planned', '{}'
    from instructors i join lesson_types t on t.tenant_id = i.tenant_id and t.code = 'PRACTICE',
      generate_series($1::timestamp, $1::timestamp + interval '83 days', interval '1 day') d,
      unnest('{8 hours,10 hours,13 hours,15 hours}'::interval[]) h
    where extract(isodow from d) < 6`,
    [MONDAY],
  )
  await client.query('analyze')
  await client.end()
}

/** Returns the median time of a response, in milliseconds. */
async function timeOf(port: number, request: WireRequest): Promise<number> {
  const { p50, answers } = await load({
    port,
    connections: 1,
    seconds: Number(options.seconds),
    next: () => request,
  })
  if (Object.keys(answers).join() !== '200') throw new Error(`${request.path}: ${JSON.stringify(answers)}`)
  return p50
}
