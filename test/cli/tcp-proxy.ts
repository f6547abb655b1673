import { connect, createServer, type Server, type Socket } from 'node:net'

/** The state of connections: carried to the target, cut and refused, or open and silent. */
type State = 'carrying' | 'cut' | 'frozen'

/** The outcome of part of a response: it arrives, is lost with its connection, or never arrives on an open connection. */
export type PieceOutcome = 'carried' | 'lost' | 'held'

/** A network in front of a service or its database that a test can break. */
export class TcpProxy {
  /** The target's address through the proxy. */
  readonly url: string
  readonly #server: Server
  readonly #port: number
  readonly #pairs: Set<readonly [Socket, Socket]>
  #state: State = 'carrying'
  #targets: readonly URL[]
  #taken = 0
  #delay = 0
  #outcome: () => PieceOutcome = () => 'carried'

  private constructor(target: URL, server: Server, port: number) {
    const url = new URL(target)
    url.host = `127.0.0.1:${port}`
    this.url = url.href
    this.#server = server
    this.#port = port
    this.#pairs = new Set()
    this.#targets = [target]
    server.on('connection', (client) => this.#carry(client))
  }

  static async to(address: string): Promise<TcpProxy> {
    const server = createServer({ pauseOnConnect: true })
    const port = await listen(server, 0)
    return new TcpProxy(new URL(address), server, port)
  }

  get connections(): number {
    return this.#pairs.size
  }

  /** Drops every connection and refuses new ones. */
  async cut(): Promise<void> {
    this.#state = 'cut'
    const closed = new Promise((resolve) => this.#server.close(resolve))
    for (const socket of this.#sockets()) socket.resetAndDestroy()
    await closed
  }

  /** Keeps connections open and accepts new ones, but carries no more data. */
  freeze(): void {
    this.#state = 'frozen'
    for (const socket of this.#sockets()) socket.pause()
  }

  /** Delays every piece by this time in both directions. Drops existing connections. */
  slow(milliseconds: number): void {
    this.#delay = milliseconds
    this.drop()
  }

  /** Decides on each piece of a response until `restore`. The request has already arrived. */
  decide(outcome: () => PieceOutcome): void {
    this.#outcome = outcome
  }

  async restore(): Promise<void> {
    this.#outcome = () => 'carried'
    if (this.#state === 'cut') await listen(this.#server, this.#port)
    this.#state = 'carrying'
    for (const socket of this.#sockets()) socket.resume()
  }

  /** Drops every connection and accepts new ones. */
  drop(): void {
    for (const socket of this.#sockets()) socket.resetAndDestroy()
  }

  async close(): Promise<void> {
    if (this.#state !== 'cut') await this.cut()
  }

  /** Connects new clients to these targets in turn. Existing connections stay. */
  leadTo(...addresses: readonly string[]): void {
    this.#targets = addresses.map((address) => new URL(address))
    this.#taken = 0
  }

  #carry(client: Socket): void {
    const target = this.#targets[this.#taken++ % this.#targets.length]
    const database = connect(Number(target?.port), target?.hostname)
    const pair = [client, database] as const
    this.#pairs.add(pair)
    const delay = this.#delay
    const pass = (to: Socket, chunk: Buffer) => {
      if (delay === 0) to.write(chunk)
      else setTimeout(() => to.write(chunk), delay)
    }
    client.on('data', (chunk) => pass(database, chunk))
    database.on('data', (chunk) => {
      const outcome = this.#outcome()
      if (outcome === 'carried') pass(client, chunk)
      else if (outcome === 'lost') for (const socket of pair) socket.resetAndDestroy()
      else for (const socket of pair) socket.pause()
    })
    for (const [from, to] of [pair, [database, client] as const]) {
      from.on('error', () => undefined)
      from.on('close', () => {
        to.destroy()
        this.#pairs.delete(pair)
      })
    }
    if (this.#state === 'frozen') for (const socket of pair) socket.pause()
    else client.resume()
  }

  #sockets(): readonly Socket[] {
    return [...this.#pairs].flat()
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      resolve(address && typeof address === 'object' ? address.port : 0)
    })
  })
}
