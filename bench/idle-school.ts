import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { dayOf, localDateFor } from '../src/domain/local-time.ts'
import { thisMonday } from '../test/support/history.ts'
import type { Checkout } from './checkout.ts'

export const PASSWORD = 'a password for the bench'

const AT_ONCE = 8
const HOURS_A_DAY = 14

type Environment = Readonly<Record<string, string>>
/** The size of a school. The lessons are those of each instructor on each day of a week. */
export type Size = { readonly students: number; readonly instructors?: number; readonly lessonsADay?: number }
type Api = (path: string, body: object) => Promise<{ readonly id: string }>

export function foundSchool(checkout: Checkout, env: Environment, name: string): string {
  const place = ['--country', 'DE', '--timezone', 'Europe/Berlin', '--locale', 'de']
  const { id } = run(checkout, env, '', 'tenant', 'create', '--name', name, ...place)
  const email = `${id}@bench.example`
  run(checkout, env, `${PASSWORD}\n`, 'user', 'create', ...accountOf(id, email))
  return email
}

export function createInstructorUser(
  checkout: Checkout,
  env: Environment,
  ownerEmail: string,
  instructorId: string,
): string {
  const [tenantId = ''] = ownerEmail.split('@')
  const email = `${instructorId}@bench.example`
  const role = ['--role', 'instructor', '--instructor', instructorId]
  run(checkout, env, `${PASSWORD}\n`, 'user', 'create', ...accountOf(tenantId, email), ...role)
  return email
}

function accountOf(tenantId: string, email: string): readonly string[] {
  return ['--tenant', tenantId, '--email', email, '--name', 'Bench', '--password-stdin']
}

function run({ folder }: Checkout, env: Environment, input: string, ...argv: readonly string[]) {
  const program = [join(folder, 'bin/fahrplan.js'), ...argv, '--json']
  const options = { cwd: folder, env: { ...process.env, ...env }, input, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, program, options)
  if (status !== 0) throw new Error(`${argv.join(' ')}: ${stderr}`)
  return JSON.parse(stdout)
}

/** Fills a school over HTTP: people, and lessons on each day of this week. Returns the instructors' ids. */
export async function enrolSchool(
  url: string,
  email: string,
  { students, instructors: instructorCount = 6, lessonsADay = 4 }: Size,
): Promise<readonly string[]> {
  const { post, lessonTypeId } = await logIn(url, email)
  const unlimited = { max_daily_units: null, max_weekly_units: null, max_continuous_minutes: null }
  const instructors = await inTurn(instructorCount, (number) =>
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
  const hoursBetween = Math.min(2, Math.floor(HOURS_A_DAY / lessonsADay))
  await inTurn(instructorCount * lessonsADay * 7, (number) => {
    const hour = 8 + hoursBetween * (Math.floor(number / instructorCount) % lessonsADay)
    const date = localDateFor(monday + Math.floor(number / instructorCount / lessonsADay))
    const two = (count: number) => String(count).padStart(2, '0')
    return post('/appointments', {
      instructor_id: instructors[number % instructorCount],
      student_id: learners[number % learners.length],
      lesson_type_id: lessonTypeId,
      start_at: `${date} ${two(hour)}:00`,
      end_at: `${date} ${two(hour + hoursBetween - 1)}:30`,
    })
  })
  return instructors
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
