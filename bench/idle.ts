import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../test/support/chromium.ts'
import { type Checkout, checkoutIn, HERE } from './checkout.ts'
import { enrolSchool, foundSchool, PASSWORD } from './idle-school.ts'
import { anotherDatabase, startEmptyPostgres, type Undo } from './servers.ts'
import { type Traffic, trafficOf } from './traffic.ts'

/**
 * Counts the cost of an idle tab with an open board, and of a tab in which a clerk goes through the pages, in a small and a
 * large school: the built app in Chromium, the service on PostgreSQL. No pass or fail.
 * Options: --seconds N (for each tab) --beside FOLDER (another checkout) --json FILE (all figures, by address)
 */
const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    beside: { type: 'string' },
    json: { type: 'string' },
  },
})

const SCHOOLS = [60, 5000]
/** The time after which all late requests have finished and every poll has run once more. */
const SETTLING_MS = 10_000
const JWT_SECRET = 'the secret of the bench has more than 256 bits'

const ROUND = ['Students', 'Instructors', 'Changes', 'Board']
const ROUNDS = 6
/** The time without a request after which a page is complete. */
const QUIET_MS = 1_500
/** The time within which an open page polls for changes. */
const POLL_MS = 5_000

/** Returns a script that changes a student like another user, so that the app notices only at its next poll. */
function changeOfAStudent(name: string): string {
  return `(async () => {
    const [{ id }] = await (await fetch('/api/v1/students?limit=1')).json()
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ last_name: '${name}' })
    await fetch('/api/v1/students/' + id, { method: 'PATCH', headers, body })
  })()`
}

/** The cost of a tab: in a minute if it is idle, of all rounds if it is busy. */
type Cost = Traffic & { readonly folder: string; readonly students: number; readonly tab: 'idle' | 'busy' }

const undo: Undo = []
const found: Cost[] = []
try {
  const browser = await launchChromium()
  undo.push(() => browser.close())
  const url = await startEmptyPostgres(undo)
  const checkouts = [checkoutIn(HERE), ...(options.beside ? [checkoutIn(options.beside)] : [])]
  for (const [index, checkout] of checkouts.entries()) {
    const address = await anotherDatabase(undo, url, `fahrplan_idle_${process.pid}_${index}`)
    found.push(...(await idleIn(checkout, address, browser)))
  }
} finally {
  for (const one of undo.reverse()) await one()
}
console.log(table(found))
if (options.json) writeFileSync(options.json, `${JSON.stringify(found, null, 2)}\n`)

async function idleIn(checkout: Checkout, database: string, browser: Browser): Promise<readonly Cost[]> {
  const { buildWebIfNeeded } =
    await checkout.load<typeof import('../src/cli/build-web.ts')>('src/cli/build-web.ts')
  await buildWebIfNeeded(console.error)
  const env = { DATABASE_URL: database, JWT_SECRET }
  const schools = SCHOOLS.map((students) => ({
    students,
    email: foundSchool(checkout, env, `School of ${students}`),
  }))
  const server = await checkout.start(['bin/fahrplan.js', 'serve'], { ...env, PORT: '0' })
  undo.push(server.stop)
  const url = `http://127.0.0.1:${server.port}`
  const costs: Cost[] = []
  for (const { students, email } of schools) {
    process.stderr.write(`${checkout.folder}: ${students} students …\n`)
    await enrolSchool(url, email, { students })
    const { idle, busy } = await watched(browser, url, email)
    const of = { folder: checkout.folder, students }
    costs.push({ ...of, tab: 'idle', ...perMinute(idle) }, { ...of, tab: 'busy', ...busy })
  }
  return costs
}

async function watched(
  browser: Browser,
  url: string,
  email: string,
): Promise<{ readonly idle: Traffic; readonly busy: Traffic }> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.goto(url)
  await page.locator('input[name=email]').fill(email)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.locator('input[name=password]').press('Enter')
  await page.locator('[data-lesson]').first().waitFor()
  await page.waitForTimeout(SETTLING_MS)
  const idle = await trafficOf(page, () => page.waitForTimeout(Number(options.seconds) * 1000))
  const busy = await trafficOf(page, () => goRound(page))
  await context.close()
  return { idle, busy }
}

/** Goes through the pages and three weeks of the board. After each round another user changes a student. */
async function goRound(page: Page): Promise<void> {
  const quiet = quietOf(page)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of ROUND) {
      await page.getByRole('link', { name, exact: true }).click()
      await quiet()
    }
    for (const name of ['Next', 'Next', 'Previous', 'Previous']) {
      await page
        .getByRole('button', { name: new RegExp(`^${name}`) })
        .first()
        .click()
      await quiet()
    }
    await page.evaluate(changeOfAStudent(`Round ${round}`))
    await page.waitForTimeout(POLL_MS)
    await quiet()
  }
}

/** Returns a function that waits until the page is quiet; `networkidle` works only once. */
function quietOf(page: Page): () => Promise<void> {
  let changedAt = performance.now()
  for (const event of ['request', 'requestfinished', 'requestfailed'] as const)
    page.on(event as 'request', () => {
      changedAt = performance.now()
    })
  return async () => {
    changedAt = performance.now()
    while (performance.now() - changedAt < QUIET_MS) await page.waitForTimeout(50)
  }
}

function perMinute(traffic: Traffic): Traffic {
  const scaled = (count: number) => Math.round((count * 60) / Number(options.seconds))
  return {
    requests: scaled(traffic.requests),
    receivedBytes: scaled(traffic.receivedBytes),
    sentBytes: scaled(traffic.sentBytes),
    byAddress: Object.fromEntries(
      Object.entries(traffic.byAddress).map(([address, count]) => [address, scaled(count)]),
    ),
  }
}

function table(all: readonly Cost[]): string {
  const rows = all.map(({ folder, tab, students, requests, receivedBytes, sentBytes }) => {
    const counts = [students, requests, receivedBytes, sentBytes].map((count) => count.toLocaleString('en'))
    return `| ${tab} | ${counts.join(' | ')} | ${folder} |`
  })
  const head = '| tab | students | requests | bytes received | bytes of request heads | checkout |'
  return [head, '|---|---:|---:|---:|---:|---|', ...rows].join('\n')
}
