import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'

let school: School
let jonas: { id: string }

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  const mira = await school.instructor({ first_name: 'Mira', last_name: 'Seidel' })
  await school.instructor({ first_name: 'Ute', last_name: 'Frei' })
  const { body } = await school.client.get('/bootstrap')
  const templates = body.templates as { id: string; license_class: string }[]
  const lena = await school.student({
    phone: '+49 30 5550142',
    notes: 'Wears glasses',
    license_class_template_id: templates.find(({ license_class }) => license_class === 'B')?.id,
  })
  const emre = await school.student({ first_name: 'Emre', last_name: 'Kaya' })
  const at = (hour: number) => ({ start_at: `${DATE} ${hour}:00`, end_at: `${DATE} ${hour}:45` })
  const lesson = { instructor_id: jonas.id, student_id: lena.id }
  await school.lesson({ ...lesson, ...at(10), notes: 'Pick up at the station' })
  await school.lesson({ ...lesson, student_id: emre.id, ...at(11), status: 'cancelled' })
  await school.lesson({ instructor_id: mira.id, student_id: emre.id, ...at(12) })
})

const sheet = (page: Page, name: string) => page.getByRole('region', { name })
/** Counts the pages of the browser's PDF. */
const pagesOf = async (page: Page) =>
  (await page.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/Type\s*\/Page\b/g)?.length

describe('the day sheet', () => {
  it('names an absence without its note', async () => {
    const vacations = [{ start_date: DATE, end_date: DATE, note: 'Flu' }]
    await school.client.patch(`/instructors/${jonas.id}`, { vacations })
    const page = await open(`/day-sheet?day=${DATE}&instructor=${jonas.id}`, { as: school })
    await sheet(page, 'Jonas Brandt').getByText('Away', { exact: true }).waitFor()
    expect(await page.getByText('Flu').count()).toBe(0)
  })

  it('of one instructor opens from the board with contacts, notes, progress and cancellations', async () => {
    const page = await open(`/?date=${DATE}`, { as: school })
    await page.getByRole('button', { name: 'Day sheet: Jonas Brandt' }).click()
    await page.waitForURL(`**/day-sheet?day=${DATE}&instructor=${jonas.id}`)
    const row = sheet(page, 'Jonas Brandt').getByRole('rowgroup').filter({ hasText: '10:00–10:45' })
    for (const text of [
      'Lena Vogt',
      '+49 30 5550142',
      /^Klasse B|^Pkw|\bB\b/,
      'Pick up at the station',
      'Wears glasses',
    ])
      await row.getByText(text).first().waitFor()
    await row
      .getByText(/units? of|Einheit|units? /)
      .first()
      .waitFor()
    await page.getByText('Cancelled: 11:00 Emre Kaya').waitFor()
    await expect.poll(() => sheet(page, 'Mira Seidel').count()).toBe(0)
    await expect.poll(() => pagesOf(page)).toBe(1)
  })

  it('prints one page for each instructor with lessons that day, without buttons', {
    tags: 'promise',
  }, async () => {
    const page = await open(`/?date=${DATE}`, { as: school })
    await page.getByRole('button', { name: 'Print' }).click()
    await page.getByRole('link', { name: 'Day sheets of all instructors' }).click()
    await sheet(page, 'Jonas Brandt').waitFor()
    await sheet(page, 'Mira Seidel').waitFor()
    await expect.poll(() => sheet(page, 'Ute Frei').count()).toBe(0)
    await expect.poll(() => pagesOf(page)).toBe(2)
    await page.emulateMedia({ media: 'print' })
    await page.setViewportSize({ width: 703, height: 1000 })
    for (const name of ['Jonas Brandt', 'Mira Seidel'])
      await sheet(page, name).getByText('Fahrschule Test').waitFor()
    await expect.poll(() => page.getByText('Fahrschule Test').filter({ visible: true }).count()).toBe(2)
    await expect.poll(() => page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false)
  })

  it('marks the last lesson over the limit of the day or of the whole week, also in print', async () => {
    const limits = (fields: object) => school.client.patch(`/instructors/${jonas.id}`, fields)
    const [{ id: student_id }] = (await school.client.get('/students')).body
    const bookAt = (day: string, hour: number) =>
      school.lesson({
        ...{ instructor_id: jonas.id, student_id },
        ...{ start_at: `${day} ${hour}:00`, end_at: `${day} ${hour + 1}:30` },
      })
    await bookAt('2032-03-03', 10)
    await bookAt('2032-03-03', 14)
    await limits({ max_daily_units: 3 })
    const page = await open(`/day-sheet?day=2032-03-03&instructor=${jonas.id}`, { as: school })
    const late = sheet(page, 'Jonas Brandt').getByRole('rowgroup').filter({ hasText: '14:00–15:30' })
    await late.getByText('4 of 3 units booked that day').waitFor()
    await limits({ max_daily_units: null, max_weekly_units: 4 })
    await late.getByText('5 of 4 units booked that week').waitFor()
    await page.emulateMedia({ media: 'print' })
    await late.getByText('5 of 4 units booked that week').waitFor()
    await expect.poll(() => page.getByText('units booked that week').count()).toBe(1)
    await limits({ max_weekly_override: 5 })
    await late.getByText('units booked that week').waitFor({ state: 'detached' })
  })

  it('has a URL, switches between days and instructors, and links back to the board', async () => {
    const page = await open(`/day-sheet?day=2032-02-29&instructor=${jonas.id}`, { as: school })
    await page.getByText('No lessons on this day.').waitFor()
    await page.getByRole('button', { name: 'Next day' }).click()
    await sheet(page, 'Jonas Brandt').getByText('Lena Vogt').waitFor()
    await page.getByLabel('Instructor').selectOption('Mira Seidel')
    await sheet(page, 'Mira Seidel').getByText('Emre Kaya').waitFor()
    await page.getByRole('link', { name: 'To the board' }).click()
    await page.waitForURL(`**/?date=${DATE}`)
  })
})
