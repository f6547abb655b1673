import { parseArgs } from 'node:util'
import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import { launchChromium } from '../test/support/chromium.ts'
import { type Place, startPlaces } from './browser-place.ts'
import { median } from './median.ts'
import type { Undo } from './servers.ts'

/**
 * Measures the waits of a large school's office and of an instructor with a slow phone: the built app in Chromium, the service
 * on PostgreSQL, 40 instructors with ten lessons a day, 2,000 students. Fails above a limit.
 * Options: --rounds N --beside FOLDER (another checkout, with its node_modules)
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    beside: { type: 'string' },
  },
})

const SIZE = { students: 2_000, instructors: 40, lessonsADay: 10 }
const DESK: BrowserContextOptions = { viewport: { width: 1440, height: 900 } }
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
/** Lighthouse's slow phone: a processor six times slower, 1.6 Mbit/s, 150 ms for a round trip. */
const SLOWER = 6
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const TYPED = 'number 17'

/** The limits in milliseconds. */
const LIMITS = {
  'the board of a day': 600,
  'the board of a week': 600,
  'the week of all instructors': 900,
  'a frame of a drag': 17,
  'the longest frame of a drag': 32,
  'a key of the search': 16,
  'the day on a slow phone, first time': 2_500,
  'the day on a slow phone, from the cache': 700,
} as const
type Name = keyof typeof LIMITS
type Figures = Readonly<Record<Name, number>>

const undo: Undo = []
try {
  const browser = await launchChromium()
  undo.push(() => browser.close())
  const places = await startPlaces(undo, browser, { beside: options.beside, size: SIZE })
  const rounds = new Map<Place, Figures[]>(places.map((place) => [place, []]))
  // The first round warms the services up.
  for (let round = 0; round <= Number(options.rounds); round += 1) {
    for (const place of places) {
      const figures = { ...(await measureDesk(browser, place)), ...(await measurePhone(browser, place)) }
      if (round > 0) rounds.get(place)?.push(figures)
    }
  }
  report(rounds)
} finally {
  for (const one of undo.reverse()) await one()
}

async function measureDesk(browser: Browser, place: Place) {
  const { page, devtools, close } = await openTab(browser, place, DESK)
  // Fill the cache, as on any day but the first.
  await page.goto(place.url)
  await untilLessons(page, SIZE.instructors * SIZE.lessonsADay)
  await page.waitForTimeout(2_000)
  await page.goto(place.url)
  const day = await untilLessons(page, SIZE.instructors * SIZE.lessonsADay)
  const frames = await framesOfDrag(page)
  const key = await keyOfSearch(page, devtools)
  await page.goto(`${place.url}/?view=week`)
  const week = await untilLessons(page, 7 * SIZE.lessonsADay)
  await page.goto(`${place.url}/?view=team`)
  const team = await untilLessons(page, SIZE.instructors * 5 * SIZE.lessonsADay)
  await close()
  return {
    'the board of a day': day,
    'the board of a week': week,
    'the week of all instructors': team,
    'a frame of a drag': median(frames),
    'the longest frame of a drag': Math.max(...frames),
    'a key of the search': key,
  }
}

async function measurePhone(browser: Browser, place: Place) {
  const { page, devtools, close } = await openTab(browser, { ...place, owner: place.instructor }, PHONE)
  const slowDown = async () => {
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', SLOW_4G)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  }
  await slowDown()
  await page.goto(`${place.url}/today`)
  const first = await untilLessons(page, 1)
  // Wait until the service worker has stored its files.
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
  await page.waitForTimeout(5_000)
  await slowDown()
  await page.goto(`${place.url}/today`)
  const cached = await untilLessons(page, 1)
  await close()
  return { 'the day on a slow phone, first time': first, 'the day on a slow phone, from the cache': cached }
}

type Tab = { readonly page: Page; readonly devtools: CDPSession; readonly close: () => Promise<void> }

async function openTab(browser: Browser, { owner }: Place, looks: BrowserContextOptions): Promise<Tab> {
  // The app's Content-Security-Policy would block the measuring scripts.
  const context = await browser.newContext({ ...looks, storageState: owner, bypassCSP: true })
  const page = await context.newPage()
  return { page, devtools: await context.newCDPSession(page), close: () => context.close() }
}

async function untilLessons(page: Page, count: number): Promise<number> {
  const shown = await page.waitForFunction(
    `document.querySelectorAll('[data-lesson]').length >= ${count} &&
      new Promise((resolve) => requestAnimationFrame(() => resolve(performance.now())))`,
    undefined,
    { polling: 'raf' },
  )
  return Number(await shown.jsonValue())
}

/** Returns the place of the first lesson inside the window, in one step: the calendar may draw its blocks anew meanwhile. */
async function boxOfLesson(page: Page): Promise<{ readonly x: number; readonly y: number }> {
  const box = await page.waitForFunction(
    `[...document.querySelectorAll('[data-lesson]')].map((one) => one.getBoundingClientRect())
      .find(({ x, y, width }) => width > 0 && x > 0 && y > 200 && y < innerHeight - 100)?.toJSON()`,
  )
  return (await box.jsonValue()) as { readonly x: number; readonly y: number }
}

async function framesOfDrag(page: Page): Promise<readonly number[]> {
  const box = await boxOfLesson(page)
  await page.mouse.move(box.x + 20, box.y + 10)
  await page.mouse.down()
  await page.mouse.move(box.x + 20, box.y + 30, { steps: 4 })
  await page.evaluate(`{
    globalThis.frames = []
    let last = performance.now()
    const next = (now) => { globalThis.frames.push(now - last); last = now; requestAnimationFrame(next) }
    requestAnimationFrame(next)
  }`)
  await page.mouse.move(box.x + 600, box.y + 300, { steps: 150 })
  const frames: number[] = await page.evaluate('globalThis.frames')
  await page.keyboard.press('Escape')
  await page.mouse.up()
  return frames.slice(1)
}

async function keyOfSearch(page: Page, devtools: CDPSession): Promise<number> {
  await devtools.send('Performance.enable')
  await page.keyboard.press('/')
  await page.locator('[role=combobox]:focus').waitFor()
  const times: number[] = []
  for (const key of TYPED) {
    const before = await taskSeconds(devtools)
    await page.keyboard.type(key)
    await page.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined))))',
    )
    times.push((await taskSeconds(devtools)) - before)
  }
  await page.keyboard.press('Escape')
  return median(times) * 1000
}

async function taskSeconds(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
}

function report(rounds: ReadonlyMap<Place, readonly Figures[]>): void {
  const [here = [], there] = [...rounds.values()]
  const heads = ['ms', 'median', 'limit', ...(there ? ['beside', 'ratio'] : [])]
  console.log(
    `| ${heads.join(' | ')} |\n|---|${heads
      .slice(1)
      .map(() => '---:|')
      .join('')}`,
  )
  for (const name of Object.keys(LIMITS) as Name[]) {
    const middle = median(here.map((figures) => figures[name]))
    const other = there && median(there.map((figures) => figures[name]))
    const beside = other === undefined ? [] : [other.toFixed(1), (middle / other).toFixed(2)]
    console.log(`| ${[name, middle.toFixed(1), LIMITS[name], ...beside].join(' | ')} |`)
    if (middle > LIMITS[name]) process.exitCode = 1
  }
}
