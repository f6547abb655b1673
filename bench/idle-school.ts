import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { dayOf, localDateFor } from '../src/domain/local-time.ts'
import { thisMonday } from '../test/support/history.ts'
import type { Checkout } from './checkout.ts'

export const PASSWORD = 'a password for the bench'

const INSTRUCTORS = 6
const LESSONS_A_DAY = 4
const AT_ONCE = 8

type Environment = Readonly<Record<string, string>>
type Api = (path: string, body: object) => Promise<{ readonly id: string }>

/** Creates a school and its user by the checkout's command line; returns the user's address. */
export function foundSchool({ folder }: Checkout, env: Environment, name: string): string {
  const run = (input: string, ...argv: readonly string[]) => {
    const program = [join(folder, 'bin/fahrplan.js'), ...argv, '--json']
    const options = { cwd: folder, env: { ...process.env, ...env }, input, encoding: 'utf8' } as const
    const { status, stdout, stderr } = spawnSync(process.execPath, program, options)
    if (status !== 0) throw new Error(`${argv.join(' ')}: ${stderr}`)
    return JSON.parse(stdout)
  }
  const place = ['--country', 'DE', '--timezone', 'Europe/Berlin', '--locale', 'de']
  const { id } = run('', 'tenant', 'create', '--name', name, ...place)
  const email = `${id}@bench.example`
  const user = ['--tenant', id, '--email', email, '--name', 'Bench', '--password-stdin']
  run(`${PASSWORD}\n`, 'user', 'create', ...user)
  return email
}

/** Fills a school over HTTP: so many students, six instructors, and lessons on each day of this week. */
export async function enrolSchool(url: string, email: string, students: number): Promise<void> {
  const { post, lessonTypeId } = await logIn(url, email)
  const unlimited = { max_daily_units: null, max_weekly_units: null, max_continuous_minutes: null }
  const instructors = await inTurn(INSTRUCTORS, (number) =>
    post('/instructors', { first_name: 'Instructor', last_name: `Number ${number}`, ...unlimited }),
  )
  const learners = await inTurn(students, (number) =>
    post('/students', {
      first_name: `Student ${number % 100}`,
      last_name: `Number ${number}`,
      email: `student${number}@school.example`,
      phone: `+49 30 ${5_550_000 + number}`,
    }),
  )
  const monday = dayOf(thisMonday())
  await inTurn(INSTRUCTORS * LESSONS_A_DAY * 7, (number) => {
    const hour = 8 + 2 * (Math.floor(number / INSTRUCTORS) % LESSONS_A_DAY)
    const date = localDateFor(monday + Math.floor(number / INSTRUCTORS / LESSONS_A_DAY))
    return post('/appointments', {
      instructor_id: instructors[number % INSTRUCTORS],
      student_id: learners[number % learners.length],
      lesson_type_id: lessonTypeId,
      start_at: `${date} ${String(hour).padStart(2, '0')}:00`,
      end_at: `${date} ${String(hour + 1).padStart(2, '0')}:30`,
    })
  })
}

async function logIn(url: string, email: string): Promise<{ post: Api; lessonTypeId: string }> {
  const ask = async <T>(path: string, init: RequestInit): Promise<T> => {
    const answer = await fetch(`${url}/api/v1${path}`, init)
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const json = { 'content-type': 'application/json' }
  const credentials = { method: 'POST', headers: json, body: JSON.stringify({ email, password: PASSWORD }) }
  const { token } = await ask<{ token: string }>('/auth/login', credentials)
  const headers = { ...json, authorization: `Bearer ${token}` }
  const lessonTypes = await ask<readonly { id: string; code: string }[]>('/lesson-types', { headers })
  return {
    post: (path, body) => ask(path, { method: 'POST', headers, body: JSON.stringify(body) }),
    lessonTypeId: lessonTypes.find(({ code }) => code === 'PRACTICE')?.id ?? '',
  }
}

/** Creates so many, a few at a time; returns their ids in order. */
async function inTurn(
  count: number,
  make: (number: number) => Promise<{ readonly id: string }>,
): Promise<readonly string[]> {
  const ids: string[] = []
  for (let from = 0; from < count; from += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) => make(from + index))
    ids.push(...(await Promise.all(some)).map(({ id }) => id))
  }
  return ids
}
