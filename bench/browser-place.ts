import type { Browser, BrowserContext } from 'playwright-core'
import { type Checkout, checkoutIn, HERE } from './checkout.ts'
import { createInstructorUser, enrolSchool, foundSchool, PASSWORD, type Size } from './idle-school.ts'
import { anotherDatabase, startEmptyPostgres, type Undo } from './servers.ts'

const JWT_SECRET = 'the secret of the bench has more than 256 bits'

export type Place = {
  readonly folder: string
  readonly url: string
  readonly owner: Session
  readonly instructor: Session
}
export type Session = Awaited<ReturnType<BrowserContext['storageState']>>

export async function startPlaces(
  undo: Undo,
  browser: Browser,
  { beside, size }: { readonly beside: string | undefined; readonly size: Size },
): Promise<readonly Place[]> {
  const database = await startEmptyPostgres(undo)
  const places: Place[] = []
  for (const [index, folder] of [HERE, ...(beside ? [beside] : [])].entries()) {
    const address = await anotherDatabase(undo, database, `fahrplan_browser_${process.pid}_${index}`)
    places.push(await startPlace(undo, browser, { checkout: checkoutIn(folder), address, size }))
  }
  return places
}

type BrowserPlace = { readonly checkout: Checkout; readonly address: string; readonly size: Size }

async function startPlace(
  undo: Undo,
  browser: Browser,
  { checkout, address, size }: BrowserPlace,
): Promise<Place> {
  const { buildWebIfNeeded } =
    await checkout.load<typeof import('../src/cli/build-web.ts')>('src/cli/build-web.ts')
  await buildWebIfNeeded(console.error)
  const env = { DATABASE_URL: address, JWT_SECRET }
  const email = foundSchool(checkout, env, 'School')
  const server = await checkout.start(['bin/fahrplan.js', 'serve'], { ...env, PORT: '0' })
  undo.push(server.stop)
  const url = `http://127.0.0.1:${server.port}`
  const [first = ''] = await enrolSchool(url, email, size)
  const teacher = createInstructorUser(checkout, env, email, first)
  const owner = await sessionAt(browser, url, email)
  return { folder: checkout.folder, url, owner, instructor: await sessionAt(browser, url, teacher) }
}

async function sessionAt(browser: Browser, url: string, email: string): Promise<Session> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(url)
  await page.locator('input[name=email]').fill(email)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.locator('input[name=password]').press('Enter')
  await page.locator('[data-lesson]').first().waitFor()
  const session = await context.storageState()
  await context.close()
  // The state has no IndexedDB: with the mark of a stored day alone, the next start would look for the day in vain.
  const origins = session.origins.map(({ origin, localStorage }) => ({
    origin,
    localStorage: localStorage.filter(({ name }) => name !== 'fahrplan.kept'),
  }))
  return { ...session, origins }
}
