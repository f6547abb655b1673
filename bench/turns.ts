import { parseArgs } from 'node:util'
import { daysLater } from '../src/domain/local-time.ts'
import { MAX_FILE_BYTES } from '../src/domain/ranges.ts'
import { thisMonday } from '../test/support/history.ts'
import { checkoutIn, HERE } from './checkout.ts'
import { askOnce, type WireRequest } from './http-load.ts'
import { foundSchool, PASSWORD } from './idle-school.ts'
import { type LongestTurn, turnMeter } from './longest-turn.ts'
import { startEmptyPostgres, type Undo } from './servers.ts'
import { fillValidSchool, type ValidSchool } from './valid-school.ts'

/**
 * Measures the longest turn of the event loop during each heavy request of a large school that is valid (`valid-school.ts`), end to
 * end: by the clock, and in processor time, which does not depend on other work of the machine. Options: --rounds N --only TEXT
 */
const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, only: { type: 'string', default: '' } },
})

const JWT_SECRET = 'the secret of the bench has more than 256 bits'
/** The days of an absence with 440 lessons, 50 a week. */
const DAYS_AWAY = 60
const LINES = 5_000
const WISHES = 120
const WORKING_DAYS = { categories: null, notice: { working_days: 2 }, fee_percent: 50 }

type Answer = { readonly status: number; readonly body: string; readonly ms: number }

let imports = 0
let deletions = 0
const undo: Undo = []
try {
  const { ask, longestTurn, school } = await start()
  console.log('| request | kB | ms | longest turn ms | of processor time |\n|---|---:|---:|---:|---:|')
  for (const [name, request] of Object.entries(await requestsOf(ask, school))) {
    if (!name.includes(options.only)) continue
    // The first round warms up.
    const next = () => ask(typeof request === 'function' ? request() : request)
    await next()
    const turns: LongestTurn[] = []
    const answers: Answer[] = []
    for (let round = 0; round < Number(options.rounds); round += 1) {
      await longestTurn()
      answers.push(await next())
      turns.push(await longestTurn())
    }
    const refused = answers.find(({ status }) => status >= 300)
    if (refused) throw new Error(`${name}: ${refused.body}`)
    console.log(rowOf(name, answers, turns))
  }
} finally {
  for (const one of undo.reverse()) await one()
}

async function start() {
  const checkout = checkoutIn(HERE)
  const url = await startEmptyPostgres(undo)
  const env = { DATABASE_URL: url, JWT_SECRET }
  const email = foundSchool(checkout, env, 'Large')
  const meter = await turnMeter()
  const { port, stop } = await checkout.serve({ ...env, PORT: '0', ...meter.env })
  undo.push(stop)
  const login = {
    method: 'POST',
    path: '/api/v1/auth/login',
    body: JSON.stringify({ email, password: PASSWORD }),
  }
  const { token } = JSON.parse((await askOnce(port, login)).body)
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' }
  const ask = async (request: WireRequest): Promise<Answer> => {
    const sent = performance.now()
    const type = request.body ? { 'content-type': 'application/json' } : {}
    const { path, method, body } = request
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { ...headers, ...type },
      ...(body && { body }),
    })
    return { status: answer.status, body: await answer.text(), ms: performance.now() - sent }
  }
  const { cursor } = JSON.parse((await ask({ method: 'GET', path: '/api/v1/changes/since' })).body)
  const school = await fillValidSchool(url, email.split('@')[0] ?? '', thisMonday())
  return { ask, longestTurn: meter.read, school: { ...school, cursor } }
}

async function requestsOf(
  ask: (request: WireRequest) => Promise<Answer>,
  { instructor, student, free, busy, cursor }: ValidSchool & { readonly cursor: string },
): Promise<Readonly<Record<string, WireRequest | (() => WireRequest)>>> {
  const get = (path: string): WireRequest => ({ method: 'GET', path: `/api/v1${path}` })
  const post = (path: string, body: object): WireRequest => ({
    ...{ method: 'POST', path: `/api/v1${path}` },
    body: JSON.stringify(body),
  })
  const monday = daysLater(thisMonday(), 7)
  const after = (days: number) => daysLater(monday, days)
  await ask({
    ...post('/tenant', {
      cancellation_policy: [WORKING_DAYS],
      student_booking: { mode: 'book', lessons_ahead: 20 },
      student_actions: { proof: 'none' },
    }),
    method: 'PATCH',
  })
  const types: readonly { id: string; code: string }[] = JSON.parse((await ask(get('/lesson-types'))).body)
  const practice = types.find(({ code }) => code === 'PRACTICE')?.id ?? ''
  const page = new URL(JSON.parse((await ask(post(`/students/${student}/link`, {}))).body).url).pathname
  const feed = JSON.parse(
    (await ask(post(`/instructors/${instructor}/calendar-feed`, { detail: 'full' }))).body,
  )
  const week = `from=${monday}&to=${after(6)}`
  const away = { start_date: monday, end_date: after(DAYS_AWAY) }
  const slots = `/slots?lesson_type_id=${practice}&from=${monday}&to=${after(20)}&minutes=60&step=5`
  const wanted = { instructor_id: instructor, lesson_type_id: practice, student_id: student }
  const saturday = { start_at: `${after(5)} 08:00`, end_at: `${after(5)} 09:00` }
  const gap = new URLSearchParams({ instructor_id: free, ...saturday })
  const windows = [1, 2, 3, 4, 5].map((weekday) => ({
    weekday,
    start: '07:00',
    end: weekday === 1 ? '14:00' : '20:00',
  }))
  const hours = { availability_windows: windows }
  const students: readonly { id: string }[] = JSON.parse((await ask(get(`/students?limit=${WISHES}`))).body)
  for (const { id } of students) await ask(post(`/students/${id}/wishes`, { minutes: 90 }))
  return {
    bootstrap: get('/bootstrap'),
    'the lessons of a week': get(`/appointments?${week}`),
    'the students': get('/students'),
    'the students with readiness': get('/students?with=readiness'),
    'free times of all in three weeks': get(slots),
    'the best free times of all in three weeks': get(
      `${slots}&order=fit&limit=200&student_id=${student}&vehicle=usual`,
    ),
    'the check of a lesson that is refused': post('/appointments/check', {
      ...wanted,
      ...{ start_at: `${monday} 08:00`, end_at: `${monday} 09:00` },
    }),
    'a preview of 52 lessons': post('/appointments/series', {
      appointment: { ...wanted, start_at: `${monday} 08:00`, end_at: `${monday} 09:00` },
      ...{ repeat: { every_weeks: 1, count: 52 }, dry_run: true },
    }),
    'the plan of an absence of 440 lessons': post(`/instructors/${instructor}/absence-plan`, away),
    'the ladder of a sick day': post(`/instructors/${instructor}/absence-plan`, {
      ...{ start_date: monday, end_date: monday, may_move: 2 },
    }),
    'the plan of other hours': post(`/instructors/${instructor}/change-plan`, hours),
    'what other hours break': post(`/instructors/${instructor}/impact`, hours),
    'who could come': get(`/gaps?${gap}`),
    [`the plan of a week for ${WISHES} students`]: post('/plans', { from: after(140), to: after(144) }),
    'the check of a file of 2 MB': post('/student-imports/check', { file: fileOfStudents('lena') }),
    'the deletion of a student with 400 lessons, and back': () =>
      deletions++ % 2 === 1
        ? post(`/students/${busy}/restore`, {})
        : { method: 'DELETE', path: `/api/v1/students/${busy}` },
    'the export of the students': get('/exports/students.csv'),
    'the export of the lessons': get(
      `/exports/appointments.csv?from=${daysLater(monday, -49)}&to=${after(100)}`,
    ),
    'the numbers of a year': get(`/numbers?from=${daysLater(monday, -200)}&to=${after(160)}`),
    "a student's page": { method: 'GET', path: page },
    "times to book on a student's page": { method: 'GET', path: `${page}/book?lesson_type_id=${practice}` },
    'the calendar of an instructor': { method: 'GET', path: new URL(feed.url).pathname },
    'a page of changes': get('/changes?limit=200'),
    'changes since': get(`/changes/since?cursor=${encodeURIComponent(cursor)}`),
    'the inbox': get('/inbox'),
    'the closures': get('/closures'),
    'the import of a file of 2 MB': () => post('/student-imports', { file: fileOfStudents(`x${++imports}`) }),
  }
}

function fileOfStudents(name: string): string {
  const lines = Array.from({ length: LINES }, (_, at) =>
    `${name};Vogt ${at};${name}${at}@bench.example;13.02.2001;+49 171 ${6_000_000 + at};`.padEnd(
      Math.floor(MAX_FILE_BYTES / (LINES + 1)) - 1,
      'x',
    ),
  )
  const head = 'Vorname;Nachname;E-Mail;Geburtsdatum;Telefon;Notizen'
  return Buffer.from([head, ...lines].join('\n')).toString('base64')
}

function rowOf(name: string, answers: readonly Answer[], turns: readonly LongestTurn[]): string {
  const most = (values: readonly number[]) => Math.max(...values).toFixed(0)
  const cells = [
    most(answers.map(({ body }) => Buffer.byteLength(body) / 1000)),
    most(answers.map(({ ms }) => ms)),
    most(turns.map(({ elapsed }) => elapsed)),
    most(turns.map(({ processor }) => processor)),
  ]
  return `| ${name} | ${cells.join(' | ')} |`
}
