import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const OUTDATED = 'Fahrplan may just have been updated. Reload the page.'

let school: School

beforeEach(async () => {
  school = await aSchool(service())
  await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
})

/** Answers requests for code as a service does that has been updated since the page was opened. */
async function update(page: Page, files = '**/assets/*.{js,css}'): Promise<void> {
  await page.route(files, (route) => route.fulfill({ status: 404 }))
}

/** Opens the board and waits until the code that it fetches ahead has arrived. */
async function atBoard(): Promise<Page> {
  const codes: string[] = []
  const page = await open('/icon.svg', { as: school })
  page.on('requestfinished', (request) => codes.push(request.url()))
  await page.goto(service().url)
  await page.locator('.column-head', { hasText: 'Jonas' }).waitFor()
  for (const name of ['login-overlay', 'discarding', 'booking-dialog', 'confirmation'])
    await expect.poll(() => codes.some((url) => url.includes(name))).toBe(true)
  await page.waitForLoadState('networkidle')
  return page
}

describe('after an update of the service', () => {
  it('an open form survives an expired session', async () => {
    const page = await atBoard()
    await page.getByRole('button', { name: 'Book lesson' }).click()
    await page.getByRole('dialog').getByLabel('Notes').fill('At the station')
    await update(page)
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Book', exact: true }).click()
    await page.getByText('Your session has expired.').waitFor()
    await expect.poll(() => page.getByLabel('Notes').inputValue()).toBe('At the station')
  })

  it('the user is asked before a logout discards input', async () => {
    const page = await atBoard()
    await page.getByRole('button', { name: 'Book lesson' }).click()
    await page.getByRole('dialog').getByLabel('Notes').fill('At the station')
    await update(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Keep' }).waitFor()
  })

  it('a page whose code is missing explains it', async () => {
    const page = await atBoard()
    await update(page)
    await page.getByRole('link', { name: 'Changes' }).click()
    await page.getByText(OUTDATED).waitFor()
    await page.unroute('**/assets/*.{js,css}')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Changes' }).waitFor()
  })

  it('the board stays if only the calendar cannot be fetched', async () => {
    const page = await atBoard()
    await update(page)
    await page.getByRole('toolbar').getByRole('button', { expanded: false }).first().click()
    await page.getByText(OUTDATED).waitFor()
    await page.locator('.column-head', { hasText: 'Jonas' }).waitFor()
  })
})

describe('a start', () => {
  it('without the texts shows a message and can be repeated', async () => {
    const page = await open('/icon.svg', { as: school })
    await update(page, '**/assets/en-*.js')
    await page.goto(service().url)
    await page.getByText('Fahrplan could not be loaded.').waitFor()
    await page.unroute('**/assets/en-*.js')
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.locator('.column-head', { hasText: 'Jonas' }).waitFor()
  })

  it('without the marks of lessons shows the board and a message', async () => {
    const page = await open('/icon.svg', { as: school })
    await update(page, '**/assets/marks-*.js')
    await page.goto(service().url)
    await page.locator('.column-head', { hasText: 'Jonas' }).waitFor()
    await page.getByText(OUTDATED).waitFor()
  })
})
