import { connect, type Socket } from 'node:net'

/** A request to write to the wire. */
export type WireRequest = {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The result of a round. Times are in milliseconds. */
export type Load = {
  readonly count: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly bytes: number
  readonly answers: Readonly<Record<number, number>>
}

type Plan = {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  readonly next: () => WireRequest
  readonly status?: number
}

/** Keeps connections busy for some seconds, with one request at a time each, and measures every response. */
export async function load({ port, connections, seconds, next, status }: Plan): Promise<Load> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const times: number[] = []
  const answers: Record<number, number> = {}
  let bytes = 0
  const start = performance.now()
  const end = start + seconds * 1000
  await Promise.all(
    sockets.map(async (socket) => {
      const wire = new Wire(socket)
      while (performance.now() < end) {
        const sent = performance.now()
        const answer = await wire.ask(next())
        if (status === undefined || answer.status === status) times.push(performance.now() - sent)
        answers[answer.status] = (answers[answer.status] ?? 0) + 1
        bytes = answer.bytes
      }
      socket.destroy()
    }),
  )
  const elapsed = (performance.now() - start) / 1000
  times.sort((a, b) => a - b)
  return {
    count: times.length,
    perSecond: times.length / elapsed,
    p50: times[Math.floor(times.length * 0.5)] ?? 0,
    p99: times[Math.floor(times.length * 0.99)] ?? 0,
    bytes,
    answers,
  }
}

export async function askOnce(port: number, request: WireRequest): Promise<WireAnswer> {
  const socket = await open(port)
  const answer = await new Wire(socket).ask(request, true)
  socket.destroy()
  return answer
}

type WireAnswer = {
  readonly status: number
  readonly bytes: number
  readonly head: string
  /** Empty unless it was asked for. */
  readonly body: string
}

/** HTTP/1.1 over one socket, parsed just enough to find the end of a response: the client must not be the bottleneck. */
class Wire {
  readonly #socket: Socket
  #chunks: Buffer[] = []
  #size = 0
  #waiting: (() => void) | undefined

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk) => {
      this.#chunks.push(chunk)
      this.#size += chunk.length
      this.#waiting?.()
    })
  }

  async ask(request: WireRequest, keepBody = false): Promise<WireAnswer> {
    this.#chunks = []
    this.#size = 0
    this.#socket.write(textOf(request))
    for (;;) {
      await new Promise<void>((arrived) => {
        this.#waiting = arrived
      })
      const answer = this.#parsed(keepBody)
      if (answer) return answer
    }
  }

  /** Whether the response has ended. The end may be split over two chunks. */
  #endsChunked(): boolean {
    return Buffer.concat(this.#chunks.slice(-3)).subarray(-5).toString('latin1') === '0\r\n\r\n'
  }

  #parsed(keepBody: boolean): WireAnswer | undefined {
    const [first] = this.#chunks
    if (!first) return undefined
    const headEnd = first.indexOf('\r\n\r\n')
    const head = first.toString('latin1', 0, headEnd)
    const status = Number(head.slice(9, 12))
    const length = status === 304 ? '0' : /content-length: (\d+)/i.exec(head)?.[1]
    const isWhole = length === undefined ? this.#endsChunked() : this.#size >= headEnd + 4 + Number(length)
    if (headEnd < 0 || !isWhole) return undefined
    const body = keepBody
      ? bodyOf(Buffer.concat(this.#chunks).subarray(headEnd + 4), length === undefined)
      : ''
    return { status, bytes: this.#size, head, body }
  }
}

function bodyOf(raw: Buffer, chunked: boolean): string {
  return chunked
    ? raw
        .toString('utf8')
        .replace(/(^|\r\n)[0-9a-f]+\r\n/g, '')
        .replace(/\r\n$/, '')
    : raw.toString('utf8')
}

function textOf({ method, path, headers = {}, body = '' }: WireRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length =
    body === '' ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}${length}\r\n${body}`
}

function open(port: number): Promise<Socket> {
  return new Promise((opened, fail) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => opened(socket))
    socket.once('error', fail)
  })
}
