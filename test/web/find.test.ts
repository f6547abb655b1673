import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { boxOf, dragWithMouse, logInAt, useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'
const ON_MONDAYS = {
  required_break_minutes: 0,
  availability_windows: [{ weekday: 1, start: '08:00', end: '14:00' }],
}

let school: School
let jonas: { id: string }
let mira: { id: string }
let lena: { id: string }
let lesson: { id: string }
let page: Page
let dialog: Locator

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor({
    first_name: 'Jonas',
    last_name: 'Brandt',
    ...ON_MONDAYS,
  })
  mira = await school.instructor({ first_name: 'Mira', last_name: 'Seidel', ...ON_MONDAYS })
  await school.student({ first_name: 'Emre', last_name: 'Kaya', preferred_instructor_id: mira.id })
  lena = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  lesson = await school.lesson({
    instructor_id: mira.id,
    student_id: lena.id,
    start_at: `${DATE} 08:00`,
    end_at: `${DATE} 09:30`,
  })
  page = await open(`/?date=${DATE}`)
  dialog = page.getByRole('dialog')
  await logInAt(page, school)
  await block('Lena Vogt').waitFor()
})

const block = (text: string | RegExp) => page.locator('[data-lesson]', { hasText: text })
const told = (text: RegExp) => page.getByText(text).first().waitFor()
const times = () => dialog.getByRole('radio')
const chosen = (name: RegExp) => dialog.getByRole('radio', { name, checked: true }).waitFor()

/** Returns the found slots on the board. */
const ghosts = () => page.locator('.board-event.slot')

async function findFor(letters: string, name: string): Promise<void> {
  await page.keyboard.press('f')
  await dialog.getByLabel('Student').first().pressSequentially(letters)
  await page.locator('[role=option][data-combobox-selected]', { hasText: name }).waitFor()
  await page.keyboard.press('Enter')
}

describe('the search for a time', () => {
  it('books the next free time with three letters and Enter pressed twice', async () => {
    await findFor('kay', 'Emre Kaya')
    await page.keyboard.press('Enter')
    await told(/^Booked: Emre Kaya, Mon,? 1 Mar(?: 2032)?, 09:30–11:00/)
    await block(/Emre Kaya/).waitFor()
  })

  it('scrolls to the proposed time in a low window, and keeps the focus', async () => {
    await page.setViewportSize({ width: 1280, height: 600 })
    await findFor('kay', 'Emre Kaya')
    await chosen(/Mira Seidel/)
    const { y } = await boxOf(dialog.getByRole('button', { name: 'Book', exact: true }))
    const bottom = async () => {
      const row = await boxOf(dialog.locator('label:has([type=radio]:checked)'))
      return row.y + row.height
    }
    await expect.poll(bottom).toBeLessThan(y)
    await dialog.getByLabel('Student').first().and(page.locator(':focus')).waitFor()
  })

  it('keeps the list of students in place when the times arrive while somebody types', async () => {
    await page.setViewportSize({ width: 1280, height: 600 })
    const held = Promise.withResolvers<void>()
    await page.route('**/slots*', (route) => held.promise.then(() => route.continue()))
    await page.keyboard.press('f')
    await dialog.getByLabel('Student').first().pressSequentially('kay')
    const option = page.locator('[role=option][data-combobox-selected]', { hasText: 'Emre Kaya' })
    await option.waitFor()
    held.resolve()
    await times().first().waitFor()
    await option.click()
    await chosen(/Mira Seidel/)
  })

  it('disables booking and selects no time without a student', async () => {
    await page.keyboard.press('f')
    await times().first().waitFor()
    await expect.poll(() => dialog.getByRole('button', { name: 'Book', exact: true }).isDisabled()).toBe(true)
    await expect.poll(() => dialog.getByRole('radio', { checked: true }).count()).toBe(0)
  })

  it('lists the preferred instructor first, selects with the arrow keys, and books with Enter', {
    tags: 'promise',
  }, async () => {
    await findFor('kay', 'Emre Kaya')
    await chosen(/^Mon,? 1 Mar(?: 2032)?, 09:30–11:00 Mira Seidel/)
    await expect.poll(() => times().count()).toBe(8)
    await dialog.getByRole('radio', { checked: true }).focus()
    await page.keyboard.press('ArrowDown')
    await chosen(/^Mon,? 1 Mar(?: 2032)?, 11:00–12:30 Mira Seidel/)
    await dialog.getByText('Possible', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await told(/^Booked: Emre Kaya, Mon,? 1 Mar(?: 2032)?, 11:00–12:30/)
  })

  it('filters by weekday, time of day and instructor, sorts, and selects the first result', {}, async () => {
    await findFor('kay', 'Emre Kaya')
    await chosen(/Mira Seidel/)
    await dialog.getByLabel('Order').selectOption('Soonest')
    await chosen(/^Mon,? 1 Mar(?: 2032)?, 08:00–09:30 Jonas Brandt/)
    await dialog.getByRole('button', { name: '12:00 to 17:00' }).click()
    await chosen(/^Mon,? 1 Mar(?: 2032)?, 12:00–13:30 Mira Seidel/)
    const filter = dialog.getByRole('region', { name: 'Find a time' })
    await filter.getByLabel('Instructor').fill('jonas')
    await page.keyboard.press('Enter')
    await chosen(/^Mon,? 1 Mar(?: 2032)?, 12:00–13:30 Jonas Brandt/)
    await filter.getByRole('button', { name: 'Tuesday' }).click()
    await dialog.getByText('No suitable time is free in the next four weeks.').waitFor()
    await filter.getByRole('button', { name: 'Tuesday' }).click()
    await chosen(/Jonas Brandt/)
  })

  it('shows its results on the board, where a click selects one, and loads more on request', {}, async () => {
    await findFor('kay', 'Emre Kaya')
    await chosen(/09:30–11:00 Mira Seidel/)
    await ghosts().nth(2).waitFor()
    const listed = await times().count()
    await dialog.getByRole('button', { name: 'More times' }).click()
    await times().nth(listed).waitFor()
    await ghosts().filter({ hasText: '12:30–14:00' }).click()
    await chosen(/^Mon,? 1 Mar(?: 2032)?, 12:30–14:00 Mira Seidel/)
    await page.keyboard.press('Enter')
    await told(/^Booked: Emre Kaya, Mon,? 1 Mar(?: 2032)?, 12:30–14:00/)
    await expect.poll(() => ghosts().count()).toBe(0)
  })

  it('replaces a time that another clerk has booked with the next one', async () => {
    await findFor('kay', 'Emre Kaya')
    await chosen(/09:30–11:00 Mira Seidel/)
    await school.lesson({ instructor_id: mira.id, start_at: `${DATE} 09:30`, end_at: `${DATE} 10:00` })
    await chosen(/^Mon,? 1 Mar(?: 2032)?, 10:00–11:30 Mira Seidel/)
  })

  it('does not override a possible time that was entered by hand', async () => {
    await page.keyboard.press('n')
    await dialog.getByLabel('Student').first().fill('kay')
    await page.getByRole('option', { name: 'Emre Kaya' }).click()
    await dialog.getByRole('combobox', { name: 'Instructor' }).fill('jonas')
    await page.getByRole('option', { name: 'Jonas Brandt' }).click()
    await dialog.getByText('Possible', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Find a time' }).click()
    await chosen(/^Mon,? 1 Mar(?: 2032)?, 08:00–09:30 Jonas Brandt/)
    await dialog.getByLabel('Start').first().click()
    await page.keyboard.type('0815')
    await dialog.getByText('Possible', { exact: true }).waitFor()
    await expect.poll(() => dialog.getByRole('radio', { checked: true }).count()).toBe(0)
  })
})

describe('finding a time', () => {
  it('moves a lesson after a rejected drop to the next free time of the new instructor', {}, async () => {
    const { x, y } = await boxOf(block('Lena Vogt'))
    const head = await boxOf(page.locator('.column-head', { hasText: 'Jonas' }))
    await school.lesson({ instructor_id: jonas.id, start_at: `${DATE} 08:00`, end_at: `${DATE} 09:00` })
    await block('08:00–09:00').waitFor()
    const { drop } = await dragWithMouse(page, { x: x + 40, y: y + 10 }, { x: head.x + 60, y: y + 10 })
    await told(/^Jonas Brandt already has an appointment/)
    await drop()
    await told(/^Not moved: Jonas Brandt already has an appointment 08:00–09:00/)
    await page.getByRole('alert').getByRole('button', { name: 'Find a time' }).click()
    await chosen(/^Mon,? 1 Mar(?: 2032)?, 09:00–10:30 Jonas Brandt/)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await told(/^Saved: Lena Vogt, Mon,? 1 Mar(?: 2032)?, 09:00–10:30/)
    expect((await school.client.get(`/appointments/${lesson.id}`)).body).toMatchObject({
      instructor_id: jonas.id,
      start_at: `${DATE} 09:00`,
    })
  })

  it('does not treat the moved lesson as a conflict with itself', async () => {
    await block('Lena Vogt').click()
    await dialog.getByRole('button', { name: 'Find another time' }).click()
    await chosen(/^Mon,? 1 Mar(?: 2032)?, 08:00–09:30 Mira Seidel/)
    await dialog.getByText('12:30–14:00').first().click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await told(/^Saved: Lena Vogt, Mon,? 1 Mar(?: 2032)?, 12:30–14:00/)
  })

  it('books a replacement for a cancelled lesson, which stays cancelled', async () => {
    await school.client.patch(`/appointments/${lesson.id}`, { status: 'cancelled' })
    await page.locator('.lesson-cancelled').click()
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await dialog.getByRole('button', { name: 'Find a time' }).click()
    await chosen(/^Mon,? 1 Mar(?: 2032)?, 08:00–09:30 Mira Seidel/)
    await dialog.getByRole('button', { name: 'Book', exact: true }).click()
    await told(/^Booked: Lena Vogt, Mon,? 1 Mar(?: 2032)?, 08:00–09:30/)
    expect((await school.client.get(`/appointments/${lesson.id}`)).body.status).toBe('cancelled')
  })

  it('books a lesson from the card of a student', async () => {
    await page.goto(`${service().url}/students?student=${lena.id}`)
    await dialog.getByRole('button', { name: 'Find a time' }).click()
    await dialog.getByRole('radio', { checked: true }).waitFor()
    await dialog.getByRole('button', { name: 'Book', exact: true }).click()
    await told(/^Booked: Lena Vogt, Mon/)
  })
})
