import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { Undo } from './servers.ts'

type Place = { readonly host: string; readonly port: number; readonly ms: number }

/** Returns the address of a proxy that delays a server's responses. It runs in a thread, so as not to disturb measuring. */
export async function fartherAway(undo: Undo, url: string, ms: number): Promise<string> {
  const { hostname: host, port } = new URL(url)
  const workerData: Place = { host, port: Number(port || 5432), ms }
  const worker = new Worker(new URL(import.meta.url), { workerData })
  undo.push(() => worker.terminate())
  const [own] = await once(worker, 'message')
  const address = new URL(url)
  address.host = `127.0.0.1:${own}`
  return address.href
}

if (!isMainThread) delay(workerData)

function delay({ host, port, ms }: Place): void {
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host, port, noDelay: true })
    near.pipe(far)
    far.on('data', (chunk) => setTimeout(() => near.write(chunk), ms))
    far.on('close', () => setTimeout(() => near.end(), ms))
    for (const socket of [near, far]) endBoth(socket, near, far)
  })
  server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port))
}

function endBoth(socket: Socket, near: Socket, far: Socket): void {
  socket.on('error', () => {
    near.destroy()
    far.destroy()
  })
}
