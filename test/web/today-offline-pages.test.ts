import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { goOffline, useBrowser } from '../support/browser.ts'
import { enter } from '../support/factory.ts'
import { aDay, type Day, onPhone } from './instructors-day.ts'
import { keptIn } from './kept.ts'

const service = useService()
const open = useBrowser(service)

let day: Omit<Day, 'page'>
let page: Page

beforeEach(async () => {
  day = await aDay(service())
  const { client } = await enter(service(), { tenantId: day.school.tenantId, user: day.user })
  const asked = { instructor_id: day.jonas.id, start_date: '2032-08-02', end_date: '2032-08-13' }
  await client.post('/schedule-requests', { ...asked, note: 'Summer' })
  page = await onPhone(service(), open, day)
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
  await expect
    .poll(() => keptIn(page))
    .toEqual(expect.arrayContaining(['bootstrap', 'appointments', 'schedule-requests', 'inbox']))
})

describe('without a connection', () => {
  it('the address of the board leads an instructor to the stored day', async () => {
    await goOffline(page)
    await page.goto(`${service().url}/`)
    await page.getByRole('heading', { name: 'Tom Berg' }).waitFor()
    await page.getByText('No connection to the service.').waitFor()
    expect(new URL(page.url()).pathname).toBe('/today')
  })

  it('the requests are shown, and a new one keeps its text until it can be sent', async () => {
    await goOffline(page)
    await page.goto(`${service().url}/requests`)
    await page.getByText('Summer').waitFor()
    await page.getByLabel('From', { exact: true }).fill('2032-09-06')
    await page.getByLabel('To', { exact: true }).fill('2032-09-07')
    await page.getByLabel('Note').fill('Moving house')
    await page.getByRole('button', { name: 'Ask', exact: true }).tap()
    await page.getByRole('alert').first().waitFor()
    expect(await page.getByLabel('Note').inputValue()).toBe('Moving house')
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Ask', exact: true }).tap()
    await page.getByText('Your request is with the office.').waitFor()
  })

  it('the inbox opens', async () => {
    await goOffline(page)
    await page.goto(`${service().url}/inbox`)
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  })
})
