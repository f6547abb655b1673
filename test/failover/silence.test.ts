import { expect, it } from 'vitest'
import { TcpProxy } from '../cli/tcp-proxy.ts'
import { statusOf } from '../support/client.ts'
import { enter } from '../support/factory.ts'
import { until } from '../support/process.ts'
import { Bookings } from './bookings.ts'
import { connectionsTo, expectHealthy, useScene, withPlace } from './scene.ts'

const scene = useScene()

it('an address that starts to lead to the standby is not used', async () => {
  const { north, south, sandbox, made } = scene()
  const network = await TcpProxy.to(north.url)
  const { url } = await sandbox.serve(withPlace(scene(), north, network))
  const { client } = await enter({ url }, made)
  network.leadTo(south.url)
  const answers = await Promise.all(Array.from({ length: 40 }, () => client.get('/students')))
  expect(answers.filter(({ status }) => ![200, 503].includes(status))).toEqual([])
  // A connection that was opened and rejected may still be closing.
  await until(async () => (await connectionsTo(south)) === 0)
  network.leadTo(north.url)
  await until(async () => (await statusOf(url, '/readyz')) === 200)
  await network.close()
})

it('connections to an unresponsive primary are dropped, and its successor is found', async () => {
  const { north, south, sandbox, made } = scene()
  const network = await TcpProxy.to(north.url)
  const { url } = await sandbox.serve(withPlace(scene(), north, network))
  const school = await enter({ url }, made)
  const bookings = await Bookings.begin(school)
  await bookings.more(20)
  network.freeze()
  const silent = performance.now()
  const again = until(async () => bookings.refused > 0)
    .then(() => bookings.more(1))
    .then(() => performance.now() - silent)
  await south.run('promote.sql')
  console.log(
    `booked again ${Math.round(await again)} ms after the primary fell silent and the promotion began`,
  )
  await bookings.more(20)
  await bookings.end()
  await network.close()
  expect(await statusOf(url, '/readyz')).toBe(200)
  const stored = (await school.client.get('/appointments')).body.map(({ id }: { id: string }) => id)
  expect(stored.toSorted()).toEqual(bookings.acknowledged.toSorted())
  await expectHealthy(scene())
})
