import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { statusOf } from '../support/client.ts'
import { type Program, until } from '../support/process.ts'
import { times } from '../support/races.ts'
import { onPostgres } from './fresh-database.ts'
import { useSandbox } from './sandbox.ts'

const sandbox = useSandbox()

const SLOW_CLIENTS = 20
/** The number of file handles left for clients. */
const HANDLES = 64
const FLOOD = 200

describe.concurrent('clients that hold connections open', () => {
  it('without finishing their headers are disconnected and do not block others (S87)', async () => {
    const { service, url } = await sandbox.serve(onPostgres())
    const slow = times(SLOW_CLIENTS, () => open(url))
    for (const socket of slow) void dripHeaders(socket)
    expect(await statusOf(url, '/readyz')).toBe(200)
    await Promise.all(slow.map(closed))
    expect(await statusOf(url, '/readyz')).toBe(200)
    expect(service.isRunning).toBe(true)
  })

  it('up to the limit of file handles do not end the process, which then serves again (S90, F19)', async () => {
    const { service, url } = await sandbox.serve(onPostgres())
    limitHandles(service, handlesOf(service) + HANDLES)
    const flood = times(FLOOD, () => open(url))
    await Promise.all(flood.map(settled))
    // Wait until every file handle of the process is in use.
    await until(async () => handlesOf(service) >= handlesLimit(service))
    expect(service.isRunning).toBe(true)
    for (const socket of flood) socket.destroy()
    await until(async () => (await statusOf(url, '/readyz').catch(() => 0)) === 200)
    expect((await service.stop()).code).toBe(0)
  })
})

function open(url: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  return socket
}

/** Sends one letter of a header every 200 ms until the connection is closed. */
async function dripHeaders(socket: Socket): Promise<void> {
  socket.write('GET /healthz HTTP/1.1\r\nHost: school.example\r\nX-Slow: ')
  while (!socket.destroyed) {
    socket.write('x')
    await pause(200)
  }
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve()
    socket.resume().once('close', () => resolve())
  })
}

/** Waits until the socket is connected or refused. */
function settled(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('connect', () => resolve())
    socket.once('close', () => resolve())
  })
}

function handlesOf({ pid }: Program): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

function limitHandles({ pid }: Program, most: number): void {
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${most}:${most}`])
}

function handlesLimit({ pid }: Program): number {
  const soft = execFileSync('prlimit', ['--pid', String(pid), '--nofile', '--output=SOFT', '--noheadings'])
  return Number(soft)
}
