import { describe, expect, it, onTestFinished, type TestContext } from 'vitest'
import { execute, sharedDatabase } from '../cli/fresh-database.ts'
import { useSandbox } from '../cli/sandbox.ts'
import { type PieceOutcome, TcpProxy } from '../cli/tcp-proxy.ts'
import { randomIntegers, SEED } from '../concurrency/random-integers.ts'
import { statusOf } from '../support/client.ts'
import type { School } from '../support/factory.ts'
import { type Environment, type Program, until } from '../support/process.ts'
import { onOwnPostgres } from './own-postgres.ts'
import { ROUNDS, Scene, tell } from './scene.ts'

const sandbox = useSandbox()
const random = randomIntegers(SEED)
const DEEDS = 60

type Setting = {
  readonly network: TcpProxy
  readonly environment: Environment
  readonly service: Program
  readonly url: string
  readonly scene: Scene
  readonly school: School
}

/** Starts a service that reaches the test database through a network that can be broken. */
async function behindNetwork(): Promise<Setting> {
  const { app, owner } = sharedDatabase()
  const network = await TcpProxy.to(app)
  onTestFinished(() => network.close())
  const environment = { DATABASE_URL: network.url, MIGRATION_DATABASE_URL: owner }
  const running = await sandbox.serve(environment)
  const scene = await Scene.at(sandbox, running.url, { ...environment, DATABASE_URL: app })
  return { ...running, network, environment, scene, school: await scene.enter(running) }
}

/** Repairs the network, waits until the service is ready, and checks its data after more load. */
async function finish(context: TestContext, setting: Setting, injected: { injected: number; what: string }) {
  const { network, url, service, scene, school, environment } = setting
  await network.restore()
  network.slow(0)
  await until(async () => (await statusOf(url, '/readyz')) === 200)
  await scene.load(school, scene.hasDone(DEEDS))
  expect(service.isRunning).toBe(true)
  const falsified = await scene.requireSoundOnPostgres(school, environment)
  tell(context, { ...injected, falsified }, scene.known)
}

describe('a faulty network between the service and PostgreSQL', () => {
  it.for([50, 500, 5000])(
    'loses no acknowledged write if it is slower by %i ms each way (F8)',
    async (milliseconds, context) => {
      const setting = await behindNetwork()
      const { network, scene, school, url } = setting
      network.slow(milliseconds)
      const { known } = scene
      const answered = () => known.acknowledged + known.refused + known.unavailable
      const before = answered()
      await scene.load(school, () => answered() - before >= 20)
      expect(await statusOf(url, '/healthz')).toBe(200)
      // Only work that takes longer than the timeouts is rejected.
      if (milliseconds < 500) expect(known.unavailable).toBe(0)
      await finish(context, setting, { injected: answered() - before, what: `requests, ${milliseconds} ms` })
    },
  )

  it.for<[string, PieceOutcome]>([
    ['loses an answer, with its connection', 'lost'],
    ['holds an answer for ever, and the connection stays', 'held'],
  ])(
    `loses no acknowledged write if it sometimes %s, even after a commit (F9, I12) (RACE_SEED=${SEED})`,
    async ([what, outcome], context) => {
      const setting = await behindNetwork()
      const { network, scene, school } = setting
      let injected = 0
      network.decide(() => {
        if (random(40) > 0) return 'carried'
        injected += 1
        return outcome
      })
      await scene.load(school, () => injected >= 5 * ROUNDS)
      await finish(context, setting, { injected, what: `times it ${what}` })
    },
  )
})

it(`clients that disconnect after sending a request leave no partial write (F25, I12) (RACE_SEED=${SEED})`, async (context) => {
  const setting = await behindNetwork()
  const { scene, url } = setting
  const between = await TcpProxy.to(url)
  onTestFinished(() => between.close())
  const torn = await scene.enter({ ...setting, url: between.url.replace(/\/$/, '') })
  let injected = 0
  between.decide(() => {
    if (random(3) > 0) return 'carried'
    injected += 1
    return 'lost'
  })
  await scene.load(torn, () => injected >= 20 * ROUNDS)
  const { owner } = sharedDatabase()
  // The open transactions commit or roll back.
  await until(async () => (await execute(owner, IDLE_IN_TRANSACTION)).length === 0)
  await finish(context, setting, { injected, what: 'clients that left' })
})

const IDLE_IN_TRANSACTION = `select pid from pg_stat_activity where application_name = 'fahrplan'
  and datname = current_database() and state like 'idle in transaction%'`

it('the service recovers after other clients took all PostgreSQL connections (F10)', async (context) => {
  await onOwnPostgres(
    async (environment, postgres) => {
      const running = await sandbox.serve(environment)
      const scene = await Scene.at(sandbox, running.url, environment)
      const school = await scene.enter(running)
      await scene.load(school, scene.hasDone(DEEDS))
      for (let round = 0; round < ROUNDS; round += 1) {
        const letGo = await postgres.takeAllConnections()
        expect(await statusOf(running.url, '/readyz')).toBe(503)
        const refused = scene.known.unavailable
        await scene.load(school, () => scene.known.unavailable > refused)
        await letGo()
        await until(async () => (await statusOf(running.url, '/readyz')) === 200)
        await scene.load(school, scene.hasDone(DEEDS))
      }
      const falsified = await scene.requireSoundOnPostgres(school, environment)
      tell(context, { injected: ROUNDS, what: 'times', falsified }, scene.known)
    },
    ['max_connections=30'],
  )
})
