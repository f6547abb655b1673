import { expect } from 'vitest'
import type { TestService } from './app.ts'
import { type Answer, Client, type Headings } from './client.ts'
import { aSchool, logIn, School } from './factory.ts'

/** How many clients race, unless a test has a reason for another number. */
export const CLIENTS = 32

/** A request and its answer; the times are the client's, in milliseconds. */
export type Exchange = {
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly answer: Answer
  readonly sentAt: number
  readonly answeredAt: number
}

export type Request = () => Promise<Answer>
export type Slot = { readonly start_at: string; readonly end_at: string }
type Fields = Readonly<Record<string, unknown>>
type Created = { id: string } & Record<string, unknown>

/** A client that remembers what it asked and what it was told. */
class RecordingClient extends Client {
  readonly #history: Exchange[]

  constructor(service: TestService, headers: Headings, history: Exchange[]) {
    super(service, headers)
    this.#history = history
  }

  override async send(method: string, path: string, body?: unknown, headers?: Headings): Promise<Answer> {
    const sentAt = performance.now()
    const answer = await super.send(method, path, body, headers)
    this.#history.push({ method, path, body, answer, sentAt, answeredAt: performance.now() })
    return answer
  }
}

/** A school whose clients race each other; all that they said and heard is in `history`, in order of the answers. */
export class RacingSchool extends School {
  readonly history: Exchange[]
  /** Codes of the rules that were tightened on the way, so that older lessons may break them. */
  readonly tightened = new Set<string>()
  readonly #services: readonly TestService[]
  readonly #headers: Headings

  constructor(school: School, services: readonly TestService[], headers: Headings, history: Exchange[] = []) {
    const [service] = services
    if (!service) throw new Error('a school needs a service')
    super(school.tenantId, school.user, new RecordingClient(service, headers, history), school.lessonTypes)
    this.history = history
    this.#services = services
    this.#headers = headers
  }

  /** The same school as it is reached through each of its services, in turn. */
  through(index: number): School {
    const services = this.#services
    const turn = index % services.length
    return new RacingSchool(this, services.slice(turn), this.#headers, this.history)
  }

  /** Lets a client connect for each request, then sends all requests at once. */
  async race(requests: readonly Request[]): Promise<Answer[]> {
    const connections = this.#services.flatMap(({ url }) => requests.map(() => fetch(`${url}/healthz`)))
    await Promise.all((await Promise.all(connections)).map((response) => response.text()))
    return Promise.all(requests.map((request) => request()))
  }

  instructors(count: number, fields: Fields = {}): Promise<Created[]> {
    return Promise.all(times(count, () => this.instructor(fields)))
  }

  students(count: number): Promise<Created[]> {
    return Promise.all(times(count, () => this.student()))
  }

  lessons(all: readonly Fields[]): Promise<Created[]> {
    return Promise.all(all.map((fields) => this.lesson(fields)))
  }

  move(lesson: { id: unknown }, change: Fields): Promise<Answer> {
    return this.client.patch(`/appointments/${lesson.id}`, change)
  }

  remove(lesson: { id: unknown }): Promise<Answer> {
    return this.client.delete(`/appointments/${lesson.id}`)
  }

  restore(lesson: { id: unknown }): Promise<Answer> {
    return this.client.post(`/appointments/${lesson.id}/restore`)
  }
}

/** A fresh school that may be reached through any of the services. */
export async function aRacingSchool(
  services: readonly TestService[],
  tenant: Parameters<typeof aSchool>[1] = {},
): Promise<RacingSchool> {
  const [service] = services
  if (!service) throw new Error('a school needs a service')
  const school = await aSchool(service, tenant)
  const { token } = await logIn(new Client(service), school.user.email)
  return new RacingSchool(school, services, { authorization: `Bearer ${token}` })
}

export type Outcome = { readonly accepted: Answer['body'][]; readonly refused: Answer['body'][] }

/** What was accepted, and what the rules refused. Nothing else may have been answered. */
export function outcomeOf(answers: readonly Answer[]): Outcome {
  const others = answers.filter(({ status }) => ![200, 201, 409].includes(status))
  expect(others.map(({ status, text }) => `${status} ${text}`)).toEqual([])
  return {
    accepted: answers.filter(({ status }) => status < 300).map(({ body }) => body),
    refused: answers.filter(({ status }) => status === 409).map(({ body }) => body),
  }
}

/** The code and the parameters of each refusal. */
export function reasonsOf(refused: Outcome['refused']): { code: string; params: Fields }[] {
  return refused.map(({ code, params }) => ({ code, params }))
}

/** How a refusal names the appointment that is in the way. */
export function conflictWith(
  code: 'instructor_busy' | 'student_busy',
  { id, start_at, end_at }: Answer['body'],
): { code: string; params: Fields } {
  return { code, params: { appointment_id: id, start_at, end_at } }
}

/** Mondays of as many weeks: a year's end lies in the first one, and no clock changes in any. */
export function mondays(count: number): string[] {
  return times(count, (week) => dateAfter('2040-12-31', 7 * week))
}

export function dateAfter(date: string, days: number): string {
  return clock(date, days * 24 * 60).slice(0, 10)
}

/** A time of so many minutes, so many minutes after the date's midnight. */
export function slot(date: string, minutesAfterMidnight: number, minutes = 45): Slot {
  return {
    start_at: clock(date, minutesAfterMidnight),
    end_at: clock(date, minutesAfterMidnight + minutes),
  }
}

/** Times one after the other, from the date's midnight on. */
export function slots(count: number, date: string, minutes = 45): Slot[] {
  return times(count, (index) => slot(date, index * minutes, minutes))
}

export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

function clock(date: string, minutesAfterMidnight: number): string {
  const instant = Date.parse(`${date}T00:00Z`) + minutesAfterMidnight * 60_000
  return new Date(instant).toISOString().slice(0, 16).replace('T', ' ')
}
