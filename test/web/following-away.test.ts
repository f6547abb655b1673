import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { boxOf, handleFirst, useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'
import { aFollowedLesson, blockOf, DATE, followedBoard, nextPoll } from './followed-board.ts'

const service = useService()
const open = useBrowser(service)

let school: School
let instructor: { id: string }
let lesson: { id: string }

beforeEach(async () => {
  school = await aSchool(service())
  ;({ instructor, lesson } = await aFollowedLesson(school))
})

const atBoard = () => followedBoard(service(), school, open)

describe('a tab that follows changes', () => {
  it('catches up on a change made while it was offline', async () => {
    const page = await atBoard()
    await page.context().setOffline(true)
    await page.getByText('No connection to the service.').waitFor()
    await school.client.patch(`/appointments/${lesson.id}`, { end_at: `${DATE} 11:00` })
    await page.context().setOffline(false)
    await blockOf(page, '10:00–11:00').waitFor()
    await page.getByText('No connection to the service.').waitFor({ state: 'detached' })
  })

  it('shows what it cannot do below the bar that it is offline', async () => {
    const page = await atBoard()
    await page.context().setOffline(true)
    const bar = page.getByRole('status').filter({ hasText: 'No connection to the service.' })
    await bar.waitFor()
    await blockOf(page).press('Alt+ArrowDown')
    const message = page.getByRole('alert')
    await message.waitFor()
    const ends = async () => {
      const { y, height } = await boxOf(bar)
      return (await boxOf(message)).y - y - height
    }
    await expect.poll(ends).toBeGreaterThan(0)
    await page.context().setOffline(false)
  })

  it('shows a newer change even if an older response arrives after it', async () => {
    const page = await atBoard()
    await handleFirst(page, '**/appointments?*', async (route) => {
      const old = await route.fetch()
      const told = page.waitForResponse((answer) => answer.url().endsWith(`/appointments/${lesson.id}`))
      await school.client.patch(`/appointments/${lesson.id}`, {
        start_at: '2032-03-10 10:00',
        end_at: '2032-03-10 11:00',
      })
      await told
      // The page may have aborted the late request.
      await route.fulfill({ response: old }).catch(() => undefined)
    })
    await page.goto(`${service().url}/?date=2032-03-10`)
    await blockOf(page, '10:00–11:00').waitFor()
  })

  it('shows a change made after the first read of the school, before that of the position', async () => {
    // From the second start on, a browser reads both at the same time.
    const page = await atBoard()
    const changed = Promise.withResolvers<void>()
    await handleFirst(page, '**/changes/since', async (route) => {
      await changed.promise
      await route.continue()
    })
    await handleFirst(page, '**/bootstrap', async (route) => {
      const old = await route.fetch()
      const told = page.waitForResponse((answer) => answer.url().endsWith('/changes/since'))
      await school.client.patch(`/instructors/${instructor.id}`, { last_name: 'Krause' })
      changed.resolve()
      await told
      await route.fulfill({ response: old })
    })
    await page.goto(`${service().url}/?date=${DATE}`)
    await page.locator('.column-head', { hasText: 'Jonas Krause' }).waitFor()
  })

  it('shows a vehicle added before the first read of the position', async () => {
    const page = await atBoard()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await handleFirst(page, '**/changes/since', async (route) => {
      // Shown once the school is read, when all that does not wait for the position has been requested.
      await page.getByRole('link', { name: 'Students' }).waitFor()
      expect(asked).not.toContain('/api/v1/vehicles')
      await school.client.post('/vehicles', { name: 'Golf', kind: 'car' })
      await route.continue()
    })
    await page.goto(`${service().url}/?date=${DATE}`)
    await page.getByRole('button', { name: 'Vehicles' }).waitFor()
  })

  it('sends no requests while hidden and catches up as soon as it is visible', async () => {
    const page = await atBoard()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/')) asked.push(request.url())
    })
    await turn(page, 'hidden')
    await page.clock.fastForward(5_000)
    const watcher = await atBoard()
    await school.client.patch(`/appointments/${lesson.id}`, { end_at: `${DATE} 11:00` })
    await nextPoll(watcher)
    await blockOf(watcher, '10:00–11:00').waitFor()
    await page.clock.fastForward(5_000)
    await nextPoll(watcher)
    expect(asked).toEqual([])
    await turn(page, 'visible')
    await blockOf(page, '10:00–11:00').waitFor()
  })

  it('reloads with a new cursor if the service does not recognise the old one', async () => {
    const page = await atBoard()
    await school.client.patch(`/appointments/${lesson.id}`, { end_at: `${DATE} 11:00` })
    let isOutcomeUnknown = true
    page.on('request', (request) => {
      if (request.url().endsWith('/changes/since')) isOutcomeUnknown = false
    })
    await page.route('**/changes/since?cursor=*', (route) =>
      route.continue(isOutcomeUnknown ? { url: `${service().url}/api/v1/changes/since?cursor=rubbish` } : {}),
    )
    await nextPoll(page)
    await blockOf(page, '10:00–11:00').waitFor()
    await school.client.patch(`/appointments/${lesson.id}`, { end_at: `${DATE} 12:00` })
    await nextPoll(page)
    await blockOf(page, '10:00–12:00').waitFor()
  })

  it('retries a failed read even if nothing has changed since', async () => {
    const page = await atBoard()
    let isReachable = false
    await page.route('**/appointments?*', (route) => (isReachable ? route.continue() : route.abort()))
    await page.getByRole('button', { name: 'Previous day' }).click()
    await page.getByText('The service cannot be reached.').waitFor()
    isReachable = true
    await nextPoll(page)
    await page.locator('.column-head', { hasText: 'Jonas' }).waitFor()
  })
})

/** Hides or shows the tab. Headless browsers have no tab in front, so this is simulated. */
async function turn(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
}
