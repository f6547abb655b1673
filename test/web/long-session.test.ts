import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { logInAt, useBrowser } from '../support/browser.ts'
import { aSchool, PASSWORD, type School } from '../support/factory.ts'
import { bearer, loginOf, setUserDisabled } from '../support/session.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'

/** The lifetime of an access token plus the tolerated difference of clocks. */
const LIFE_MS = 8 * 60 * 60 * 1000 + 31_000

/** The service notices an end elsewhere within five seconds, and the page with its next poll. */
const NOTICED = { timeout: 15_000 }

/** Two polls on a busy machine: the first is rejected and waits for the other tab's renewal, the second gets the move. */
const TWO_POLLS_MS = 20_000

let school: School
let instructor: { id: string }
let student: { id: string }
let lesson: { id: string }

beforeEach(async () => {
  school = await aSchool(service())
  instructor = await school.instructor()
  student = await school.student()
  lesson = await school.lesson({
    instructor_id: instructor.id,
    student_id: student.id,
    start_at: `${DATE} 10:00`,
    end_at: `${DATE} 11:30`,
  })
})
afterEach(() => service().setClock(undefined))

const blockOf = (page: Page, text: string | RegExp = 'Lena Vogt') =>
  page.locator('[data-lesson]', { hasText: text })

async function atBoard(search = ''): Promise<Page> {
  const page = await open(`/?date=${DATE}${search}`)
  await logInAt(page, school)
  await blockOf(page).waitFor()
  return page
}

async function siblingOf(page: Page, address = page.url()): Promise<Page> {
  const sibling = await page.context().newPage()
  await sibling.goto(address)
  return sibling
}

/** Records the statuses of all token renewals of a browser from now on. */
function renewalsOf(context: BrowserContext): readonly number[] {
  const renewals: number[] = []
  context.on('response', (answer) => {
    if (answer.url().endsWith('/auth/refresh')) renewals.push(answer.status())
  })
  return renewals
}

/**
 * Holds each renewal until both tabs have been rejected and need it, because they would rarely coincide on their own. Returns a
 * function that begins the next wait. The route is never removed, because its removal would lose requests.
 */
async function holdRenewals(tabs: readonly Page[]): Promise<() => void> {
  let refused: Promise<unknown> = Promise.resolve()
  await tabs[0]?.context().route('**/auth/refresh', async (route) => {
    await refused
    await route.continue()
  })
  return () => {
    refused = Promise.all(tabs.map((tab) => tab.waitForResponse((answer) => answer.status() === 401)))
  }
}

/** Enters input that the login page would discard. */
async function beginBooking(page: Page): Promise<void> {
  await page.keyboard.press('n')
  await page.getByLabel('Notes').fill('half written')
}

async function endBooking(page: Page): Promise<void> {
  await expect.poll(() => page.getByLabel('Notes').inputValue()).toBe('half written')
  await page.getByRole('button', { name: 'Book', exact: true }).click()
  await blockOf(page, '08:00–09:30').waitFor()
}

async function hoursOfAccess(context: BrowserContext): Promise<number> {
  const cookie = (await context.cookies()).find(({ name }) => name === 'svc_jwt')
  return ((cookie?.expires ?? 0) - Date.now() / 1000) / 3600
}

describe('a page left open', () => {
  // Only one of these at a time: a renewal between the two would be early and be counted.
  it.each<[string, (context: BrowserContext, now: Date) => unknown]>([
    ['the service rejects the token', (_, now) => service().setClock(now)],
    ['the browser has dropped the token', (context) => context.clearCookies({ name: 'svc_jwt' })],
  ])('keeps working in two tabs with one token renewal per eight hours when %s', async (_, runOut) => {
    const page = await atBoard()
    const context = page.context()
    const sibling = await siblingOf(page)
    await blockOf(sibling).waitFor()
    const renewals = renewalsOf(context)
    const holdNext = await holdRenewals([page, sibling])
    await beginBooking(page)
    const start = Date.now()
    const times = ['10:15–11:45', '10:30–12:00', '10:45–12:15']
    for (const [index, time] of times.entries()) {
      expect(await hoursOfAccess(context)).toBeCloseTo(8, 1)
      holdNext()
      await runOut(context, new Date(start + (index + 1) * LIFE_MS))
      await blockOf(sibling).press('Alt+ArrowDown')
      await Promise.all([page, sibling].map((tab) => blockOf(tab, time).waitFor({ timeout: TWO_POLLS_MS })))
      expect(renewals).toHaveLength(index + 1)
    }
    await endBooking(page)
    expect(renewals).toEqual(times.map(() => 200))
  })

  it('keeps unsaved input and renews the token once after the machine slept for a night', async () => {
    const page = await open('/healthz')
    await page.clock.install()
    await page.goto(`${service().url}/?date=${DATE}`)
    await logInAt(page, school)
    await blockOf(page).waitFor()
    const renewals = renewalsOf(page.context())
    await beginBooking(page)
    service().setClock(new Date(Date.now() + LIFE_MS))
    await page.clock.fastForward(LIFE_MS)
    await endBooking(page)
    expect(renewals).toEqual([200])
  })
})

describe('a session ended elsewhere', () => {
  it('leads to the login, which rejects a disabled user and returns an enabled user to the same page', async () => {
    const page = await atBoard(`&view=week&instructor=${instructor.id}&lesson=${lesson.id}`)
    await page.getByRole('dialog').getByText('Lena Vogt').first().waitFor()
    const address = page.url()
    await setUserDisabled(service(), school.tenantId, school.user.id, true)
    await page.locator('input[name=password]').waitFor(NOTICED)
    expect(page.url()).toBe(address)
    await logInAt(page, school)
    await page.getByText('The e-mail address or the password is wrong.').waitFor()
    await setUserDisabled(service(), school.tenantId, school.user.id, false)
    await logInAt(page, school)
    await page.getByRole('dialog').getByText('Lena Vogt').first().waitFor()
    expect(page.url()).toBe(address)
  })

  it('leads every tab to the login, and one login returns each tab to its page', async () => {
    const page = await atBoard()
    const sibling = await siblingOf(page, `${service().url}/students?q=Vogt&student=${student.id}`)
    await sibling.getByRole('dialog').getByText('Lena Vogt').first().waitFor()
    const addresses = [page.url(), sibling.url()]
    const elsewhere = await loginOf(service(), school.user)
    const next_password = 'changed on another machine'
    const answer = await elsewhere.client.post(
      '/auth/password',
      { current_password: PASSWORD, new_password: next_password },
      bearer(elsewhere.token),
    )
    expect(answer.status).toBe(204)
    await Promise.all([page, sibling].map((tab) => tab.locator('input[name=password]').waitFor(NOTICED)))
    await logInAt(sibling, school, next_password)
    await sibling.getByRole('dialog').getByText('Lena Vogt').first().waitFor()
    await blockOf(page).waitFor()
    expect([page.url(), sibling.url()]).toEqual(addresses)
  })
})
