import { once as event } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A request whose last bytes are still to come: in flight for as long as a test likes. */
export class HalfSent {
  readonly #socket: Socket
  readonly #rest: string
  #answer = ''

  constructor(socket: Socket, rest: string) {
    this.#socket = socket
    this.#rest = rest
    socket.on('data', (chunk) => {
      this.#answer += chunk
    })
    socket.on('error', () => undefined)
  }

  /** Waits until the service has said this. */
  async hears(words: string): Promise<void> {
    while (!this.#answer.includes(words)) await event(this.#socket, 'data')
  }

  /** Sends the rest and returns all that the service said until it closed the connection. */
  async finish(): Promise<string> {
    const closed = event(this.#socket, 'close')
    this.#socket.write(this.#rest)
    await closed
    return this.#answer
  }

  abandon(): void {
    this.#socket.destroy()
  }
}

/** A GET that lacks the end of its headers. */
export function halfGet(url: string, page: string): Promise<HalfSent> {
  return halfSent(url, `GET ${page} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n`, '\r\n')
}

/** A login that lacks its body; the service has taken it, for it has said that it waits for the rest. */
export async function halfLogin(url: string, email: string, password: string): Promise<HalfSent> {
  const body = JSON.stringify({ email, password })
  const head = [
    'POST /api/v1/auth/login HTTP/1.1',
    `Host: ${new URL(url).host}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Expect: 100-continue',
  ]
  const login = await halfSent(url, `${head.join('\r\n')}\r\n\r\n`, body)
  await login.hears('100 Continue')
  return login
}

async function halfSent(url: string, first: string, rest: string): Promise<HalfSent> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await event(socket, 'connect')
  socket.write(first)
  return new HalfSent(socket, rest)
}
