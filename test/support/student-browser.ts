import { expect } from 'vitest'
import type { TestService } from './app.ts'
import { type Answer, Client, type Headings } from './client.ts'
import type { Row, School } from './factory.ts'
import { type Held, holdBytes } from './held-request.ts'

type Form = Readonly<Record<string, string>>

/** A browser without scripts on a student's page. It keeps the cookie of its verification. */
export class StudentBrowser {
  readonly path: string
  readonly #client: Client
  readonly #url: string
  #cookie: Headings = {}

  constructor(service: TestService, path: string) {
    this.path = path
    this.#client = new Client(service)
    this.#url = service.url
  }

  /** Opens a browser at a new link of the student. */
  static async open(service: TestService, { client }: School, { id }: Row): Promise<StudentBrowser> {
    const { status, body } = await client.post(`/students/${id}/link`)
    expect(status).toBe(200)
    return new StudentBrowser(service, `/${body.url.slice(service.url.length)}`)
  }

  /** Returns another browser with the same link. */
  forwardedTo(service: TestService): StudentBrowser {
    return new StudentBrowser(service, this.path)
  }

  list(): Promise<Answer> {
    return this.#client.get(this.path, this.#cookie)
  }

  look(lesson: string): Promise<Answer> {
    return this.#client.get(`${this.path}/lessons/${lesson}`, this.#cookie)
  }

  lookAtBooking(query = ''): Promise<Answer> {
    return this.#client.get(`${this.path}/book${query}`, this.#cookie)
  }

  /** Searches for times to book, like the form of the booking page. */
  searchToBook(lesson_type_id: string, pages?: string): Promise<Answer> {
    const query = new URLSearchParams({ lang: 'de', lesson_type_id, ...(pages && { pages }) })
    return this.lookAtBooking(`?${query}`)
  }

  /** Sends a form of the booking page. */
  pressBooking(form: Form): Promise<Answer> {
    return this.#send(`${this.path}/book`, form)
  }

  lookAtWishes(): Promise<Answer> {
    return this.#client.get(`${this.path}/wishes`, this.#cookie)
  }

  lookAtOffer({ id }: Row): Promise<Answer> {
    return this.#client.get(`${this.path}/offers/${id}`, this.#cookie)
  }

  /** Sends a form of a lesson's page. */
  press(lesson: string, form: Form, headers: Headings = {}): Promise<Answer> {
    return this.#send(`${this.path}/lessons/${lesson}`, form, headers)
  }

  /** Sends the head of a request with a form of a lesson's page, and holds back the body. */
  hold(lesson: string, form: Form): Promise<Held<{ readonly status: number }>> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...this.#cookie }
    const text = new URLSearchParams(form).toString()
    return holdBytes(`${this.#url}${this.path.slice(1)}/lessons/${lesson}`, { method: 'POST', headers, text })
  }

  /** Sends a form of the wishes page. */
  pressWish(form: Form): Promise<Answer> {
    return this.#send(`${this.path}/wishes`, form)
  }

  lookAtWeeks(): Promise<Answer> {
    return this.#client.get(`${this.path}/weeks`, this.#cookie)
  }

  /** Sends a form of the page of weeks, which may have a field several times. */
  pressWeek(form: readonly (readonly [string, string])[]): Promise<Answer> {
    return this.#send(`${this.path}/weeks`, form)
  }

  lookAtSignatures(): Promise<Answer> {
    return this.#client.get(`${this.path}/signatures`, this.#cookie)
  }

  /** Sends a form of the page of signatures, which may have a field several times. */
  pressSignatures(form: readonly (readonly [string, string])[]): Promise<Answer> {
    return this.#send(`${this.path}/signatures`, form)
  }

  /** Sends a form of an offer's page. */
  pressOffer({ id }: Row, form: Form): Promise<Answer> {
    return this.#send(`${this.path}/offers/${id}`, form)
  }

  lookAtMessages(): Promise<Answer> {
    return this.#client.get(`${this.path}/messages`, this.#cookie)
  }

  /** Sends the same request as the script of the messages page. */
  pressMessages(form: Form, headers: Headings = {}): Promise<Answer> {
    return this.#send(`${this.path}/messages`, form, headers)
  }

  async #send(
    path: string,
    form: Form | readonly (readonly [string, string])[],
    headers: Headings = {},
  ): Promise<Answer> {
    const pairs: readonly (readonly [string, string])[] = Array.isArray(form) ? form : Object.entries(form)
    const body = pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
    const type = 'application/x-www-form-urlencoded'
    const answer = await this.#client.post(path, body, { 'content-type': type, ...this.#cookie, ...headers })
    const cookie = answer.headers.get('set-cookie')
    if (cookie) this.#cookie = { cookie: cookie.split(';')[0] ?? '' }
    return answer
  }

  /** Sends the form with this act from a lesson's page, with additional fields. */
  async submit(lesson: string, act: string, more: Form = {}): Promise<Answer> {
    return this.press(lesson, { ...formOf(await this.look(lesson), act), ...more })
  }
}

/** Returns the hidden fields of the form with this act on a page. */
export function formOf({ text }: Answer, act: string): Form {
  const forms = text.match(/<form[\s\S]*?<\/form>/g) ?? []
  const form = forms.find((one) => one.includes(`name="act" value="${act}"`))
  expect(form, `a form to ${act}`).toBeDefined()
  const fields = [...(form ?? '').matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)]
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]))
}
