import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { addressOf } from '../support/postgres-database.ts'

/** The way to a server, which can be cut and mended. */
export type Cable = {
  /** The server's address at this end of the cable. */
  readonly url: string
  /** Ends every connection, and takes no other. */
  readonly cut: () => Promise<void>
  readonly mend: () => Promise<void>
}

/** Lays a cable to the server at a URL. */
export async function layCable(url: string): Promise<Cable> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
    return socket
  }
  const server = createServer((near) => {
    const far = keep(connect(Number(port || 5432), hostname))
    keep(near).pipe(far).pipe(near)
    near.once('close', () => far.destroy())
    far.once('close', () => near.destroy())
  })
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  const own = (server.address() as AddressInfo).port
  return {
    url: addressOf(url, { host: `127.0.0.1:${own}` }),
    cut: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
    mend: () => listen(own),
  }
}
