import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../test/support/chromium.ts'
import { type Place, startPlaces } from './browser-place.ts'
import { median } from './median.ts'
import type { Undo } from './servers.ts'

/**
 * Measures the wait of a logged-in clerk with an empty cache: the time until the first lesson, the files loaded by then, and
 * those fetched ahead. The built app in Chromium, the service on PostgreSQL. No pass or fail.
 * Options: --rounds N --beside FOLDER (another checkout, with its node_modules) --latency MS (of every request)
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    beside: { type: 'string' },
    latency: { type: 'string', default: '0' },
  },
})

const STUDENTS = 60
/** The time after which all files that are fetched ahead have arrived. */
const SETTLING_MS = 3_000

const UNLIMITED = { offline: false, downloadThroughput: -1, uploadThroughput: -1 }

/** The number of requests, and the compressed bytes over the wire. */
type Loaded = { readonly requests: number; readonly scripts: number; readonly styles: number }
type Load = { readonly firstLessonMs: number; readonly byThen: Loaded; readonly inTheEnd: Loaded }

const undo: Undo = []
try {
  const browser = await launchChromium()
  undo.push(() => browser.close())
  const places = await startPlaces(undo, browser, { beside: options.beside, size: { students: STUDENTS } })
  const loads = new Map<Place, Load[]>(places.map((place) => [place, []]))
  // The first round warms the services up.
  for (let round = 0; round <= Number(options.rounds); round += 1) {
    for (const place of places) {
      const load = await loadOf(browser, place)
      if (round > 0) loads.get(place)?.push(load)
    }
  }
  console.log(table(loads))
} finally {
  for (const one of undo.reverse()) await one()
}

async function loadOf(browser: Browser, { url, owner }: Place): Promise<Load> {
  const context = await browser.newContext({
    storageState: owner,
    viewport: { width: 1440, height: 900 },
    locale: 'de-DE',
    // The app's Content-Security-Policy would block the measuring scripts.
    bypassCSP: true,
  })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.emulateNetworkConditions', { ...UNLIMITED, latency: Number(options.latency) })
  await page.addInitScript(`{
    const look = () => {
      if (document.querySelector('[data-lesson]')) globalThis.firstLessonMs = performance.now()
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }`)
  await page.goto(url)
  await page.waitForFunction('globalThis.firstLessonMs')
  const firstLessonMs: number = await page.evaluate('globalThis.firstLessonMs')
  const byThen = await loadedOn(page, firstLessonMs)
  await page.waitForTimeout(SETTLING_MS)
  const inTheEnd = await loadedOn(page, Number.POSITIVE_INFINITY)
  await context.close()
  return { firstLessonMs, byThen, inTheEnd }
}

async function loadedOn(page: Page, untilMs: number): Promise<Loaded> {
  const resources: { name: string; bytes: number; at: number }[] = await page.evaluate(
    `performance.getEntriesByType('resource').map((one) => ({
      name: one.name, bytes: one.encodedBodySize, at: one.startTime,
    }))`,
  )
  const until = resources.filter(({ at }) => at < untilMs)
  const bytesOf = (ending: string) =>
    until.filter(({ name }) => name.endsWith(ending)).reduce((sum, { bytes }) => sum + bytes, 0)
  return { requests: until.length + 1, scripts: bytesOf('.js'), styles: bytesOf('.css') }
}

function table(loads: ReadonlyMap<Place, readonly Load[]>): string {
  const head =
    '| first lesson ms | requests | scripts kB | styles kB | in the end: requests | scripts kB | styles kB | checkout |'
  const rows = [...loads].map(([{ folder }, all]) => {
    const middle = (figure: (load: Load) => number) => median(all.map(figure))
    const kilobytes = (figure: (load: Load) => number) => (middle(figure) / 1000).toFixed(1)
    const figures = [
      middle(({ firstLessonMs }) => firstLessonMs).toFixed(0),
      middle(({ byThen }) => byThen.requests),
      kilobytes(({ byThen }) => byThen.scripts),
      kilobytes(({ byThen }) => byThen.styles),
      middle(({ inTheEnd }) => inTheEnd.requests),
      kilobytes(({ inTheEnd }) => inTheEnd.scripts),
      kilobytes(({ inTheEnd }) => inTheEnd.styles),
    ]
    return `| ${figures.join(' | ')} | ${folder} |`
  })
  return [head, '|---:|---:|---:|---:|---:|---:|---:|---|', ...rows].join('\n')
}
