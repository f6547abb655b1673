import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { logInAt, useBrowser } from '../support/browser.ts'
import { aSchool, aUser, enter, type School } from '../support/factory.ts'

declare const document: { elementFromPoint: (x: number, y: number) => never }

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'
const LEFT_MS = 15 * 60_000

let school: School
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  page = await open('/icon.svg', { as: school })
  await page.clock.install()
  await page.goto(`${service().url}/?date=${DATE}`)
  await page.locator('.column-head').first().waitFor()
})

const notes = (tab: Page) => tab.getByLabel('Notes')
const asked = (tab: Page) => tab.locator('input[name=password]').waitFor()

/** Whether another element covers the middle of an element. */
const isCovered = (locator: Locator) =>
  locator.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return !element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })

async function beginBooking(): Promise<void> {
  await page.keyboard.press('n')
  await notes(page).fill('half written')
}

async function logOutElsewhere(): Promise<Page> {
  const sibling = await page.context().newPage()
  await sibling.goto(`${service().url}/students`)
  await sibling.getByRole('button', { name: 'Menu' }).click()
  await sibling.getByRole('button', { name: 'Log out' }).click()
  await Promise.all([page, sibling].map(asked))
  return sibling
}

describe('an unsaved form after a logout in another tab', () => {
  it('is covered, and shown again when the same user logs in again in either tab', async () => {
    await beginBooking()
    const sibling = await logOutElsewhere()
    await page.getByText('You logged out in another tab.').waitFor()
    await expect.poll(() => isCovered(notes(page))).toBe(true)
    await logInAt(page, school)
    await notes(page).click()
    await expect.poll(() => notes(page).inputValue()).toBe('half written')
    await sibling.getByRole('heading', { name: 'Students' }).waitFor()
    await sibling.getByRole('button', { name: 'Menu' }).click()
    await sibling.getByRole('button', { name: 'Log out' }).click()
    await asked(page)
    await logInAt(sibling, school)
    await notes(page).click()
    await expect.poll(() => notes(page).inputValue()).toBe('half written')
  })

  it('is discarded when another user logs in', async () => {
    await beginBooking()
    await logOutElsewhere()
    const user = await aUser(service(), school.tenantId, { role: 'office' })
    await logInAt(page, await enter(service(), { tenantId: school.tenantId, user }))
    // The board below the login has columns, too. The login above it must be closed.
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await page.locator('.column-head').first().waitFor()
    await expect.poll(() => page.content()).not.toContain('half written')
  })

  it('is discarded after 15 minutes', async () => {
    await beginBooking()
    await logOutElsewhere()
    await page.clock.fastForward(LEFT_MS - 60_000)
    await expect.poll(() => notes(page).count()).toBe(1)
    await page.clock.fastForward(60_000)
    await page.getByText('Forgot your password?').waitFor()
    await expect.poll(() => notes(page).count()).toBe(0)
  })
})

it('a page without unsaved entries keeps no data after a logout in another tab', async () => {
  await page.keyboard.press('n')
  await notes(page).waitFor()
  await logOutElsewhere()
  await expect.poll(() => notes(page).count()).toBe(0)
  await expect.poll(() => page.content()).not.toContain('Brandt')
})
