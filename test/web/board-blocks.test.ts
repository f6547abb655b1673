import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { boxOf, useBrowser } from '../support/browser.ts'
import { must } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'
const TEN = { start_at: `${DATE} 10:00`, end_at: `${DATE} 11:30` }
const NOTES = 'Pick up at the station'

let school: School
let jonas: { id: string }
let lena: { id: string }
let emre: { id: string }

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt', max_daily_units: 8 })
  lena = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  emre = await school.student({ first_name: 'Emre', last_name: 'Kaya' })
})

const at = (path = ''): Promise<Page> => open(`/?date=${DATE}${path}`, { as: school })
const block = (page: Page, name: string) => page.locator('.board-event [data-lesson]', { hasText: name })
const freed = (page: Page) => page.locator('.lesson-cancelled[data-lesson]')

/** Stores Lena's lesson at ten as cancelled. */
async function cancelled(): Promise<void> {
  await school.lesson({
    instructor_id: jonas.id,
    student_id: lena.id,
    ...TEN,
    notes: NOTES,
    status: 'cancelled',
  })
}

describe('a cancelled lesson', () => {
  beforeEach(cancelled)

  it('leaves its time free to click and the full column width for a new lesson', async () => {
    const page = await at()
    const strip = await boxOf(freed(page))
    const column = await boxOf(page.locator('.board-day').first())
    expect(strip.width).toBeLessThan(column.width / 6)
    await page.mouse.click(column.x + column.width / 2, strip.y + 20)
    await expect.poll(() => page.getByRole('dialog').getByLabel('Start').first().inputValue()).toMatch(/^10/)
    await page.keyboard.press('Escape')
    await school.lesson({ instructor_id: jonas.id, student_id: emre.id, ...TEN })
    await block(page, 'Emre Kaya').waitFor()
    const instead = await boxOf(block(page, 'Emre Kaya'))
    expect(instead.width).toBeGreaterThan(column.width - 12)
  })

  it('shows its notes on hover and offers its time for another booking', {}, async () => {
    const page = await at()
    await freed(page).hover()
    await page.getByText(NOTES).waitFor()
    await page.getByRole('button', { name: 'Book here' }).click()
    const dialog = page.getByRole('dialog')
    await expect.poll(() => dialog.getByLabel('Start').first().inputValue()).toMatch(/^10/)
    await page.keyboard.type('Emre')
    await page.getByRole('option', { name: 'Emre Kaya' }).click()
    await dialog.getByRole('button', { name: 'Book', exact: true }).click()
    await page.getByText(/^Booked: Emre Kaya, Mon,? 1 Mar(?: 2032)?, 10:00–11:30/).waitFor()
  })

  it('shows a preview on focus, which Escape closes and which leads to its card', async () => {
    const page = await at()
    await freed(page).focus()
    const card = page.getByRole('button', { name: 'Open', exact: true })
    await card.waitFor()
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'hidden' })
    await freed(page).press('Enter')
    await card.click()
    await page.getByRole('dialog').getByText(NOTES).waitFor()
  })

  it('does not offer "Book here" if its time is taken', async () => {
    await school.lesson({ instructor_id: jonas.id, student_id: emre.id, ...TEN })
    const page = await at()
    await freed(page).hover()
    await page.getByRole('button', { name: 'Open', exact: true }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Book here' }).count()).toBe(0)
  })
})

it('a no-show lesson keeps its full width on the board', async () => {
  await school.lesson({ instructor_id: jonas.id, student_id: lena.id, ...TEN, status: 'no_show' })
  const page = await at()
  const column = await boxOf(page.locator('.board-day').first())
  expect((await boxOf(block(page, 'Lena Vogt'))).width).toBeGreaterThan(column.width - 12)
})

describe('a lesson block', () => {
  it('has an accessible name with date, time, student, type, instructor and status', async () => {
    await school.lesson({ instructor_id: jonas.id, student_id: lena.id, ...TEN, notes: NOTES })
    const page = await at()
    const name = /^Mon,? 1 Mar(?: 2032)?, 10:00–11:30, Lena Vogt, Übungsfahrt.*, Jonas Brandt, planned$/
    await page.getByRole('button', { name }).press('Enter')
    await page.getByRole('dialog').getByText('Lena Vogt').first().waitFor()
  })

  it('of 45 minutes has room for time, short name of the type, student, class and place', async () => {
    const templates = (await school.client.get('/license-class-templates')).body
    await school.client.patch(`/instructors/${jonas.id}`, { license_classes: ['B'] })
    const rita = await school.student({
      first_name: 'Rita',
      last_name: 'Simon',
      license_class_template_id: templates.find(({ code }: { code: string }) => code === 'B').id,
    })
    await school.lesson({
      instructor_id: jonas.id,
      student_id: rita.id,
      start_at: `${DATE} 10:00`,
      end_at: `${DATE} 10:45`,
      pickup_place: 'Station',
    })
    const page = await at()
    await block(page, 'Rita Simon').locator('[data-short="ÜF"]').waitFor()
    const whole = await boxOf(block(page, 'Rita Simon'))
    const [place, type] = await block(page, 'Rita Simon').locator('.lesson-line').all()
    expect(await place?.textContent()).toBe('B · Station')
    expect(await type?.textContent()).toBe('Übungsfahrt (Grundausbildung)')
    const line = await boxOf(place ?? page.locator('body'))
    expect(line.x).toBeLessThan(whole.x + whole.width / 2)
    expect(line.y + line.height).toBeLessThanOrEqual(whole.y + whole.height)
  })

  it('marks its notes and shows them on hover and in print', { tags: 'promise' }, async () => {
    await school.lesson({ instructor_id: jonas.id, student_id: lena.id, ...TEN, notes: NOTES })
    await school.lesson({
      instructor_id: jonas.id,
      student_id: emre.id,
      start_at: `${DATE} 12:00`,
      end_at: `${DATE} 12:45`,
    })
    const page = await at()
    await block(page, 'Lena Vogt').locator('.lesson-noted').waitFor()
    await expect.poll(() => block(page, 'Emre Kaya').locator('.lesson-noted').count()).toBe(0)
    await expect.poll(() => block(page, 'Lena Vogt').getAttribute('title')).toBe(NOTES)
    await page.emulateMedia({ media: 'print' })
    await block(page, 'Lena Vogt').getByText(NOTES).waitFor()
  })

  it('shows in words that the instructor is absent or outside working hours', {}, async () => {
    await school.lesson({ instructor_id: jonas.id, student_id: lena.id, ...TEN })
    const page = await at()
    await block(page, 'Lena Vogt').waitFor()
    await expect.poll(() => page.locator('.lesson-mark').count()).toBe(0)
    await school.client.patch(`/instructors/${jonas.id}`, {
      availability_windows: [{ weekday: 1, start: '12:00', end: '18:00' }],
    })
    await block(page, 'Lena Vogt').getByText('outside hours').waitFor()
    await school.client.patch(`/instructors/${jonas.id}`, {
      vacations: [{ start_date: DATE, end_date: DATE, note: null }],
    })
    await block(page, 'Lena Vogt').getByText('away').waitFor()
    await page.getByRole('button', { name: /Lena Vogt.*away/ }).waitFor()
  })
})

it.each([
  ['Day', ''],
  ['Vehicles', '&view=vehicles'],
])('marks the last lesson over the limit of the day or of the whole week (%s)', async (_, view) => {
  const vehicle = must(201, await school.client.post('/vehicles', { name: 'Golf', kind: 'car' }))
  const limits = (fields: object) => school.client.patch(`/instructors/${jonas.id}`, fields)
  const bookAt = (student: { id: string }, day: string, hour: number) =>
    school.lesson({
      ...{ instructor_id: jonas.id, student_id: student.id, vehicle_ids: [vehicle.id] },
      ...{ start_at: `${day} ${hour}:00`, end_at: `${day} ${hour + 1}:30` },
    })
  await bookAt(lena, '2032-03-03', 10)
  await bookAt(emre, '2032-03-03', 14)
  const page = await open(`/?date=2032-03-03${view}`, { as: school })
  await block(page, 'Emre Kaya').waitFor()
  expect(await page.locator('.lesson-mark').count()).toBe(0)
  await limits({ max_daily_units: 3 })
  await block(page, 'Emre Kaya').getByText('4 of 3 units booked that day').waitFor()
  await expect.poll(() => page.locator('.lesson-mark').count()).toBe(1)
  await limits({ max_daily_units: null })
  await bookAt(lena, '2032-03-01', 10)
  await limits({ max_weekly_units: 5 })
  await block(page, 'Emre Kaya').getByText('6 of 5 units booked that week').waitFor()
  await limits({ max_weekly_override: 6 })
  await expect.poll(() => page.locator('.lesson-mark').count()).toBe(0)
})

it('the week view shows the booked and maximum units above each day', async () => {
  await school.lesson({ instructor_id: jonas.id, student_id: lena.id, ...TEN })
  const page = await at(`&view=week&instructor=${jonas.id}`)
  const heads = page.locator('.board-head')
  await heads.first().getByText('2 / 8 U').waitFor()
  await heads.nth(1).getByText('0 / 8 U').waitFor()
})

it('a key opens the legend, which explains colours with their short names, and signs', async () => {
  const page = await at()
  await page.getByRole('button', { name: 'Legend' }).waitFor()
  await page.keyboard.press('l')
  const legend = page.getByRole('dialog', { name: 'Colours and signs of the board' })
  await legend.getByText('Überlandfahrt (Sonderfahrt)').waitFor()
  await legend.getByText('ÜL', { exact: true }).waitFor()
  await legend.getByText('Away or closed: striped').waitFor()
  await page.keyboard.press('Escape')
  await legend.waitFor({ state: 'hidden' })
})
