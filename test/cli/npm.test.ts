import { spawn } from 'node:child_process'
import { once as event } from 'node:events'
import { expect, it } from 'vitest'
import { isListening, JWT_SECRET, ROOT, until } from '../support/process.ts'
import { onPostgres } from './fresh-database.ts'

it('npm start forwards SIGTERM to the service and exits with it (S101)', async () => {
  const env = { PATH: process.env.PATH, ...onPostgres(), JWT_SECRET, PORT: '0' }
  const npm = spawn('npm', ['start'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  npm.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
  })
  // An open port is not enough: the service may only be checking whether the port is free.
  await until(async () => said.includes('Server listening at'))
  const port = Number(/Server listening at http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1])
  expect(await isListening(port)).toBe(true)
  npm.kill('SIGTERM')
  const [code] = await event(npm, 'close')
  expect([code, await isListening(port)]).toEqual([0, false])
  expect(said).toContain('"event":"stopping","signal":"SIGTERM"')
})
