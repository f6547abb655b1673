import { spawn } from 'node:child_process'
import { once as event } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { freePort, isListening, JWT_SECRET, ROOT, until } from '../support/process.ts'
import { onPostgres } from './fresh-database.ts'

it('npm start hands SIGTERM to the service and ends with it (S101)', async () => {
  const port = await freePort()
  const env = { PATH: process.env.PATH, ...onPostgres(), JWT_SECRET, PORT: String(port) }
  const npm = spawn('npm', ['start'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const said = text(npm.stdout)
  await until(() => isListening(port))
  npm.kill('SIGTERM')
  const [code] = await event(npm, 'exit')
  expect([code, await isListening(port)]).toEqual([0, false])
  expect(await said).toContain('"event":"stopping","signal":"SIGTERM"')
})
