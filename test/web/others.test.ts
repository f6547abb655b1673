import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { boxOf, dragWithMouse, handleFirst, logInAt, useBrowser } from '../support/browser.ts'
import { checkTable } from '../support/check-each.ts'
import { aSchool, PASSWORD, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'

let school: School
let jonas: { id: string }
let mira: { id: string }
let lesson: { id: string }

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt', phone: '111' })
  mira = await school.instructor({ first_name: 'Mira', last_name: 'Seidel' })
  lesson = await school.lesson({
    instructor_id: jonas.id,
    student_id: (await school.student({ first_name: 'Lena', last_name: 'Vogt' })).id,
    start_at: `${DATE} 10:00`,
    end_at: `${DATE} 11:30`,
  })
})

async function at(address: string): Promise<Page> {
  const page = await open(address, { as: school })
  await page.getByRole('link', { name: 'Board' }).waitFor()
  return page
}

const lena = (page: Page) => page.locator('[data-lesson]', { hasText: 'Lena Vogt' })

describe('the board', () => {
  it("shows only the instructor's lessons in the week view", async () => {
    const page = await at(`/?date=${DATE}`)
    await lena(page).waitFor()
    await page.locator('.column-name', { hasText: 'Mira' }).click()
    await page
      .getByText(/^Week 10/)
      .first()
      .waitFor()
    await lena(page).waitFor({ state: 'detached' })
  })

  it('keeps the column of an inactive instructor who has lessons', async () => {
    await school.client.patch(`/instructors/${jonas.id}`, { active: false })
    const page = await at(`/?date=${DATE}`)
    await page.locator('.column-head', { hasText: 'Jonas Brandt (not active)' }).waitFor()
    await lena(page).waitFor()
  })

  it('shows a lesson that another client booked during a drag once the drag ends', async () => {
    const page = await at(`/?date=${DATE}`)
    const block = await boxOf(lena(page))
    const from = { x: block.x + 40, y: block.y + 10 }
    const { drop } = await dragWithMouse(page, from, { x: from.x, y: from.y + 60 })
    await page.locator('[data-held]').waitFor()
    const answer = page.waitForResponse((one) => one.url().includes('/appointments/') && one.status() === 200)
    await school.lesson({
      instructor_id: mira.id,
      start_at: `${DATE} 14:00`,
      end_at: `${DATE} 15:00`,
      title: 'Car wash',
    })
    await answer
    await page.mouse.move(from.x, from.y, { steps: 4 })
    await drop()
    await page.locator('[data-lesson]', { hasText: 'Car wash' }).waitFor()
  })

  it('shows today if the date in the address is invalid', async () => {
    const page = await at('/')
    await checkTable(['20320301', '2032-02-30', '%00'], async (date) => {
      await page.goto(`${service().url}/?date=${date}&show=7&instructor=nonsense&lesson=../bootstrap`)
      await page.getByRole('button', { name: 'Today', pressed: true }).waitFor()
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    })
  })
})

describe('concurrent changes to one instructor', () => {
  it('are merged when the form is saved again', async () => {
    const page = await at(`/instructors?instructor=${jonas.id}`)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('First name').fill('Johannes')
    const read = page.waitForResponse((one) => one.url().endsWith(`/instructors/${jonas.id}`))
    await school.client.patch(`/instructors/${jonas.id}`, {
      phone: '222',
      vacations: [{ start_date: '2032-04-01', end_date: '2032-04-05', note: 'Skiing' }],
    })
    await read
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Somebody else has changed this person in the meantime.').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved: Johannes Brandt').waitFor()
    const { body } = await school.client.get(`/instructors/${jonas.id}`)
    expect(body).toMatchObject({ first_name: 'Johannes', phone: '222', vacations: [{ note: 'Skiing' }] })
  })
})

/** An expression for the colours behind the first and last line of the window. */
const BACKGROUNDS = `[...new Set([2, innerHeight - 2].map((y) =>
  getComputedStyle(document.elementFromPoint(2, y)).backgroundColor))]`

describe('a filled-in form', () => {
  const notes = (page: Page) => page.getByRole('dialog').getByLabel('Notes')

  async function filledIn(): Promise<Page> {
    const page = await at(`/?date=${DATE}`)
    await lena(page).click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await notes(page).fill('brings glasses')
    return page
  }

  it('survives an expired session and can be saved after a new login', async () => {
    const page = await filledIn()
    await page.context().clearCookies()
    await page.getByText('Your session has expired.').waitFor()
    expect(await page.evaluate(BACKGROUNDS)).toHaveLength(1)
    await page.keyboard.press('Escape')
    await page.goBack()
    await logInAt(page, school)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(/^Saved: Lena Vogt/).waitFor()
    expect((await school.client.get(`/appointments/${lesson.id}`)).body.notes).toBe('brings glasses')
  })

  it('is discarded when a user of another school logs in', async () => {
    const page = await filledIn()
    const other = await aSchool(service())
    await other.instructor({ first_name: 'Olga', last_name: 'Petrowa' })
    await page.context().clearCookies()
    await page.getByText('Your session has expired.').waitFor()
    await logInAt(page, other)
    await page.locator('.column-head', { hasText: 'Olga' }).waitFor()
    await expect.poll(() => page.getByText('Lena Vogt').count()).toBe(0)
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  it('in the settings does not keep a user of another school on the page', async () => {
    const page = await at('/settings')
    await page.getByRole('group', { name: 'Driving school' }).getByLabel('Name').fill('Fahrschule Süd')
    await page.context().clearCookies()
    await page.getByText('Your session has expired.').waitFor()
    const other = await aSchool(service())
    await other.instructor({ first_name: 'Olga', last_name: 'Petrowa' })
    await logInAt(page, other)
    await page.locator('.column-head', { hasText: 'Olga' }).waitFor()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  it('survives Escape in an open date picker and a click outside', async () => {
    const page = await filledIn()
    await page.getByLabel('Date').click()
    await page.locator('table').first().waitFor()
    await page.keyboard.press('Escape')
    await page.locator('table').first().waitFor({ state: 'detached' })
    await page.mouse.click(20, 400)
    await expect.poll(() => notes(page).inputValue()).toBe('brings glasses')
    await notes(page).focus()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('dialog').getByLabel('Notes').waitFor({ state: 'detached' })
  })

  it('survives a lost connection during a save and can be saved afterwards', async () => {
    const page = await filledIn()
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('alert').getByText('The service cannot be reached.').waitFor()
    await page.getByText('No connection to the service.').waitFor()
    await page.context().setOffline(false)
    await page.getByText('No connection to the service.').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(/^Saved: Lena Vogt/).waitFor()
  })
})

describe('a dialog on top of another', () => {
  it('closes alone on Back, and a second Back asks before closing the form below', async () => {
    const page = await at('/students')
    await page.getByRole('link', { name: 'Board' }).click()
    await page.getByRole('button', { name: 'Book lesson' }).click()
    const booking = page.getByRole('dialog', { name: 'Book lesson' })
    await booking.getByLabel('Notes').fill('first time')
    await booking.getByRole('button', { name: 'New student' }).click()
    const enrolment = page.getByRole('dialog', { name: 'New student' })
    await enrolment.waitFor()
    await page.goBack()
    await enrolment.waitFor({ state: 'detached' })
    await expect.poll(() => booking.getByLabel('Notes').inputValue()).toBe('first time')
    await page.goBack()
    await page.getByRole('button', { name: 'Discard' }).click()
    await booking.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Book lesson' }).waitFor()
  })
})

describe('a logout', () => {
  it('is retried after a 503 response until it succeeds', async () => {
    const page = await at(`/?date=${DATE}`)
    await handleFirst(page, '**/auth/logout', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: '{"code":"unavailable","status":503}',
      }),
    )
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByText('Logged out.').waitFor()
    await page.getByText('Logged out.').waitFor({ state: 'detached' })
    await expect.poll(() => page.context().cookies()).toEqual([])
  })

  it('while offline is sent once the connection returns, and remains in effect after a reload', async () => {
    const page = await open(`/?date=${DATE}`)
    const menu = page.waitForResponse(/user-menu-panel.*\.js$/)
    await logInAt(page, school)
    await page.getByRole('link', { name: 'Board' }).waitFor()
    await (await menu).finished()
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByText('Logged out.').waitFor()
    await page.context().setOffline(false)
    await page.getByText('Logged out.').waitFor({ state: 'detached' })
    await page.reload()
    await page.locator('input[name=password]').waitFor()
    await expect.poll(() => page.context().cookies()).toEqual([])
  })

  it("leaves no student's name on the page for a user of another school", async () => {
    const page = await at(`/?date=${DATE}`)
    await lena(page).focus()
    await page.keyboard.press('Alt+ArrowDown')
    await page.getByText(/^Moved: Lena Vogt/).waitFor()
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    const other = await aSchool(service())
    await logInAt(page, other, PASSWORD)
    await page.getByText('There are no instructors yet.').waitFor()
    await expect.poll(() => page.getByText('Lena Vogt').count()).toBe(0)
  })
})
