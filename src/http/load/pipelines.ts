import { IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The requests of a connection that may be under way at once. Browsers send one at a time. */
const MAX_PIPELINED = 8

const underWay = new WeakMap<Socket, Set<ServerResponse>>()
const overfull = new WeakSet<Socket>()

/** Whether a connection was closed because it sent too many requests ahead of their responses. */
export function isOverfull(socket: Socket): boolean {
  return overfull.has(socket)
}

/**
 * A bounded request. One above the bound claims to be an upgrade, which nobody handles: Node stops parsing and closes the
 * connection, instead of creating thousands of requests from one read.
 */
export class BoundedRequest extends IncomingMessage {
  declare private isUpgrade: boolean

  get upgrade(): boolean {
    return this.isUpgrade
  }

  /** Called by Node once the head is parsed. */
  set upgrade(isUpgrade: boolean | null) {
    const isAbove = (underWay.get(this.socket)?.size ?? 0) >= MAX_PIPELINED
    if (isAbove) overfull.add(this.socket)
    this.isUpgrade = isAbove || isUpgrade === true
  }
}

/**
 * Counts the requests under way on each connection, and ends them with it. Node forgets the responses that wait behind another
 * one if the connection ends by an upgrade or `CONNECT`.
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
