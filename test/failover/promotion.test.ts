import { expect, it } from 'vitest'
import { statusOf } from '../support/client.ts'
import { until } from '../support/process.ts'
import { Bookings } from './bookings.ts'
import { expectHealthy, useScene } from './scene.ts'

const scene = useScene()

it('promoting the standby of a killed primary under load loses no acknowledged booking', async () => {
  const { north, south, school, service, url } = scene()
  const bookings = await Bookings.begin(school)
  await bookings.more(50)
  await north.crash()
  await until(async () => bookings.refused > 0)
  expect(await statusOf(url, '/healthz')).toBe(200)
  expect(await statusOf(url, '/readyz')).toBe(503)

  const began = performance.now()
  const again = bookings.more(1).then(() => performance.now() - began)
  await south.run('promote.sql')
  console.log(`booked again ${Math.round(await again)} ms after the promotion began`)
  await bookings.more(50)
  await bookings.end()
  expect(await statusOf(url, '/readyz')).toBe(200)
  const stored = (await school.client.get('/appointments')).body.map(({ id }: { id: string }) => id)
  expect(stored.toSorted()).toEqual(bookings.acknowledged.toSorted())
  await expectHealthy(scene())
  expect(service.isRunning).toBe(true)
})
