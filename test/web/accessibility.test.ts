import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { en } from '../../src/web/ui/i18n/en.ts'
import { enLater } from '../../src/web/ui/i18n/en-later.ts'
import { launchChromium, PAGE_TIMEOUT } from '../support/chromium.ts'
import { type Demo, startDemo } from '../support/demo.ts'
import { DESKTOP, faultsOf } from './axe.ts'
import type { Scene } from './scene.ts'
import { scenes } from './scenes.ts'

let demo: Demo
let browser: Browser
let page: Page
let board: string

beforeAll(async () => {
  demo = await startDemo()
  browser = await launchChromium()
  // The content security policy of the page would block axe.
  const context = await browser.newContext({ bypassCSP: true, locale: 'en-GB', reducedMotion: 'reduce' })
  context.setDefaultTimeout(PAGE_TIMEOUT)
  await context.addInitScript(axe.source)
  page = await context.newPage()
  await page.clock.setFixedTime(`${demo.wednesday}T09:15:00Z`)
  board = `${demo.url}/?date=${demo.wednesday}`
})

afterEach(async () => page.context().setOffline(false))

afterAll(async () => {
  await browser.close()
  await demo.stop()
})

/**
 * `instructorAffected` shows everything that the other pictures of its dialog show. `today` is not a page of the office, nor is
 * the student's page (see `links.test.ts`).
 */
const { login: _, print: __, instructor: ___, instructorLimits: ____, today: _____, ...more } = scenes
const { studentPage: ______, ...shown } = more

describe('pages without axe violations in light and dark mode, on desktop and phone', () => {
  it('login', async () => {
    await page.goto(board)
    await page.locator('input[name=email]').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await logIn()
  })

  it.each(Object.entries<Scene>(shown))('%s', async (_name, scene) => {
    await page.setViewportSize(DESKTOP)
    await page.goto(board)
    await page.locator('[data-lesson]').first().waitFor()
    await scene(page, {
      ...en,
      ...enLater,
      field: { ...en.field, ...enLater.field },
      request: { ...en.request, ...enLater.request },
    })
    expect(await faultsOf(page)).toEqual([])
  })
})

async function logIn(): Promise<void> {
  await page.locator('input[name=email]').fill(demo.email)
  await page.locator('input[name=password]').fill(demo.password)
  await page.locator('button[type=submit]').click()
  await page.locator('[data-lesson]').first().waitFor()
}
