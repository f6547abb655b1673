import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { statusOf } from '../support/client.ts'
import { useSandbox } from './sandbox.ts'

const sandbox = useSandbox()

const PROGRAM = join(import.meta.dirname, 'stuck.ts')

/** Twice the time after which the watchdog of the program acts. */
const LONG_MS = 4_000

/** Blocks the event loop of any Node program for ever on SIGUSR2, without using the processor. */
const STUCK_ON_SIGNAL = `--import=data:text/javascript,process.on('SIGUSR2',()=>Atomics.wait(new(Int32Array)(new(SharedArrayBuffer)(4)),0,0))`

it.concurrent('a process whose event loop is blocked exits with 70 and reports the reason', async () => {
  const folder = await sandbox.folder()
  const program = spawn(process.execPath, [PROGRAM, folder, 'stuck'])
  const [err, [code, signal]] = await Promise.all([text(program.stderr), once(program, 'exit')])
  expect({ code, signal }).toEqual({ code: 70, signal: null })
  expect(err).toMatch(/been blocked for 2 seconds.* exit code 70.* full disk \(\d+ MiB free for /)
  expect(err).toContain(folder)
})

it.concurrent('a blocked process that is PID 1 of a container exits with 70, too', async () => {
  const program = spawn('unshare', ['-rpf', process.execPath, PROGRAM, '/', 'stuck'])
  const [err, [code]] = await Promise.all([text(program.stderr), once(program, 'exit')])
  expect({ code, err }).toEqual({ code: 70, err: expect.stringContaining('been blocked') })
})

it.concurrent('a process that was suspended and resumed, as on a sleeping laptop, keeps running', async () => {
  const program = spawn(process.execPath, [PROGRAM, '/', 'alive'])
  const ended = Promise.all([text(program.stderr), once(program, 'exit')])
  const lines = createInterface({ input: program.stdout })
  await once(lines, 'line')
  program.kill('SIGSTOP')
  await pause(LONG_MS)
  program.kill('SIGCONT')
  for (let turn = 0; turn < 8; turn += 1) await once(lines, 'line')
  program.kill('SIGTERM')
  expect(await ended).toEqual(['', [0, null]])
})

/** Enough for a start and the minute after which the watchdog acts. */
const MINUTES_MS = 900_000

it.concurrent('a service on the embedded database exits with 70 when its event loop is blocked', {
  timeout: MINUTES_MS,
}, async () => {
  const DATA_DIR = await sandbox.dataDir()
  const { service, url } = await sandbox.serve({ DATA_DIR, NODE_OPTIONS: STUCK_ON_SIGNAL })
  expect(await statusOf(url, '/healthz')).toBe(200)
  service.signal('SIGUSR2')
  service.signal('SIGTERM')
  const { code, err } = await service.exited
  expect({ code, err }).toEqual({ code: 70, err: expect.stringContaining(DATA_DIR) })
})
