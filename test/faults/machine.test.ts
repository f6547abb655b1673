import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readdir } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { onPostgres } from '../cli/fresh-database.ts'
import { useSandbox } from '../cli/sandbox.ts'
import { mountSmallDisk } from '../cli/small-disk.ts'
import { statusOf } from '../support/client.ts'
import { complaintsOf, freePort, JWT_SECRET, until } from '../support/process.ts'
import { times } from '../support/races.ts'
import { onOwnPostgres } from './own-postgres.ts'
import { ROUNDS, Scene, tell } from './scene.ts'

const sandbox = useSandbox()
const DEEDS = 60
/** Just below the largest body that the service accepts. */
const LARGEST_BODY = 250_000

it('the service recovers once a full disk under PostgreSQL has free space again (F14)', async (context) => {
  const folder = await sandbox.folder()
  const disk = mountSmallDisk(folder, 250)
  onTestFinished(disk.unmount)
  await onOwnPostgres(
    async (environment, postgres) => {
      const running = await sandbox.serve(environment)
      const scene = await Scene.at(sandbox, running.url, environment)
      const school = await scene.enter(running)
      for (let round = 0; round < ROUNDS; round += 1) {
        await scene.load(school, scene.hasDone(20))
        disk.fillUpTo(0)
        await postgres.writeUntilFull()
        const refused = scene.known.unavailable
        await scene.load(school, () => scene.known.unavailable > refused + 3)
        expect(await statusOf(running.url, '/healthz')).toBe(200)
        disk.empty()
        await postgres.recover()
        await until(async () => (await statusOf(running.url, '/readyz')) === 200)
        await scene.load(school, scene.hasDone(20))
      }
      expect(running.service.isRunning).toBe(true)
      const falsified = await scene.requireSoundOnPostgres(school, environment)
      tell(context, { injected: ROUNDS, what: 'full disks', falsified }, scene.known)
    },
    ['min_wal_size=32MB', 'max_wal_size=32MB', 'wal_recycle=off'],
    folder,
  )
})

describe('a log that cannot be written', () => {
  it.for(['a full disk', 'a pipe that nobody reads'])(
    'to %s does not affect the service (F14)',
    async (where, context) => {
      const { url, child, ended } = await serviceThatLogsTo(where)
      const scene = await Scene.at(sandbox, url, onPostgres())
      const school = await scene.enterAt(url)
      await scene.load(school, scene.hasDone(DEEDS))
      const falsified = await scene.requireSoundOnPostgres(school, onPostgres())
      tell(context, { injected: DEEDS, what: 'requests', falsified }, scene.known)
      if (child.pid) process.kill(-child.pid, 'SIGTERM')
      expect(await ended).toEqual([0, null])
    },
  )
})

it('a read-only data directory is rejected in one line and left unchanged (F15)', async (context) => {
  const folder = await sandbox.folder()
  const disk = mountSmallDisk(folder, 200)
  onTestFinished(disk.unmount)
  const DATA_DIR = join(folder, 'data')
  await cp(await sandbox.dataDir(), DATA_DIR, { recursive: true })
  const before = await readdir(DATA_DIR, { recursive: true })
  disk.seal()
  const exit = await sandbox.run(['serve'], { DATA_DIR, JWT_SECRET, PORT: '0' })
  expect(exit).toMatchObject({ code: 1, out: '' })
  expect(complaintsOf(exit)).toEqual([expect.stringContaining(DATA_DIR)])
  expect(await readdir(DATA_DIR, { recursive: true })).toEqual(before)
  tell(context, { injected: 1, what: 'file system that is read-only' })
})

it('200 concurrent bodies of maximum size do not crash a process with 128 MB of memory (F18)', async (context) => {
  const running = await sandbox.serve({ ...onPostgres(), NODE_OPTIONS: '--max-old-space-size=128' })
  const scene = await Scene.at(sandbox, running.url, onPostgres())
  const school = await scene.enter(running)
  const body = { first_name: 'x', last_name: 'x', notes: 'x'.repeat(LARGEST_BODY) }
  const statuses = new Set<number>()
  for (let round = 0; round < ROUNDS; round += 1) {
    const answers = await Promise.all(times(200, () => school.client.post('/students', body)))
    for (const { status } of answers) statuses.add(status)
  }
  expect([...statuses].filter((status) => ![400, 413, 503].includes(status))).toEqual([])
  await scene.load(school, scene.hasDone(DEEDS))
  expect(running.service.isRunning).toBe(true)
  const falsified = await scene.requireSoundOnPostgres(school, onPostgres())
  tell(context, { injected: 200 * ROUNDS, what: 'bodies', falsified }, scene.known)
})

it('a process without CPU time logs nobody out and loses no acknowledged write (F20)', async (context) => {
  const running = await sandbox.serve(onPostgres())
  const scene = await Scene.at(sandbox, running.url, onPostgres())
  const school = await scene.enter(running)
  setPriority(running.service.pid, constants.priority.PRIORITY_LOW)
  const busy = times(4, () => spawn(process.execPath, ['-e', 'for (;;);']))
  onTestFinished(() => {
    for (const child of busy) child.kill('SIGKILL')
  })
  await scene.load(school, scene.hasDone(DEEDS * ROUNDS))
  expect((await school.client.get('/auth/me')).status).toBe(200)
  for (const child of busy) child.kill('SIGKILL')
  const falsified = await scene.requireSoundOnPostgres(school, onPostgres())
  tell(context, { injected: 4, what: 'processes that never wait', falsified }, scene.known)
})

it('deeply nested bodies are rejected without blocking the embedded database (F27)', async (context) => {
  const DATA_DIR = await sandbox.dataDir()
  const running = await sandbox.serve({ DATA_DIR })
  const scene = await Scene.at(sandbox, running.url, { DATA_DIR })
  const school = await scene.enter(running)
  let injected = 0
  for (const depth of [33, 600, 7_000, 100_000]) {
    const value = `${'['.repeat(depth)}${']'.repeat(depth)}`
    for (const body of [`{"first_name":"x","last_name":"x","notes":${value}}`, value]) {
      const answers = times(4, () =>
        school.client.post('/students', body, { 'content-type': 'application/json' }),
      )
      expect(await statusOf(running.url, '/healthz')).toBe(200)
      for (const { status } of await Promise.all(answers)) expect([400, 413]).toContain(status)
      injected += answers.length
    }
  }
  await scene.load(school, scene.hasDone(DEEDS))
  const falsified = await scene.requireSoundIn(DATA_DIR, school, running.service)
  tell(context, { injected, what: 'bodies', falsified }, scene.known)
})

/** Starts a service whose standard output cannot be written, on a port chosen in advance. */
async function serviceThatLogsTo(where: string) {
  const port = String(await freePort())
  const line = where === 'a full disk' ? 'exec "$0" "$@" >/dev/full' : 'exec "$0" "$@" > >(true)'
  const child = spawn('bash', ['-c', line, process.execPath, 'bin/fahrplan.js', 'serve'], {
    env: { ...process.env, ...onPostgres(), JWT_SECRET: 'x'.repeat(32), PORT: port },
    stdio: 'ignore',
    detached: true,
  })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    if (child.exitCode === null && child.pid) process.kill(-child.pid, 'SIGKILL')
    await ended
  })
  const url = `http://127.0.0.1:${port}`
  await until(async () => (await statusOf(url, '/readyz').catch(() => 0)) === 200)
  return { url, child, ended }
}
