import { Agent, get, type IncomingMessage } from 'node:http'

/** What a client with one connection is told, and whether the request went over one that was open before. */
type Told = {
  readonly status: number | undefined
  readonly connection: string | undefined
  readonly isReused: boolean
}

/** A client that keeps its one connection open between requests, as proxies do. */
export class KeepAlive {
  readonly #url: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })

  constructor(url: string) {
    this.#url = url
  }

  /** Asks for a page. A connection that is reset is an error. */
  async get(page: string): Promise<Told> {
    return new Promise((resolve, reject) => {
      const request = get(`${this.#url}${page}`, { agent: this.#agent }, (answer: IncomingMessage) => {
        const { statusCode: status, headers } = answer
        answer.resume()
        answer.once('end', () =>
          resolve({ status, connection: headers.connection, isReused: request.reusedSocket }),
        )
      })
      request.once('error', reject)
    })
  }
}
