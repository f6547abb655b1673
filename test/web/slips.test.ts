import type { Locator, Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'

let school: School
let jonas: Row
let page: Page
let dialog: Locator

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
})

async function at(path: string): Promise<void> {
  page = await open(path, { as: school })
  dialog = page.getByRole('dialog')
  await page.locator('.column-head, h1').first().waitFor()
}

async function aLessonThatTookPlace(): Promise<Row> {
  const times = { start_at: `${DATE} 08:00`, end_at: `${DATE} 09:30` }
  const lesson = await school.lesson({ instructor_id: jonas.id, title: 'Car wash', ...times })
  const actual = { actual_start_at: `${DATE} 08:05`, actual_end_at: `${DATE} 09:40` }
  must(200, await school.client.patch(`/appointments/${lesson.id}`, actual))
  return lesson
}

const stored = async ({ id }: Row) => (await school.client.get(`/appointments/${id}`)).body

it('a lesson moved away from its actual times can be saved without them, and Undo restores them', async () => {
  const lesson = await aLessonThatTookPlace()
  const before = await stored(lesson)
  await at(`/?date=${DATE}&lesson=${lesson.id}`)
  await dialog.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByLabel('Date', { exact: true }).fill('3.3.2032')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Actual start: is more than 12 hours from the planned time.').waitFor()
  await dialog.getByRole('button', { name: 'Save without the actual times' }).click()
  await page.getByText(/^Saved: Car wash/).waitFor()
  const { start_at, actual_start_at, actual_end_at } = await stored(lesson)
  expect([start_at, actual_start_at, actual_end_at]).toEqual(['2032-03-03 08:00', null, null])
  await page.keyboard.press('Control+z')
  await page.getByText(/^Undone/).waitFor()
  await expect
    .poll(() => stored(lesson))
    .toMatchObject({
      start_at: before.start_at,
      actual_start_at: before.actual_start_at,
      actual_end_at: before.actual_end_at,
    })
})

const name = () => page.getByRole('textbox', { name: 'Name' }).first()

it('a logout asks before discarding unsaved input', async () => {
  await at(`/settings`)
  await name().fill('Fahrschule Nord')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await dialog.getByRole('button', { name: 'Keep editing' }).click()
  await expect.poll(() => name().inputValue()).toBe('Fahrschule Nord')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await page.locator('input[name=password]').waitFor()
})

it('more than 20 chosen times cannot be booked, and the form shows the limit', async () => {
  await school.student({ first_name: 'Emma', last_name: 'Kaya' })
  await at(`/?date=${DATE}`)
  await page.keyboard.press('f')
  await page.locator('input:focus').waitFor()
  await page.keyboard.type('kay')
  await page.locator('[role=option][data-combobox-selected]', { hasText: 'Emma Kaya' }).waitFor()
  await page.keyboard.press('Enter')
  const boxes = dialog.getByRole('checkbox', { checked: false })
  const more = dialog.getByRole('button', { name: 'More times' })
  await dialog.getByRole('radio').first().check()
  for (let chosen = 1; chosen <= 20; chosen += 1) {
    if ((await boxes.count()) === 0) await more.click()
    await boxes.first().click()
  }
  await dialog.getByText('21 times chosen; at most 20 at once').waitFor()
  await expect.poll(() => dialog.getByRole('button', { name: 'Book 21 lessons' }).isDisabled()).toBe(true)
  await dialog
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click()
  await dialog.getByRole('button', { name: 'Book 20 lessons' }).click()
  await page.getByText('Booked: 20 lessons, Emma Kaya').waitFor()
})

it('the lesson form shows no duration for an invalid end, and accepts a typed duration', async () => {
  await at(`/?date=${DATE}`)
  await page.keyboard.press('n')
  const [end, duration] = ['End', 'Duration'].map((label) => dialog.getByLabel(label, { exact: true }))
  await end?.fill('25:99')
  await end?.press('Tab')
  expect(await duration?.inputValue()).toBe('')
  await dialog.getByText('0 units').waitFor({ state: 'detached' })
  await duration?.click()
  await page.keyboard.type('45')
  expect(await duration?.inputValue()).toBe('45 min')
})

it("the login reports an invalid e-mail address and a missing field in the app's language", async () => {
  page = await open('/', { locale: 'de-DE' })
  const email = page.locator('input[name=email]')
  const password = page.locator('input[name=password]')
  const send = () => page.getByRole('button', { name: 'Anmelden', exact: true }).click()
  await page.getByRole('button', { name: 'Anmelden', exact: true }).waitFor()
  await send()
  await expect.poll(() => wordsOf(email)).toBe('Füllen Sie dieses Feld aus.')
  await email.fill('büro')
  await password.fill('secret')
  await send()
  await expect.poll(() => wordsOf(email)).toBe('Geben Sie eine E-Mail-Adresse ein, etwa name@fahrschule.de.')
  await email.fill('buero@nord.example')
  await expect.poll(() => wordsOf(email)).toBe('')
  await password.fill('')
  await send()
  await expect.poll(() => wordsOf(password)).toBe('Füllen Sie dieses Feld aus.')
})

function wordsOf(field: Locator): Promise<string> {
  return field.evaluate((input) => (input as unknown as { validationMessage: string }).validationMessage)
}

it.each(['/studnts', '/students/7', '/nothing/at/all'])(
  '%s shows that the page does not exist',
  async (path) => {
    page = await open(path, { as: school })
    await page.getByText('This page does not exist.').waitFor()
    await page.getByRole('link', { name: 'Students', exact: true }).click()
    await page.getByRole('heading', { name: 'Students' }).waitFor()
  },
)
