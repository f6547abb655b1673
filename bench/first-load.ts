import { parseArgs } from 'node:util'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchChromium } from '../test/support/chromium.ts'
import { type Checkout, checkoutIn, HERE } from './checkout.ts'
import { enrolSchool, foundSchool, PASSWORD } from './idle-school.ts'
import { median } from './median.ts'
import { anotherDatabase, startEmptyPostgres, type Undo } from './servers.ts'

/**
 * Measures what a logged-in clerk waits for in a browser with an empty cache: the time until the first lesson is visible,
 * the files loaded by then, and those fetched ahead. The built app in Chromium, the real service on PostgreSQL. It has no
 * pass or fail.
 *
 * --rounds N         how often each checkout is loaded, in turn
 * --beside FOLDER    another checkout too, with its node_modules
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    beside: { type: 'string' },
  },
})

const STUDENTS = 60
/** By then everything that is fetched ahead has arrived. */
const SETTLING_MS = 3_000
const JWT_SECRET = 'the secret of the bench has more than 256 bits'

/** Requests, and compressed bytes over the wire. */
type Loaded = { readonly requests: number; readonly scripts: number; readonly styles: number }
type Load = { readonly firstLessonMs: number; readonly byThen: Loaded; readonly inTheEnd: Loaded }
type Place = { readonly folder: string; readonly url: string; readonly session: Session }
type Session = Awaited<ReturnType<BrowserContext['storageState']>>

const undo: Undo = []
try {
  const browser = await launchChromium()
  undo.push(() => browser.close())
  const database = await startEmptyPostgres(undo)
  const checkouts = [checkoutIn(HERE), ...(options.beside ? [checkoutIn(options.beside)] : [])]
  const places: Place[] = []
  for (const [index, checkout] of checkouts.entries()) {
    const address = await anotherDatabase(undo, database, `fahrplan_load_${process.pid}_${index}`)
    places.push(await placeFor(checkout, address, browser))
  }
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

async function placeFor(checkout: Checkout, database: string, browser: Browser): Promise<Place> {
  const { buildWebIfNeeded } =
    await checkout.load<typeof import('../src/cli/build-web.ts')>('src/cli/build-web.ts')
  await buildWebIfNeeded(console.error)
  const env = { DATABASE_URL: database, JWT_SECRET }
  const email = foundSchool(checkout, env, 'School')
  const server = await checkout.start(['bin/fahrplan.js', 'serve'], { ...env, PORT: '0' })
  undo.push(server.stop)
  const url = `http://127.0.0.1:${server.port}`
  await enrolSchool(url, email, STUDENTS)
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(url)
  await page.locator('input[name=email]').fill(email)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.locator('input[name=password]').press('Enter')
  await page.locator('[data-lesson]').first().waitFor()
  const session = await context.storageState()
  await context.close()
  return { folder: checkout.folder, url, session }
}

async function loadOf(browser: Browser, { url, session }: Place): Promise<Load> {
  const context = await browser.newContext({
    storageState: session,
    viewport: { width: 1440, height: 900 },
    locale: 'de-DE',
    // The app's policy would not run the measuring scripts.
    bypassCSP: true,
  })
  const page = await context.newPage()
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
  // The page itself is a request, too.
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
