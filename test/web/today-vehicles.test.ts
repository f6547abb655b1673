import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { goOffline, useBrowser } from '../support/browser.ts'
import { aDay, onPhone } from './instructors-day.ts'
import { keptIn } from './kept.ts'

const service = useService()
const open = useBrowser(service)

it("a lesson's vehicle that the office has just added is shown on the phone, even offline", async () => {
  const day = await aDay(service())
  const page = await onPhone(service(), open, day)
  const car = page.locator('section').first().getByText('Golf')
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
  const { body: golf } = await day.school.client.post('/vehicles', { name: 'Golf', kind: 'car' })
  await day.school.client.patch(`/appointments/${day.running.id}`, { vehicle_ids: [golf.id] })
  // The page reads its data again every half minute.
  await page.clock.fastForward(30_000)
  await car.waitFor()
  await expect.poll(() => keptIn(page)).toContain('vehicles')
  await goOffline(page)
  await page.reload()
  await car.waitFor()
})
