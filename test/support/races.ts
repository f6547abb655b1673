import { expect } from 'vitest'
import type { TestService } from './app.ts'
import { type Answer, Client, type Headings } from './client.ts'
import { aSchool, logIn, School } from './factory.ts'

/** The number of racing clients by default. */
export const CLIENTS = 32

/** A request and its response. The times are the client's, in milliseconds. */
export type Exchange = {
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly answer: Answer
  readonly sentAt: number
  readonly answeredAt: number
}

export type Services = readonly [TestService, ...TestService[]]
export type Request = () => Promise<Answer>
export type Slot = { readonly start_at: string; readonly end_at: string }
type Fields = Readonly<Record<string, unknown>>
type Created = { id: string } & Record<string, unknown>

/** A client that records its requests and responses. Of several services it uses the first most often. */
class RecordingClient extends Client {
  readonly #history: Exchange[]
  readonly #others: readonly Client[]
  #asked = 0

  constructor(services: Services, headers: Headings, history: Exchange[]) {
    const [service, ...others] = services
    super(service, headers)
    this.#history = history
    this.#others = others.map((other) => new Client(other, headers))
  }

  override async send(method: string, path: string, body?: unknown, headers?: Headings): Promise<Answer> {
    const sentAt = performance.now()
    const answer = await this.#ask(method, path, body, headers)
    this.#history.push({ method, path, body, answer, sentAt, answeredAt: performance.now() })
    return answer
  }

  #ask(...request: Parameters<Client['send']>): Promise<Answer> {
    const other = this.#others[this.#asked++ % 4]
    return other ? other.send(...request) : super.send(...request)
  }
}

/** A school whose clients race each other. `history` has all requests with their responses, in order of the responses. */
export class RacingSchool extends School {
  readonly history: Exchange[]
  /** The codes of the rules that were tightened during the test, so that older lessons may break them. */
  readonly tightened = new Set<string>()
  readonly #services: Services

  constructor(school: School, services: Services, headers: Headings) {
    const history: Exchange[] = []
    super(school.tenantId, school.user, new RecordingClient(services, headers, history), school.lessonTypes)
    this.history = history
    this.#services = services
  }

  /** Opens a connection for each request, then sends all requests at once. */
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

/** Makes a school that is used through all of the services. */
export async function aRacingSchool(
  services: Services,
  tenant: Parameters<typeof aSchool>[1] = {},
): Promise<RacingSchool> {
  const [service] = services
  const school = await aSchool(service, tenant)
  const { token } = await logIn(new Client(service), school.user.email)
  return new RacingSchool(school, services, { authorization: `Bearer ${token}` })
}

export type Outcome = { readonly accepted: Answer['body'][]; readonly refused: Answer['body'][] }

/** Returns the bodies of accepted and of refused requests. Fails on any other response. */
export function outcomeOf(answers: readonly Answer[]): Outcome {
  const others = answers.filter(({ status }) => ![200, 201, 409].includes(status))
  expect(others.map(({ status, text }) => `${status} ${text}`)).toEqual([])
  return {
    accepted: answers.filter(({ status }) => status < 300).map(({ body }) => body),
    refused: answers.filter(({ status }) => status === 409).map(({ body }) => body),
  }
}

/** Returns the code and the parameters of each refusal. */
export function reasonsOf(refused: Outcome['refused']): { code: string; params: Fields }[] {
  return refused.map(({ code, params }) => ({ code, params }))
}

/** Returns the params of a conflict with an appointment. */
export function conflictWith(
  code: 'instructor_busy' | 'student_busy',
  { id, start_at, end_at }: Answer['body'],
): { code: string; params: Fields } {
  return { code, params: { appointment_id: id, start_at, end_at } }
}

/** The number of weeks of the races. The first contains the turn of a year, and no clock changes in any of them. */
export const RACING_WEEKS = 8

/** Returns the Mondays of the first `count` weeks of the races. */
export function mondays(count: number): string[] {
  return times(RACING_WEEKS, (week) => dateAfter('2040-12-31', 7 * week)).slice(0, count)
}

export function dateAfter(date: string, days: number): string {
  return clock(date, days * 24 * 60).slice(0, 10)
}

/** Returns a time of this length that begins so many minutes after the date's midnight. */
export function slot(date: string, minutesAfterMidnight: number, minutes = 45): Slot {
  return {
    start_at: clock(date, minutesAfterMidnight),
    end_at: clock(date, minutesAfterMidnight + minutes),
  }
}

/** Returns back-to-back times from the date's midnight on. */
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
