import { errorFor } from './error.ts'
import { type Client, createClient, createConfig } from './generated/client/index.ts'
import { TAKES_A_KEY } from './generated/keyed.gen.ts'
import { sendAgain } from './send-again.ts'
import { type ConnectionOptions, Session } from './session.ts'

/** A connection to a school: pass it as `client` to every operation. */
export type Connection = Client

/**
 * Returns a connection that logs in, renews the token, and sends a request a second time, with the same
 * `Idempotency-Key`, if its response was lost or the service was overloaded. Operations throw a `FahrplanError`.
 */
export function connect(options: ConnectionOptions): Connection {
  const send = options.fetch ?? fetch
  const session = new Session({ ...options, fetch: send })
  const client = createClient(
    createConfig({
      baseUrl: options.url.replace(/\/$/, ''),
      throwOnError: true,
      fetch: (input, init) => session.send(new Request(input, init), (request) => sendAgain(request, send)),
    }),
  )
  client.interceptors.request.use((request, { url }) => {
    if (request.method === 'POST' && TAKES_A_KEY.has(url) && !request.headers.has('idempotency-key'))
      request.headers.set('idempotency-key', crypto.randomUUID())
    return request
  })
  client.interceptors.error.use((error, response) => errorFor(error, response))
  return client
}
