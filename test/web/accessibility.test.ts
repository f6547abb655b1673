import axe, { type Result, type RunOptions } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { en } from '../../src/web/i18n/en.ts'
import { launchChromium } from '../support/chromium.ts'
import { type Demo, startDemo } from '../support/demo.ts'
import type { Scene } from './scene.ts'
import { scenes } from './scenes.ts'

const DESKTOP = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

/** All that is not a colour is the same in both colour schemes. */
const COLOURS: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast'] } }

let demo: Demo
let browser: Browser
let page: Page
let board: string

beforeAll(async () => {
  demo = await startDemo()
  browser = await launchChromium()
  // The policy of the page would keep axe out.
  const context = await browser.newContext({ bypassCSP: true, locale: 'en-GB', reducedMotion: 'reduce' })
  context.setDefaultTimeout(10_000)
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
 * `instructorAffected` shows all that the other pictures of its dialog do; `today` is not the office's, nor is the student's
 * page (`links.test.ts`).
 */
const { login: _, print: __, instructor: ___, instructorLimits: ____, today: _____, ...more } = scenes
const { studentPage: ______, ...shown } = more

describe('axe finds nothing, in light and dark, on a desktop and on a phone', () => {
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
    await scene(page, en)
    expect(await faultsOf(page)).toEqual([])
  })
})

async function logIn(): Promise<void> {
  await page.locator('input[name=email]').fill(demo.email)
  await page.locator('input[name=password]').fill(demo.password)
  await page.locator('button[type=submit]').click()
  await page.locator('[data-lesson]').first().waitFor()
}

/** What axe finds in every look of what is shown now: the rule, where, and why. */
async function faultsOf(shownPage: Page): Promise<string[]> {
  const faults: string[] = []
  for (const [size, viewport] of Object.entries({ DESKTOP, PHONE })) {
    await shownPage.setViewportSize(viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      await shownPage.emulateMedia({ colorScheme })
      await shownPage.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
      const found = await run(shownPage, colorScheme === 'light' ? {} : COLOURS)
      faults.push(...found.map((fault) => `${size} ${colorScheme} ${fault}`))
    }
  }
  return faults
}

async function run(shownPage: Page, options: RunOptions): Promise<string[]> {
  const found = await shownPage.evaluate<Result[]>(
    `axe.run(${JSON.stringify({ resultTypes: ['violations'], ...options })}).then(({ violations }) => violations)`,
  )
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, any }) => `${id}: ${target} ${any[0]?.message ?? ''}`),
  )
}
