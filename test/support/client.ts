import { randomInt } from 'node:crypto'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describeApi } from '../../src/cli/openapi.ts'
import { BROKEN_RULES } from '../../src/domain/refusal.ts'

/** A response as a client sees it. `body` is parsed JSON, or the text if that is not JSON. */
export type Answer = {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of any resource
  readonly body: any
  readonly text: string
}

export type Headings = Readonly<Record<string, string>>

/** The address of a service, in this process or another. */
export type Reached = { readonly url: string }

/** An HTTP client of a service that checks every response against the OpenAPI document. */
export class Client {
  readonly #service: Reached
  readonly #headers: Headings

  constructor(service: Reached, headers: Headings = {}) {
    this.#service = service
    this.#headers = { 'x-forwarded-for': anAddress(), ...headers }
  }

  /** Returns the same client with additional headers. */
  with(headers: Headings): Client {
    return new Client(this.#service, { ...this.#headers, ...headers })
  }

  /** The headers of every request. */
  get headers(): Headings {
    return this.#headers
  }

  get(path: string, headers?: Headings): Promise<Answer> {
    return this.send('GET', path, undefined, headers)
  }

  post(path: string, body?: unknown, headers?: Headings): Promise<Answer> {
    return this.send('POST', path, body, headers)
  }

  put(path: string, body?: unknown, headers?: Headings): Promise<Answer> {
    return this.send('PUT', path, body, headers)
  }

  patch(path: string, body?: unknown, headers?: Headings): Promise<Answer> {
    return this.send('PATCH', path, body, headers)
  }

  delete(path: string, headers?: Headings): Promise<Answer> {
    return this.send('DELETE', path, undefined, headers)
  }

  /** Sends a request. The path is relative to the API unless it begins with `//`, which stands for the root. */
  async send(method: string, path: string, body?: unknown, headers: Headings = {}): Promise<Answer> {
    const url = path.startsWith('//')
      ? `${this.#service.url}${path.slice(1)}`
      : `${this.#service.url}/api/v1${path}`
    const isRaw = typeof body === 'string' || body instanceof Uint8Array
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        ...this.#headers,
        ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
    })
    const text = await response.text()
    const answer = { status: response.status, headers: response.headers, text, body: parsed(text) }
    await requireDocumented(method, url, answer)
    return answer
  }
}

/** Returns the status of a page outside the API, such as `/readyz`. */
export async function statusOf(url: string, page: string): Promise<number> {
  const response = await fetch(`${url}${page}`, { signal: AbortSignal.timeout(30_000) })
  await response.text()
  return response.status
}

/** Returns a random IP address for a client, because failed logins are counted by address. */
export function anAddress(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}

type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}
type Operation = {
  readonly responses: Readonly<
    Record<
      string,
      { content?: Record<string, { schema: object }>; headers?: Readonly<Record<string, object>> }
    >
  >
}

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
const validators = new Map<string, ReturnType<typeof ajv.compile>>()

/** The document, which is the same for every service of this version and made once per worker. */
let described: Promise<Document> | undefined

/** Makes the document in advance: it blocks the event loop for a second, which would delay a concurrent test. */
export async function learnDocument(): Promise<void> {
  await document()
}

function document(): Promise<Document> {
  described ??= describeApi() as Promise<Document>
  return described
}

/** Throws if the response's status, headers or body are not as documented for the operation. */
async function requireDocumented(method: string, url: string, answer: Answer): Promise<void> {
  const { paths, components } = await document()
  const path = new URL(url).pathname
  const template = Object.keys(paths).find((one) => patternOf(one).test(path))
  const operation = template && paths[template]?.[method.toLowerCase()]
  if (!template || !operation) return
  const response = operation.responses[answer.status]
  if (!response)
    throw new Error(
      `${method} ${template} answered ${answer.status}, which is not documented: ${answer.text}`,
    )
  requireHeaders(`${method} ${template} ${answer.status}`, Object.keys(response.headers ?? {}), answer)
  const schema = response.content?.['application/json']?.schema
  if (!schema) {
    if (answer.text !== '' && !response.content)
      throw new Error(`${method} ${template} ${answer.status} should have no body: ${answer.text}`)
    return
  }
  const key = `${method} ${template} ${answer.status}`
  requireSchema(key, { ...schema, components }, answer, answer.body)
  const { code, params } = answer.body ?? {}
  if (answer.status === 409 && BROKEN_RULES.includes(code))
    requireSchema('Refusal in a problem', { ...openRefusal(components), components }, answer, {
      code,
      params,
    })
}

/** Returns the schema of refusals for problems, whose params may also say which of several lessons breaks the rule. */
function openRefusal({ schemas }: Document['components']): object {
  const isClosed = (key: string, value: unknown) => key === 'additionalProperties' && value === false
  return JSON.parse(
    JSON.stringify(schemas.Refusal, (key, value) => (isClosed(key, value) ? undefined : value)),
  )
}

function requireSchema(key: string, schema: object, answer: Answer, value: unknown): void {
  const validate = validators.get(key) ?? ajv.compile(schema)
  validators.set(key, validate)
  if (validate(value)) return
  throw new Error(
    `${key} is not as documented: ${ajv.errorsText(validate.errors)}\n${answer.text.slice(0, 500)}`,
  )
}

/** The documented headers. Those of the second list are sent with every response that documents them, except a 409. */
const NAMED = ['ETag', 'Location', 'Link', 'Retry-After', 'Idempotency-Replayed']
const CERTAIN = ['ETag', 'Location', 'Retry-After']

function requireHeaders(key: string, documented: readonly string[], { status, headers }: Answer): void {
  const sent = NAMED.filter((name) => headers.has(name))
  const wrong = [
    ...sent.filter((name) => !documented.includes(name)).map((name) => `sends ${name}`),
    ...CERTAIN.filter((name) => status !== 409 && documented.includes(name) && !sent.includes(name)).map(
      (name) => `lacks ${name}`,
    ),
  ]
  if (wrong.length > 0) throw new Error(`${key} is not as documented: ${wrong.join(', ')}`)
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`)
}

/** Returns the body of a response that must have this status, or throws with its text. */
export function must(status: number, answer: Answer) {
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`)
  return answer.body
}
