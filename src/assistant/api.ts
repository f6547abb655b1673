import type { ProblemBody } from '../contract/problem.ts'

export type ApiRequest = {
  readonly method: 'GET' | 'POST'
  /** The path below `/api/v1`, with its query. */
  readonly path: string
  readonly body?: unknown
}

export type ApiAnswer = {
  readonly status: number
  readonly body: unknown
  readonly link?: string | undefined
}

/** Sends a request to the API with the token of the person for whom the assistant works. */
export type SendToApi = (request: ApiRequest) => Promise<ApiAnswer>

export class RefusedByApi extends Error {
  readonly problem: Pick<ProblemBody, 'code' | 'detail' | 'params' | 'errors'>

  constructor({ code, detail, params, errors }: ProblemBody) {
    super(detail)
    this.problem = { code, detail, params, ...(errors && { errors }) }
  }
}

type Query = Readonly<Record<string, string | number | undefined>>

/** The API as the tools use it: nothing in it writes. All methods throw `RefusedByApi`. */
export class ReadingApi {
  readonly #send: SendToApi

  constructor(send: SendToApi) {
    this.#send = send
  }

  async get<Body>(path: string, query: Query = {}): Promise<Body> {
    return (await this.#answer({ method: 'GET', path: path + queryText(query) })).body as Body
  }

  async check<Body>(body: object): Promise<Body> {
    return (await this.#answer({ method: 'POST', path: '/appointments/check', body })).body as Body
  }

  /** Yields the rows of a list by pages, because long responses would block the event loop. */
  async *rows<Row>(path: string, query: Query = {}): AsyncGenerator<Row> {
    let next: string | undefined = path + queryText({ ...query, limit: 200 })
    while (next !== undefined) {
      const { body, link } = await this.#answer({ method: 'GET', path: next })
      yield* body as Row[]
      next = nextPath(link)
    }
  }

  async #answer(request: ApiRequest): Promise<ApiAnswer> {
    const answer = await this.#send(request)
    if (answer.status >= 400) throw new RefusedByApi(answer.body as ProblemBody)
    return answer
  }
}

function queryText(query: Query): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value))
  return given.size === 0 ? '' : `?${given}`
}

function nextPath(link: string | undefined): string | undefined {
  const [, url = ''] = /^<([^>]*)>; rel="next"$/.exec(link ?? '') ?? []
  const start = url.indexOf('/api/v1/')
  return start === -1 ? undefined : url.slice(start + '/api/v1'.length)
}
