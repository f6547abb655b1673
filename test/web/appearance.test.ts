import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { logInAt, useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)

const DARK = 'rgb(36, 36, 36)'
const DARK_FIELD = 'rgb(46, 46, 46)'
const LIGHT = 'rgb(255, 255, 255)'

let school: School

beforeAll(async () => {
  school = await aSchool(service())
  await school.instructor({})
})

async function atBoard(): Promise<Page> {
  const page = await open('/?date=2032-03-01')
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await logInAt(page, school)
  await page.getByRole('toolbar').waitFor()
  return page
}

async function choose(page: Page, appearance: string): Promise<void> {
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByLabel('Appearance').selectOption(appearance)
  await page.keyboard.press('Escape')
}

/** Waits until the page has the scheme. A browser reports a change of the system with a delay. */
const shows = (page: Page, scheme: 'light' | 'dark') =>
  page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor()

const backgroundOf = (page: Page, selector: string) =>
  page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`)

describe('the appearance', () => {
  it('follows the system colour scheme and its changes', async () => {
    const page = await atBoard()
    await shows(page, 'light')
    await expect.poll(() => backgroundOf(page, 'body')).toBe(LIGHT)
    await page.emulateMedia({ colorScheme: 'dark' })
    await shows(page, 'dark')
    await expect.poll(() => backgroundOf(page, 'body')).toBe(DARK)
  })

  it('applies the chosen scheme to dialogs and other tabs, and keeps it after a reload', {}, async () => {
    const page = await atBoard()
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.getByRole('toolbar').waitFor()
    await choose(page, 'Dark')
    await page.keyboard.press('n')
    await page.getByRole('dialog').getByLabel('Notes').waitFor()
    await expect.poll(() => backgroundOf(page, 'body')).toBe(DARK)
    await expect.poll(() => backgroundOf(page, '[role=dialog]')).toBe(DARK)
    await shows(other, 'dark')
    await page.reload()
    await page.getByRole('toolbar').waitFor()
    await expect.poll(() => backgroundOf(page, 'body')).toBe(DARK)
  })

  it('also changes the background of input fields', async () => {
    const page = await atBoard()
    await page.getByRole('link', { name: 'Changes' }).click()
    const field = 'input[aria-label=From]'
    await page.locator(field).waitFor()
    const before = await backgroundOf(page, field)
    await choose(page, 'Dark')
    const after = await backgroundOf(page, field)
    expect([before, after]).toEqual([LIGHT, DARK_FIELD])
  })
})

describe("the board's toolbar", () => {
  it.each([
    ['de-DE', 1440],
    ['de-DE', 1024],
    ['en-GB', 1440],
    ['en-GB', 1024],
  ])('is one row in %s at %i pixels, in every view', async (locale, width) => {
    const office = await aSchool(service())
    await office.instructor({ first_name: 'Bartholomäus', last_name: 'Hinterhuber-Schmidt' })
    await office.client.post('/vehicles', { name: 'Golf 1', kind: 'car' })
    for (const view of ['', '&view=week', '&view=vehicles']) {
      const page = await open(`/?date=2032-09-29${view}`, {
        as: office,
        locale,
        viewport: { width, height: 900 },
      })
      const toolbar = page.getByRole('toolbar')
      await toolbar.waitFor()
      const tops = await toolbar.locator('> *').evaluateAll((parts) =>
        parts
          .map((part) => part.getBoundingClientRect())
          .filter(({ height }) => height > 0)
          .map(({ top, height }) => Math.round(top + height / 2)),
      )
      expect(Math.max(...tops) - Math.min(...tops), view).toBeLessThan(20)
    }
  })
})
