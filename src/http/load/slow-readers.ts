import type { Socket } from 'node:net'
import type { App, Timeouts } from '../service.ts'

/** The slowest accepted rate of reading a long response, in bytes per millisecond. */
const SLOWEST_RATE = 8

/** The number of checks within `timeouts.reader`. */
const LOOKS = 5

/** The progress of a connection with unread bytes: its start, the bytes taken before it and until now, and the last read. */
export type ReadProgress = { readonly since: number; readonly before: number; taken: number; takenAt: number }

/** Destroys connections whose clients read nothing for too long, or below `SLOWEST_RATE`. Returns these connections. */
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
  // Both include buffered bytes, so the difference has reached the kernel.
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
