import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2027-03-01'

/** Waits until the changes have been fetched. */
async function quiet(page: Page): Promise<void> {
  await page.waitForResponse((answer) => answer.url().includes('/changes/since?cursor='))
}

it('an idle tab sends at most 16 requests and receives at most 10 kB per minute', {
  timeout: 60_000,
}, async () => {
  const school = await aSchool(service())
  const instructor = await school.instructor()
  for (let count = 0; count < 59; count += 1) await school.student({ first_name: `Number ${count}` })
  await school.lesson({
    instructor_id: instructor.id,
    student_id: (await school.student()).id,
    start_at: `${DATE} 10:00`,
    end_at: `${DATE} 11:30`,
  })
  const page = await open(`/?date=${DATE}`, { as: school })
  await page.locator('[data-lesson]', { hasText: 'Lena Vogt' }).waitFor()
  await quiet(page)
  const traffic = await trafficOf(page)
  const from = performance.now()
  for (let polls = 0; polls < 6; polls += 1) await quiet(page)
  const minutes = (performance.now() - from) / 60_000
  expect(minutes).toBeGreaterThan(20 / 60)
  expect(traffic.requests / minutes).toBeLessThanOrEqual(16)
  expect(traffic.bytes / minutes).toBeLessThanOrEqual(10_000)
})

/** Measures the page's requests from now on, and the bytes of the responses with headers. */
async function trafficOf(page: Page): Promise<{ requests: number; bytes: number }> {
  const devtools = await page.context().newCDPSession(page)
  const traffic = { requests: 0, bytes: 0 }
  devtools.on('Network.requestWillBeSent', () => {
    traffic.requests += 1
  })
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    traffic.bytes += encodedDataLength
  })
  await devtools.send('Network.enable')
  return traffic
}
