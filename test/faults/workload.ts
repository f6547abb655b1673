import { randomUUID } from 'node:crypto'
import type { RandomInteger } from '../concurrency/random-integers.ts'
import type { Answer } from '../support/client.ts'
import type { Row, School } from '../support/factory.ts'
import { times } from '../support/races.ts'

/** The fields of a lesson that are checked. */
export type Standing = {
  readonly instructor_id: string
  readonly student_id: string
  readonly start_at: string
  readonly end_at: string
}

export type SentBooking = { readonly wanted: Standing; readonly key: string }

/** The state that clients expect from the responses they got. */
export type Expected = {
  /** The possible states of each acknowledged lesson, `undefined` if deleted: several if a change got no response. */
  readonly lessons: Map<string, readonly (Standing | undefined)[]>
  /** Lessons left by earlier clients for the next ones to change: a full calendar has room only for moves. */
  readonly left: string[]
  /** Requested lessons without a response, with the key of each request. */
  unanswered: readonly SentBooking[]
  /** Responses that no client should ever get. */
  readonly strange: string[]
  acknowledged: number
  refused: number
  unavailable: number
}

export type Staff = { readonly instructors: readonly Row[]; readonly students: readonly Row[] }

const CLIENTS = 8
const WEEKS = 2
const FIRST_MONDAY = Date.UTC(2031, 2, 3)
/** Limits that full days and weeks reach, so that every rule refuses something. */
const RULES = {
  max_daily_units: 8,
  max_weekly_units: 30,
  required_break_minutes: 5,
  max_continuous_minutes: 240,
}

export function nothingExpected(): Expected {
  const counts = { acknowledged: 0, refused: 0, unavailable: 0 }
  return { lessons: new Map(), left: [], unanswered: [], strange: [], ...counts }
}

/** Makes the people for a load: four instructors with rules, and ten students. */
export async function hire(school: School): Promise<Staff> {
  const instructors = await Promise.all(times(4, () => school.instructor(RULES)))
  const students = await Promise.all(times(10, () => school.student()))
  return { instructors, students }
}

/**
 * Runs clients that book, move and delete lessons of their own until `isOver`, and adds the responses to `known`. A failed
 * request is not retried.
 */
export async function loadUntil(
  isOver: () => boolean,
  work: { readonly school: School; readonly staff: Staff; readonly random: RandomInteger },
  known: Expected,
): Promise<void> {
  const client = async () => {
    const own = known.left.splice(0, Math.ceil(known.left.length / CLIENTS))
    while (!isOver()) await sendRandomRequest(work, own, known)
    known.left.push(...own)
  }
  await Promise.all(times(CLIENTS, client))
}

type Work = Parameters<typeof loadUntil>[1]

async function sendRandomRequest(
  { school, staff, random }: Work,
  own: string[],
  known: Expected,
): Promise<void> {
  const lot = random(10)
  const id = own[random(own.length)]
  if (lot < 6 || id === undefined) {
    const wanted = aStanding(staff, random)
    const booked = await book(school, { wanted, key: randomUUID() }, known)
    if (booked !== undefined) own.push(booked)
    return
  }
  const before = known.lessons.get(id) ?? []
  if (lot < 9) {
    const { start_at, end_at } = aStanding(staff, random)
    const answer = await ask(known, () => school.client.patch(`/appointments/${id}`, { start_at, end_at }))
    const after = before.map((state) => state && { ...state, start_at, end_at })
    if (!answer) known.lessons.set(id, [...before, ...after])
    else if (answer.status === 200) known.lessons.set(id, [standingOf(answer.body)])
    return
  }
  const answer = await ask(known, () => school.client.delete(`/appointments/${id}`))
  if (!answer) known.lessons.set(id, [...before, undefined])
  else if (answer.status === 204) known.lessons.set(id, [undefined])
}

/**
 * Retries the requests without a response under their keys. From then on every lesson that was not acknowledged is one
 * too many.
 */
export async function sendAgain(school: School, known: Expected): Promise<void> {
  const { unanswered } = known
  known.unanswered = []
  for (const asked of unanswered) await book(school, asked, known)
}

/** Books a lesson. Returns its id, or undefined if it was not booked. */
async function book(school: School, asked: SentBooking, known: Expected): Promise<string | undefined> {
  const answer = await ask(known, () => school.book(asked.wanted, { 'idempotency-key': asked.key }))
  if (!answer) known.unanswered = [...known.unanswered, asked]
  if (answer?.status !== 201) return undefined
  known.lessons.set(answer.body.id, [standingOf(answer.body)])
  return answer.body.id
}

/** Sends a request and counts its outcome. Returns undefined if that is unknown: after a 503 or without a response. */
async function ask(known: Expected, request: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    const answer = await request()
    if (answer.status < 300) known.acknowledged += 1
    else if (answer.status === 409) known.refused += 1
    else if (answer.status === 503) known.unavailable += 1
    // A lesson whose deletion got no response may already be deleted.
    else if (answer.status !== 404) known.strange.push(`${answer.status} ${answer.text}`)
    return answer.status === 503 ? undefined : answer
  } catch (error) {
    // `fetch` throws a TypeError if a connection fails; any other error is the client's check of the response.
    if (!(error instanceof TypeError)) known.strange.push(String(error))
    else known.unavailable += 1
    return undefined
  }
}

/** Returns a random lesson of 45 or 90 minutes in two weeks, at full quarters of an hour: many collide. */
function aStanding({ instructors, students }: Staff, random: RandomInteger): Standing {
  const day = FIRST_MONDAY + random(WEEKS * 7) * 86_400_000
  const start = day + (7 * 60 + 15 * random(48)) * 60_000
  const clock = (time: number) => new Date(time).toISOString().slice(0, 16).replace('T', ' ')
  return {
    instructor_id: instructors[random(instructors.length)]?.id ?? '',
    student_id: students[random(students.length)]?.id ?? '',
    start_at: clock(start),
    end_at: clock(start + (45 + 45 * random(2)) * 60_000),
  }
}

/** Returns the checked fields of a row. */
export function standingOf({
  instructor_id,
  student_id,
  start_at,
  end_at,
}: Record<string, unknown>): Standing {
  return { instructor_id, student_id, start_at, end_at } as Standing
}
