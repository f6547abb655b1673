import type { Socket } from 'node:net'
import type { App, Patience } from '../service.ts'

/** The slowest line that a long answer is sent over, in bytes a millisecond. */
const SLOWEST_RATE = 8

/** The number of checks of each connection within the patience for a reader. */
const LOOKS = 5

/** A connection with bytes that its client has yet to take: since when, and when it took some last. */
export type Progress = { readonly since: number; readonly before: number; taken: number; takenAt: number }

/**
 * Breaks off connections whose clients take nothing for a while of what is written to them, or, in the whole, less than a slow line
 * carries. What a client sends meanwhile is no progress. Returns the connections that were broken off.
 */
export function breakOffSlowReaders(app: App, { reader }: Patience): WeakSet<Socket> {
  const open = new Map<Socket, Progress | undefined>()
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

function progressOf(socket: Socket, progress: Progress | undefined, now: number): Progress {
  // Both count what waits to be written: the kernel has taken the difference.
  const taken = socket.bytesWritten - socket.writableLength
  if (!progress) return { since: now, before: taken, taken, takenAt: now }
  return taken > progress.taken ? { ...progress, taken, takenAt: now } : progress
}

/** Whether a reader has taken nothing for too long, or too little since bytes began to wait for it. */
export function isTooSlow({ since, before, taken, takenAt }: Progress, now: number, reader: number): boolean {
  return now - takenAt >= reader || now - since >= reader + (taken - before) / SLOWEST_RATE
}
