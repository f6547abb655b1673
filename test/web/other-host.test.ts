import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { useOwnService } from '../support/app.ts'
import { handleFirst, logInAt, useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'
import { freePort } from '../support/process.ts'
import { policyFor, startWebHost } from '../support/web-host.ts'

/**
 * Two hosts with a common parent domain, like `app.school.example` and `api.school.example`. For browsers, every name below
 * `localhost` is this machine, and secure. `localhost` itself counts as a top-level domain and shares no cookies.
 */
const DOMAIN = 'school.localhost'
const DATE = '2032-03-01'
const BOARD = `/?date=${DATE}`

const port = await freePort()
const app = `http://app.${DOMAIN}:${port}`
const service = useOwnService({
  cookieDomain: DOMAIN,
  corsOrigins: [app],
  loginLimits: { perAccountAndAddress: 2, perAccount: 50, perAddress: 50 },
})
const open = useBrowser(() => ({ url: app }))
const api = () => `http://api.${DOMAIN}:${new URL(service().url).port}`

let stopWebHost: () => Promise<void>
let school: School
let lesson: { id: string }

beforeAll(async () => {
  stopWebHost = await startWebHost(port, api())
})
afterAll(() => stopWebHost?.())

beforeEach(async () => {
  school = await aSchool(service())
  const instructor = await school.instructor()
  const student = await school.student()
  await school.student({ first_name: 'Emre', last_name: 'Kaya', phone: '+49 30 5550177' })
  lesson = await school.lesson({
    instructor_id: instructor.id,
    student_id: student.id,
    start_at: `${DATE} 10:00`,
    end_at: `${DATE} 11:30`,
  })
})

const blockOf = (page: Page, text: string | RegExp = 'Lena Vogt') =>
  page.locator('[data-lesson]', { hasText: text })

async function atBoard(): Promise<Page> {
  const page = await open(BOARD)
  await logInAt(page, school)
  await blockOf(page).waitFor()
  return page
}

describe('the app on its own host', () => {
  it('logs in and stays logged in after a reload and on other pages', async () => {
    const page = await atBoard()
    await page.reload()
    await blockOf(page).waitFor()
    await page.goto(`${app}/students?q=5550177`)
    await page.getByText('1 student', { exact: true }).waitFor()
    await page.goto(`${app}/instructors`)
    await page.getByText('Jonas Brandt').first().waitFor()
  })

  it('has an access cookie for the parent domain and a refresh cookie for the API host only', async () => {
    const page = await atBoard()
    const cookies = await page.context().cookies()
    expect(cookies.map(({ name, domain }) => [name, domain]).sort()).toEqual([
      ['svc_jwt', `.${DOMAIN}`],
      ['svc_refresh', `api.${DOMAIN}`],
    ])
  })

  it('renews an expired access token once, without a new login', async () => {
    const page = await atBoard()
    const renewals: number[] = []
    page.on('response', (answer) => {
      if (answer.request().method() === 'POST') renewals.push(answer.status())
    })
    await page.context().clearCookies({ name: 'svc_jwt' })
    await page.reload()
    await blockOf(page).waitFor()
    expect(renewals).toEqual([200])
  })

  it('books a lesson in the dialog', async () => {
    const page = await atBoard()
    await page.keyboard.press('n')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('5550177')
    await page.getByRole('option', { name: 'Emre Kaya' }).click()
    await page.getByText('Possible', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Book', exact: true }).click()
    await blockOf(page, 'Emre Kaya').waitFor()
    const { body } = await school.client.get('/appointments')
    expect(body).toHaveLength(2)
  })

  it('moves a lesson by keyboard, edits it, and does not overwrite a concurrent change', async () => {
    const page = await atBoard()
    const move = page.waitForRequest((request) => request.method() === 'PATCH')
    await blockOf(page).focus()
    await page.keyboard.press('Alt+ArrowDown')
    await page.getByText(/^Moved: Lena Vogt.*10:15–11:45/).waitFor()
    expect((await move).headers()['if-match']).toMatch(/^"\d+"$/)
    await blockOf(page).click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Notes').fill('brings glasses')
    await school.client.patch(`/appointments/${lesson.id}`, { end_at: `${DATE} 11:00` })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Changed in the meantime').waitFor()
    await page.getByRole('button', { name: 'Save my changes' }).click()
    await page.getByText(/^Saved: Lena Vogt/).waitFor()
    const { body } = await school.client.get(`/appointments/${lesson.id}`)
    expect(body).toMatchObject({ end_at: `${DATE} 11:00`, notes: 'brings glasses' })
  })

  it('receives 304 when it refetches unchanged appointments', async () => {
    const page = await atBoard()
    // An unknown cursor makes the page refetch everything once.
    await handleFirst(page, '**/changes/since?cursor=*', (route) =>
      route.continue({ url: `${api()}/api/v1/changes/since?cursor=rubbish` }),
    )
    await page.waitForResponse((answer) => answer.url().includes('/appointments?') && answer.status() === 304)
  })

  it('shows how many minutes to wait after too many failed logins', async () => {
    const page = await open(BOARD)
    for (const _ of [1, 2]) {
      await logInAt(page, school, 'not the password')
      await page.getByText('The e-mail address or the password is wrong.').waitFor()
    }
    await logInAt(page, school, 'not the password')
    const words = await page.getByText(/Too many failed attempts\. \d+ minutes left/).innerText()
    expect(Number(/\d+/.exec(words))).toBeGreaterThan(10)
  })

  it('logs out and removes all cookies', async () => {
    const page = await atBoard()
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.locator('input[name=password]').waitFor()
    await expect.poll(() => page.context().cookies()).toEqual([])
  })

  it('has the content security policy of the service, with the API origin in connect-src', async () => {
    const { headers } = await service().app.inject('/')
    const own = String(headers['content-security-policy'])
    expect(policyFor(api())).toBe(own.replace("connect-src 'self'", `connect-src ${api()}`))
  })
})

describe('a host that is not an allowed origin', () => {
  it("reads no data and cannot log the user out, although requests carry the user's cookies", async () => {
    const page = await atBoard()
    const otherHost = await page.context().newPage()
    await otherHost.goto(`http://other.${DOMAIN}:${port}${BOARD}`)
    await otherHost.getByText('The service cannot be reached. Check the connection.').waitFor()
    await expect.poll(() => blockOf(otherHost).count()).toBe(0)

    await otherHost.evaluate(
      (url) => fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include' }).catch(() => undefined),
      `${api()}/api/v1/auth/logout`,
    )
    // A logout without a cookie would get 400.
    await vi.waitFor(
      () => {
        const logouts = service()
          .log()
          .filter(({ path }) => path === '/api/v1/auth/logout')
        expect(logouts.map(({ status }) => status)).toContain(401)
      },
      { timeout: 10_000 },
    )
    await page.reload()
    await blockOf(page).waitFor()
  })
})
