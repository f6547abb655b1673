import type { Server } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/** Milliseconds for load balancers to see `/readyz`, and for clients to see `Connection: close` before it is closed. */
const DRAIN_MS = 3_000
const LOOK_MS = 50

/** Waits until all connections are closed or `DRAIN_MS` is over. */
export async function drain(server: Server): Promise<void> {
  const end = Date.now() + DRAIN_MS
  while (Date.now() < end && (await connectionsTo(server)) > 0) await pause(LOOK_MS)
}

function connectionsTo(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}
