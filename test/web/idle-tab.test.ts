import type { Page, Response } from 'playwright-core'
import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool } from '../support/factory.ts'
import { nextPoll } from './followed-board.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'

/** Waits for the next poll, which the page sends by itself. */
function pollOf(page: Page): Promise<Response> {
  return page.waitForResponse((answer) => answer.url().includes('/changes/since?cursor='))
}

it('an idle tab sends at most 16 requests and receives at most 10 kB per minute', async () => {
  const school = await aSchool(service())
  const instructor = await school.instructor()
  for (let count = 0; count < 59; count += 1) await school.student({ first_name: `Number ${count}` })
  await school.lesson({
    instructor_id: instructor.id,
    student_id: (await school.student()).id,
    start_at: `${DATE} 10:00`,
    end_at: `${DATE} 11:30`,
  })
  const page = await open('/healthz', { as: school })
  await page.clock.install()
  await page.goto(`${service().url}/?date=${DATE}`)
  await page.locator('[data-lesson]', { hasText: 'Lena Vogt' }).waitFor()
  const traffic = await trafficOf(page)
  // Before it is idle, the page also fetches the code of its dialogs: it may still be receiving it when it requests nothing new.
  const requestsOfPoll = async () => {
    const { requests } = traffic
    const pending = traffic.pending.size
    await nextPoll(page)
    return pending + traffic.requests - requests
  }
  await expect.poll(requestsOfPoll).toBe(1)
  const before = { ...traffic }
  for (let polls = 0; polls < 15; polls += 1) await nextPoll(page)
  expect(traffic.requests - before.requests).toBeLessThanOrEqual(16)
  expect(traffic.bytes - before.bytes).toBeLessThanOrEqual(10_000)
  const [first, second] = [await pollOf(page), await pollOf(page)].map((poll) => poll.request().timing())
  expect(Number(second?.startTime) - Number(first?.startTime)).toBeGreaterThan(3_000)
})

/** Measures the page's requests from now on, those not yet finished, and the bytes of the responses with headers. */
async function trafficOf(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  const traffic = { requests: 0, pending: new Set<string>(), bytes: 0 }
  devtools.on('Network.requestWillBeSent', ({ requestId }) => {
    traffic.requests += 1
    traffic.pending.add(requestId)
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    traffic.pending.delete(requestId)
    traffic.bytes += encodedDataLength
  })
  devtools.on('Network.loadingFailed', ({ requestId }) => {
    traffic.pending.delete(requestId)
  })
  await devtools.send('Network.enable')
  return traffic
}
