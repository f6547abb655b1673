import { describe, expect, it } from 'vitest'
import { useSandbox } from '../cli/sandbox.ts'
import { randomIntegers, SEED } from '../concurrency/random-integers.ts'
import { statusOf } from '../support/client.ts'
import { until } from '../support/process.ts'
import { onOwnPostgres } from './own-postgres.ts'
import { ROUNDS, Scene, tell } from './scene.ts'

const sandbox = useSandbox()
const random = randomIntegers(SEED)

it(`kill -9 of an embedded database under load loses no acknowledged write (F1) (RACE_SEED=${SEED})`, async (context) => {
  const DATA_DIR = await sandbox.dataDir()
  let running = await sandbox.serve({ DATA_DIR })
  const scene = await Scene.at(sandbox, running.url, { DATA_DIR })
  let school = await scene.enter(running)
  for (let round = 0; round < ROUNDS; round += 1) {
    const isEnough = scene.hasDone(20 + random(20))
    await scene.load(school, () => {
      if (isEnough()) running.service.signal('SIGKILL')
      return isEnough()
    })
    await running.service.exited
    running = await sandbox.serve({ DATA_DIR })
    school = await scene.enter(running)
  }
  const falsified = await scene.requireSoundIn(DATA_DIR, school, running.service)
  tell(context, { injected: ROUNDS, what: 'kills', falsified }, scene.known)
})

describe('on a dedicated PostgreSQL server', () => {
  it('kill -9 of one of two services under load loses no acknowledged write (F2)', async (context) => {
    await onOwnPostgres(async (environment) => {
      const steady = await sandbox.serve(environment)
      const scene = await Scene.at(sandbox, steady.url, environment)
      const school = await scene.enter(steady)
      for (let round = 0; round < ROUNDS; round += 1) {
        const mortal = await sandbox.serve(environment)
        const other = await scene.enter(mortal)
        const isOver = scene.hasDone(80)
        const isEnough = scene.hasDone(20 + random(20))
        const dying = scene.load(other, () => {
          if (isEnough()) mortal.service.signal('SIGKILL')
          return isEnough()
        })
        await Promise.all([scene.load(school, isOver), dying])
        await mortal.service.exited
      }
      expect(steady.service.isRunning).toBe(true)
      const falsified = await scene.requireSoundOnPostgres(school, environment)
      tell(context, { injected: ROUNDS, what: 'kills', falsified }, scene.known)
    })
  })

  it('the service recovers from kill -9 and restart of PostgreSQL under load (F5)', async (context) => {
    await onOwnPostgres(async (environment, postgres) => {
      const running = await sandbox.serve(environment)
      const scene = await Scene.at(sandbox, running.url, environment)
      const school = await scene.enter(running)
      for (let round = 0; round < ROUNDS; round += 1) {
        const isEnough = scene.hasDone(30 + random(30))
        await scene.load(school, isEnough)
        let isOver = false
        const loaded = scene.load(school, () => isOver)
        await postgres.kill()
        expect(await statusOf(running.url, '/healthz')).toBe(200)
        expect(await statusOf(running.url, '/readyz')).toBe(503)
        await postgres.startAgain()
        await until(async () => (await statusOf(running.url, '/readyz')) === 200)
        const isServed = scene.hasDone(20)
        await until(async () => isServed())
        isOver = true
        await loaded
      }
      expect(running.service.isRunning).toBe(true)
      const falsified = await scene.requireSoundOnPostgres(school, environment)
      tell(context, { injected: ROUNDS, what: 'kills of PostgreSQL', falsified }, scene.known)
    })
  })

  it('the service recovers after PostgreSQL is stopped and continued under load (F7)', async (context) => {
    await onOwnPostgres(async (environment, postgres) => {
      const running = await sandbox.serve(environment)
      const scene = await Scene.at(sandbox, running.url, environment)
      const school = await scene.enter(running)
      for (let round = 0; round < ROUNDS; round += 1) {
        let isOver = false
        const loaded = scene.load(school, () => isOver)
        await until(async () => scene.known.acknowledged > 20 * round)
        postgres.freeze()
        const refused = scene.known.unavailable
        await until(async () => scene.known.unavailable > refused)
        expect(await statusOf(running.url, '/readyz')).toBe(503)
        postgres.thaw()
        const isServed = scene.hasDone(20)
        await until(async () => isServed())
        isOver = true
        await loaded
      }
      const falsified = await scene.requireSoundOnPostgres(school, environment)
      tell(context, { injected: ROUNDS, what: 'stops of PostgreSQL', falsified }, scene.known)
    })
  })
})
