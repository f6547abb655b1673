import type { Socket } from 'node:net'
import type { App, Timeouts } from '../service.ts'

/** The slowest connection for a long response, in bytes per millisecond. */
const SLOWEST_RATE = 8

/** The checks of each connection within the reader's timeouts. */
const LOOKS = 5

/** A connection with unread bytes: since when, and when its client last read some. */
export type ReadProgress = { readonly since: number; readonly before: number; taken: number; takenAt: number }

/** Breaks off connections whose clients read nothing for a while, or slower than a slow line. Returns those. */
export function breakOffSlowReaders(app: App, { reader }: Timeouts): WeakSet<Socket> {
  const open = new Map<Socket, ReadProgress | undefined>()
  const brokenOff = new WeakSet<Socket>()
  app.server.on('connection', (socket) => {
    open.set(socket, undefined)
    socket.once('close', () => open.delete(socket))
  })
  const looking = setInterval(() => {
    const now = performance.now()
    for (const [socket, progress] of open) {
      if (socket.writableLength === 0) {
        if (progress) open.set(socket, undefined)
        continue
      }
      const next = progressOf(socket, progress, now)
      open.set(socket, next)
      if (!isTooSlow(next, now, reader)) continue
      brokenOff.add(socket)
      socket.destroy()
    }
  }, reader / LOOKS)
  looking.unref()
  app.addHook('onClose', async () => clearInterval(looking))
  return brokenOff
}

function progressOf(socket: Socket, progress: ReadProgress | undefined, now: number): ReadProgress {
  // Both count bytes waiting to be written; the difference is in the kernel.
  const taken = socket.bytesWritten - socket.writableLength
  if (!progress) return { since: now, before: taken, taken, takenAt: now }
  return taken > progress.taken ? { ...progress, taken, takenAt: now } : progress
}

export function isTooSlow(
  { since, before, taken, takenAt }: ReadProgress,
  now: number,
  reader: number,
): boolean {
  return now - takenAt >= reader || now - since >= reader + (taken - before) / SLOWEST_RATE
}
