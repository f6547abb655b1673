import type { Server } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Time for load balancers to hear from `/readyz` that others must be asked, and for clients to be told by
 * `Connection: close`: a connection that is closed unasked may just have got another request.
 */
const DRAIN_MS = 3_000
const LOOK_MS = 50

/** Waits until nobody is connected to the server any more, or the time for that is over. */
export async function drain(server: Server): Promise<void> {
  const end = Date.now() + DRAIN_MS
  while (Date.now() < end && (await connectionsTo(server)) > 0) await pause(LOOK_MS)
}

function connectionsTo(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}
