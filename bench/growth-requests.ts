import { dayOf, localDateFor } from '../src/domain/local-time.ts'
import { COMING_WEEKS, emailOf, FREE_FROM_MINUTE, PASSWORD, thisMonday } from '../test/support/history.ts'
import { askOnce, type WireRequest } from './http-load.ts'

type School = {
  readonly headers: Readonly<Record<string, string>>
  readonly lessonTypeId: string
  readonly instructors: readonly string[]
  readonly students: readonly string[]
  /** A past lesson, and a cursor behind the last entry in the log of changes. */
  readonly lesson: string
  readonly cursor: string
}

export type GrowthOperation = {
  readonly name: string
  readonly status: number
  readonly next: () => WireRequest
}

/** The schools to request in turn: enough to spread over all tables, few enough to log in quickly. */
const MAX_ASKED = 10

export async function growthOperations(port: number, schools: number): Promise<readonly GrowthOperation[]> {
  const step = Math.max(1, schools / MAX_ASKED)
  const asked: School[] = []
  for (let number = 0; number < schools; number += step) asked.push(await enter(port, emailOf(number)))
  const read = (pathFor: (school: School) => string) =>
    inTurn(asked, (school) => ({
      method: 'GET',
      path: `/api/v1${pathFor(school)}`,
      headers: school.headers,
    }))
  return [
    // Measured before the bookings, which it would return.
    { name: 'changes since', status: 200, next: read(({ cursor }) => `/changes/since?cursor=${cursor}`) },
    { name: 'book', status: 201, next: inTurn(asked, bookingRequest) },
    { name: 'week list', status: 200, next: read(() => weekList(0)) },
    { name: 'history', status: 200, next: read(({ lesson }) => `/appointments/${lesson}/history`) },
    { name: 'changes', status: 200, next: read(() => '/changes?limit=50') },
    { name: 'bootstrap', status: 200, next: read(() => '/bootstrap') },
  ]
}

function weekList(weeksAgo: number): string {
  const monday = dayOf(thisMonday()) - 7 * weeksAgo
  return `/appointments?from=${localDateFor(monday)}&to=${localDateFor(monday + 6)}`
}

async function enter(port: number, email: string): Promise<School> {
  const login = await askOnce(port, {
    method: 'POST',
    path: '/api/v1/auth/login',
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  const headers = { authorization: `Bearer ${JSON.parse(login.body).token}` }
  const read = async (path: string) =>
    JSON.parse((await askOnce(port, { method: 'GET', path: `/api/v1${path}`, headers })).body)
  const { lessonTypes, instructors, students } = await read('/bootstrap')
  const [lesson] = await read(weekList(1))
  const { cursor } = await read('/changes/since')
  const practice = lessonTypes.find(({ code }: { code: string }) => code === 'PRACTICE')
  return {
    headers,
    lessonTypeId: practice.id,
    instructors: instructors.map(idOf),
    students: students.map(idOf),
    lesson: lesson.id,
    cursor,
  }
}

function idOf({ id }: { id: string }): string {
  return id
}

function inTurn(
  schools: readonly School[],
  requestTo: (school: School, turn: number) => WireRequest | undefined,
): () => WireRequest {
  let count = 0
  return () => {
    const school = schools[count % schools.length]
    const request = school && requestTo(school, Math.floor(count / schools.length))
    count += 1
    if (!request) throw new Error('no school')
    return request
  }
}

const SLOTS_A_DAY = 5
const WORKING_DAYS = 6

/** Returns a booking of a free 45-minute slot, half an hour from the next. Fills the weeks evenly over all instructors. */
function bookingRequest({ headers, instructors, students, lessonTypeId }: School, turn: number): WireRequest {
  const person = turn % instructors.length
  const slot = Math.floor(turn / instructors.length)
  const week = 1 + (slot % COMING_WEEKS)
  const day = Math.floor(slot / COMING_WEEKS) % WORKING_DAYS
  const place = Math.floor(slot / COMING_WEEKS / WORKING_DAYS)
  const block = COMING_WEEKS * Math.floor(place / SLOTS_A_DAY)
  const minute = FREE_FROM_MINUTE + (place % SLOTS_A_DAY) * 75
  const start = (dayOf(thisMonday()) + 7 * (week + block) + day) * 1440 + minute
  const body = JSON.stringify({
    instructor_id: instructors[person],
    student_id: students[person],
    lesson_type_id: lessonTypeId,
    start_at: textOf(start),
    end_at: textOf(start + 45),
  })
  return { method: 'POST', path: '/api/v1/appointments', headers, body }
}

function textOf(minute: number): string {
  return new Date(minute * 60_000).toISOString().slice(0, 16).replace('T', ' ')
}
