import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { boxOf, dragWithMouse, logInAt, useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService({ cookieDomain: undefined })
const open = useBrowser(service)
const DATE = '2027-03-01'
const SOON = { timeout: 5_000 }

let school: School
let instructor: { id: string }
let student: { id: string }
let lesson: { id: string }

beforeEach(async () => {
  school = await aSchool(service())
  instructor = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  student = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  lesson = await school.lesson({
    instructor_id: instructor.id,
    student_id: student.id,
    start_at: `${DATE} 10:00`,
    end_at: `${DATE} 11:30`,
  })
})

async function at(address = `/?date=${DATE}`): Promise<Page> {
  const page = await open(address)
  const followed = quiet(page)
  await logInAt(page, school)
  await followed
  return page
}

/** What has happened has been asked for and answered. */
async function quiet(page: Page): Promise<void> {
  await page.waitForResponse((answer) => answer.url().includes('/changes/since?cursor='))
}

const blockOf = (page: Page, text: string | RegExp = 'Lena Vogt') =>
  page.locator('[data-lesson]', { hasText: text })

/** What the page asks the service from now on, but for what has happened. */
function requestsOf(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const path = request.url().split('/api/v1')[1]
    if (path && !path.startsWith('/changes/since')) asked.push(`${request.method()} ${path}`)
  })
  return asked
}

describe('what another clerk does is seen within five seconds, and nothing but that is read', () => {
  it('to a lesson', async () => {
    const page = await at()
    await blockOf(page).waitFor()
    const asked = requestsOf(page)
    await school.client.patch(`/appointments/${lesson.id}`, { end_at: `${DATE} 11:00` })
    await blockOf(page, '10:00–11:00').waitFor(SOON)
    await school.client.delete(`/appointments/${lesson.id}`)
    await blockOf(page).waitFor({ state: 'detached', ...SOON })
    await school.client.post(`/appointments/${lesson.id}/restore`)
    await blockOf(page, '10:00–11:00').waitFor(SOON)
    expect(asked).toEqual([`GET /appointments/${lesson.id}`, `GET /appointments/${lesson.id}`])
  })

  it('to a student', async () => {
    const page = await at()
    await blockOf(page).waitFor()
    const asked = requestsOf(page)
    await school.client.patch(`/students/${student.id}`, { last_name: 'Krause' })
    await blockOf(page, 'Lena Krause').waitFor(SOON)
    expect(asked).toEqual([`GET /students/${student.id}`])
    await school.client.delete(`/students/${student.id}`)
    await blockOf(page, 'Deleted student').waitFor(SOON)
    await blockOf(page, 'cancelled').waitFor(SOON)
    await school.client.post(`/students/${student.id}/restore`)
    await blockOf(page, 'Lena Krause').waitFor(SOON)
    await blockOf(page, 'cancelled').waitFor({ state: 'detached', ...SOON })
  })

  it('to an instructor', async () => {
    const page = await at()
    await blockOf(page).waitFor()
    const asked = requestsOf(page)
    await school.client.patch(`/instructors/${instructor.id}`, { last_name: 'Krause' })
    await page.locator('.column-head', { hasText: 'Jonas Krause' }).waitFor(SOON)
    expect(asked).toEqual([`GET /instructors/${instructor.id}`])
  })

  it('in the lists of a student and of another week', async () => {
    const page = await at()
    await blockOf(page).waitFor()
    await page.getByRole('button', { name: 'Next day' }).click()
    await page.getByRole('link', { name: 'Students' }).click()
    await page.getByRole('button', { name: 'Lena Vogt' }).click()
    await page.getByRole('link', { name: '10:00–11:30' }).waitFor()
    await school.client.patch(`/appointments/${lesson.id}`, {
      start_at: '2027-03-02 12:00',
      end_at: '2027-03-02 13:00',
    })
    await page.getByRole('link', { name: '12:00–13:00' }).waitFor(SOON)
    await page.keyboard.press('Escape')
    const asked = requestsOf(page)
    await page.getByRole('link', { name: 'Board' }).click()
    await blockOf(page, '12:00–13:00').waitFor()
    await page.getByRole('button', { name: 'Previous day' }).click()
    await blockOf(page).waitFor({ state: 'detached' })
    expect(asked).toEqual([])
  })

  it('to many things at once, which are read together', async () => {
    const page = await at()
    await blockOf(page).waitFor()
    const asked = requestsOf(page)
    await page.context().setOffline(true)
    const names = Array.from({ length: 25 }, (_, index) => `Number ${index}`)
    for (const first_name of names) await school.student({ first_name })
    await school.client.patch(`/appointments/${lesson.id}`, { end_at: `${DATE} 11:00` })
    await page.context().setOffline(false)
    await blockOf(page, '10:00–11:00').waitFor()
    await page.getByRole('link', { name: 'Students' }).click()
    await page.getByText('26 students').waitFor()
    expect(asked).toHaveLength(2)
    expect(asked).toContain('GET /bootstrap')
  })
})

describe('what this tab does itself', () => {
  it('costs one request: the first drag of a lesson', async () => {
    const page = await at()
    const box = await boxOf(blockOf(page))
    const asked = requestsOf(page)
    const from = { x: box.x + 40, y: box.y + 10 }
    const { drop } = await dragWithMouse(page, from, { x: from.x, y: from.y + box.height / 3 })
    await page.locator('[data-held]').waitFor()
    await drop()
    await page.getByText(/^Moved: Lena Vogt.*10:30–12:00/).waitFor()
    await quiet(page)
    await quiet(page)
    expect(asked).toEqual([`PATCH /appointments/${lesson.id}`])
  })

  it('does not fight with what comes in while its answer is on the way', async () => {
    const page = await at()
    await blockOf(page).waitFor()
    const held = Promise.withResolvers<void>()
    await page.route(`**/appointments/${lesson.id}`, async (route) => {
      if (route.request().method() === 'PATCH') await held.promise
      await route.continue()
    })
    await blockOf(page).focus()
    await page.keyboard.press('Alt+ArrowDown')
    await blockOf(page, '10:15–11:45').waitFor()
    await school.client.patch(`/appointments/${lesson.id}`, { notes: 'brings glasses' })
    await page.waitForResponse((answer) => answer.url().endsWith(`/appointments/${lesson.id}`))
    expect(await blockOf(page).innerText()).toContain('10:15–11:45')
    held.resolve()
    await page.getByText(/^Moved: Lena Vogt.*10:15–11:45/).waitFor()
    const { body } = await school.client.get(`/appointments/${lesson.id}`)
    expect(body).toMatchObject({ start_at: `${DATE} 10:15`, notes: 'brings glasses' })
  })
})

describe('a tab that was away', () => {
  it('misses nothing that happened while it was offline', async () => {
    const page = await at()
    await blockOf(page).waitFor()
    await page.context().setOffline(true)
    await page.getByText('No connection to the service.').waitFor()
    await school.client.patch(`/appointments/${lesson.id}`, { end_at: `${DATE} 11:00` })
    await page.context().setOffline(false)
    await blockOf(page, '10:00–11:00').waitFor(SOON)
    await page.getByText('No connection to the service.').waitFor({ state: 'detached' })
  })

  it('misses nothing that is told while an older answer is still on the way', async () => {
    const page = await at()
    await blockOf(page).waitFor()
    await page.route(
      '**/appointments?*',
      async (route) => {
        const old = await route.fetch()
        const told = page.waitForResponse((answer) => answer.url().endsWith(`/appointments/${lesson.id}`))
        await school.client.patch(`/appointments/${lesson.id}`, {
          start_at: '2027-03-10 10:00',
          end_at: '2027-03-10 11:00',
        })
        await told
        // The page has given up what is answered too late.
        await route.fulfill({ response: old }).catch(() => undefined)
      },
      { times: 1 },
    )
    await page.goto(`${service().url}/?date=2027-03-10`)
    await blockOf(page, '10:00–11:00').waitFor()
  })

  it('asks nothing while it is hidden, and catches up at once when it is shown', async () => {
    const page = await at()
    await blockOf(page).waitFor()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/')) asked.push(request.url())
    })
    await turn(page, 'hidden')
    const watcher = await at()
    await school.client.patch(`/appointments/${lesson.id}`, { end_at: `${DATE} 11:00` })
    await blockOf(watcher, '10:00–11:00').waitFor()
    await quiet(watcher)
    expect(asked).toEqual([])
    await turn(page, 'visible')
    await blockOf(page, '10:00–11:00').waitFor({ timeout: 1_500 })
  })

  it('begins anew where the service does not know its cursor', async () => {
    const page = await at()
    await blockOf(page).waitFor()
    await school.client.patch(`/appointments/${lesson.id}`, { end_at: `${DATE} 11:00` })
    let isLost = true
    page.on('request', (request) => {
      if (request.url().endsWith('/changes/since')) isLost = false
    })
    await page.route('**/changes/since?cursor=*', (route) =>
      route.continue(isLost ? { url: `${service().url}/api/v1/changes/since?cursor=rubbish` } : {}),
    )
    await blockOf(page, '10:00–11:00').waitFor()
    await school.client.patch(`/appointments/${lesson.id}`, { end_at: `${DATE} 12:00` })
    await blockOf(page, '10:00–12:00').waitFor()
  })

  it('reads again what it could not, though nothing has changed since', async () => {
    const page = await at()
    await page.route('**/appointments?*', (route) => route.abort())
    await page.getByRole('button', { name: 'Previous day' }).click()
    await page.getByText('The service cannot be reached.').waitFor()
    await page.unroute('**/appointments?*')
    await page.locator('.column-head', { hasText: 'Jonas' }).waitFor()
  })
})

describe('a tab that nobody touches', () => {
  it('asks at most 16 times a minute, and is answered with at most 10 kB', { timeout: 60_000 }, async () => {
    for (let count = 0; count < 59; count += 1) await school.student({ first_name: `Number ${count}` })
    const page = await at()
    await blockOf(page).waitFor()
    await quiet(page)
    const traffic = await trafficOf(page)
    const from = performance.now()
    for (let polls = 0; polls < 6; polls += 1) await quiet(page)
    const minutes = (performance.now() - from) / 60_000
    expect(minutes).toBeGreaterThan(20 / 60)
    expect(traffic.requests / minutes).toBeLessThanOrEqual(16)
    expect(traffic.bytes / minutes).toBeLessThanOrEqual(10_000)
  })
})

/** What the page asks for from now on, and how much the answers weigh on the wire, their headers included. */
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

/** The tab goes behind another, or comes before it: headless browsers have none in front. */
async function turn(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
}
