import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  CDPSession,
  Locator,
  Page,
  Route,
} from 'playwright-core'
import { afterEach, beforeAll, expect, vi } from 'vitest'
import { launchChromium, PAGE_TIMEOUT } from './chromium.ts'
import { PASSWORD, type School } from './factory.ts'

/** The options of a page. The user of the school `as` is logged in before the page is loaded. */
type Opening = BrowserContextOptions & {
  readonly as?: School
  /** The broken policies that the test is about. */
  readonly breaks?: RegExp
}

/** The browser of all files of a worker, which ends with the worker. */
let launched: Promise<Browser> | undefined

/** Returns a function that opens a page of the host in a new context. All contexts are closed after each test. */
export function useBrowser(host: () => { readonly url: string }) {
  let browser: Browser | undefined
  const complaints: string[] = []
  beforeAll(async () => {
    launched ??= launchChromium()
    browser = await launched
  })
  afterEach(async ({ task }) => {
    const contexts = browser?.contexts() ?? []
    if (task.result?.state === 'fail') await tellWhatIsShown(contexts.flatMap((context) => context.pages()))
    for (const context of contexts) await context.close()
    expect(complaints.splice(0), 'no script fails, no policy is broken, nobody else is asked').toEqual([])
  })

  return async (path: string, { as, breaks, ...options }: Opening = {}): Promise<Page> => {
    if (!browser) throw new Error('the browser has not started')
    const context = await browser.newContext({ ...LOOKS, ...options })
    context.setDefaultTimeout(PAGE_TIMEOUT)
    context.on('weberror', (error) => complaints.push(error.error().message))
    context.on('console', (message) => {
      const isExpected = breaks?.test(message.text()) === true
      if (!isExpected && /Content.Security.Policy/i.test(message.text())) complaints.push(message.text())
    })
    context.on('request', (request) => {
      if (!isOfThisMachine(request.url())) complaints.push(request.url())
    })
    if (as) await enterBy(context, host().url, as)
    const page = await context.newPage()
    await page.goto(`${host().url}${path}`)
    return page
  }
}

/** Prints the pages' content, which explains a missing element. */
async function tellWhatIsShown(pages: readonly Page[]): Promise<void> {
  for (const page of pages) console.error(page.url(), await page.innerText('body').catch(String))
}

const LOOKS: BrowserContextOptions = {
  locale: 'en-GB',
  // Far from the school's time zone, so that wall-clock times converted by the browser's are wrong.
  timezoneId: 'Asia/Tokyo',
  viewport: { width: 1280, height: 900 },
}

/** Gives a context the cookies of a new session. */
async function enterBy({ request }: BrowserContext, url: string, { user }: School): Promise<void> {
  const data = { email: user.email, password: PASSWORD }
  const answer = await request.post(`${url}/api/v1/auth/login`, { data })
  expect(answer.status()).toBe(200)
}

/** Whether an address is on this machine, or is made by the page itself and needs no server. */
function isOfThisMachine(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return !protocol.startsWith('http') || hostname === '127.0.0.1' || /(^|\.)localhost$/.test(hostname)
}

/** Logs in at the page that is shown. */
export async function logInAt(page: Page, { user }: School, password = PASSWORD): Promise<void> {
  await page.locator('input[name=email]').fill(user.email)
  await page.locator('input[name=password]').fill(password)
  await page.locator('input[name=password]').press('Enter')
}

/** Cuts the connection. Waits for the bar that says so, because it moves the buttons below it. */
export async function goOffline(page: Page): Promise<void> {
  await page.context().setOffline(true)
  await page.getByText('No connection to the service.').waitFor()
}

/** Returns an element's box once there is one: the board may replace a block between finding and measuring it. */
export async function boxOf(locator: Locator) {
  return vi.waitUntil(() => locator.boundingBox(), { timeout: 30_000 })
}

/**
 * Handles the first request to an address and lets the others pass. After a route for one request only, the browser would
 * stop intercepting and lose a request that it sends at that moment.
 */
export async function handleFirst(
  page: Page,
  address: string,
  handle: (route: Route) => Promise<void>,
): Promise<void> {
  let isHandled = false
  await page.route(address, async (route) => {
    if (isHandled) return route.continue()
    isHandled = true
    await handle(route)
  })
}

type Place = { readonly x: number; readonly y: number }

/** Drags with the mouse and keeps the button pressed; `drop` releases it. */
export async function dragWithMouse(
  page: Page,
  from: Place,
  to: Place,
): Promise<{ drop: () => Promise<void> }> {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 8 })
  return { drop: () => page.mouse.up() }
}

/** Returns a finger that can drag. Playwright's own can only tap. */
export async function fingerOn(board: Page) {
  const devtools: CDPSession = await board.context().newCDPSession(board)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: points })
  let at = { x: 0, y: 0 }
  return {
    press: async (x: number, y: number) => {
      at = { x, y }
      await touch('touchStart', [at])
    },
    move: async (x: number, y: number) => {
      for (const part of [0.25, 0.5, 0.75, 1]) {
        await touch('touchMove', [{ x: at.x + (x - at.x) * part, y: at.y + (y - at.y) * part }])
      }
    },
    lift: async () => {
      await touch('touchEnd', [])
    },
  }
}
