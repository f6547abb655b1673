import { IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The maximum number of concurrent requests on a connection. Browsers send one at a time. */
const MAX_PIPELINED = 8

const underWay = new WeakMap<Socket, Set<ServerResponse>>()
const overfull = new WeakSet<Socket>()

/** Whether a connection was closed because it had too many requests without a response. */
export function isOverfull(socket: Socket): boolean {
  return overfull.has(socket)
}

/**
 * A request that counts towards the limit. One above it pretends to be an upgrade, which has no handler: Node stops parsing and
 * closes the connection instead of creating thousands of requests from one read.
 */
export class BoundedRequest extends IncomingMessage {
  declare private isUpgrade: boolean

  get upgrade(): boolean {
    return this.isUpgrade
  }

  /** Called by Node after parsing the head. */
  set upgrade(isUpgrade: boolean | null) {
    const isAbove = (underWay.get(this.socket)?.size ?? 0) >= MAX_PIPELINED
    if (isAbove) overfull.add(this.socket)
    this.isUpgrade = isAbove || isUpgrade === true
  }
}

/**
 * Counts the open requests of each connection, and destroys their responses when it closes. Node forgets responses that wait
 * behind another one if the connection ends by an upgrade or `CONNECT`.
 */
export function boundPipelines(server: Server): void {
  server.on('connection', (socket) => {
    const responses = new Set<ServerResponse>()
    underWay.set(socket, responses)
    socket.once('close', () => {
      for (const response of responses) response.destroy()
    })
  })
  server.prependListener('request', ({ socket }, response) => {
    const responses = underWay.get(socket)
    responses?.add(response)
    response.once('close', () => responses?.delete(response))
  })
}
