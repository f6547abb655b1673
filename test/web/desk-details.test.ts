import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'

let school: School
let jonas: Row
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor()
})

const dialog = () => page.getByRole('dialog').last()
const press = (name: string) => dialog().getByRole('button', { name, exact: true }).click()

async function aLesson(fields: object = {}): Promise<Row> {
  const { id: student_id } = await school.student()
  const times = { start_at: `${DATE} 08:00`, end_at: `${DATE} 09:30` }
  return school.lesson({ instructor_id: jonas.id, student_id, ...times, ...fields })
}

const statusOf = async ({ id }: Row) => (await school.client.get(`/appointments/${id}`)).body.status

describe('the card of a lesson', () => {
  it('asks for confirmation before cancelling or deleting a completed lesson', async () => {
    const lesson = await aLesson()
    await school.client.patch(`/appointments/${lesson.id}`, { status: 'completed' })
    page = await open(`/?date=${DATE}&lesson=${lesson.id}`, { as: school })
    await press('Cancel lesson')
    await dialog().getByText('recorded as done').waitFor()
    await page.keyboard.press('Escape')
    await dialog().getByText('recorded as done').waitFor({ state: 'detached' })
    await expect.poll(() => statusOf(lesson)).toBe('completed')
    await press('Delete')
    await press('Keep lesson')
    await press('Cancel lesson')
    await press('Cancel lesson')
    await expect.poll(() => statusOf(lesson)).toBe('cancelled')
  })

  it('cancels a planned lesson without confirmation', async () => {
    const lesson = await aLesson()
    page = await open(`/?date=${DATE}&lesson=${lesson.id}`, { as: school })
    await press('Cancel lesson')
    await expect.poll(() => statusOf(lesson)).toBe('cancelled')
  })
})

it('the card of a lesson shows that its instructor is absent', async () => {
  const lesson = await aLesson()
  const vacations = [{ start_date: DATE, end_date: DATE }]
  await school.client.patch(`/instructors/${jonas.id}`, { vacations })
  page = await open(`/?date=${DATE}&lesson=${lesson.id}`, { as: school })
  await dialog().getByText('away').waitFor()
})

it('a new instructor gets a colour that no other instructor has', async () => {
  page = await open('/instructors', { as: school })
  for (const name of ['Mira', 'Petra']) {
    await page.getByRole('button', { name: 'New instructor' }).click()
    await dialog().getByLabel('First name').fill(name)
    await dialog().getByLabel('Last name').fill('Seidel')
    await press('Save')
    await page.getByRole('main').getByText(`${name} Seidel`).waitFor()
  }
  const { body } = await school.client.get('/instructors')
  expect(new Set(body.map(({ color }: Row) => String(color).toUpperCase())).size).toBe(3)
})

it('students sorted by last name are listed with it first, also after a reload', async () => {
  await school.student({ first_name: 'Anna', last_name: 'Zander' })
  await school.student({ first_name: 'Bernd', last_name: 'Özil' })
  page = await open('/students', { as: school })
  const rows = () =>
    page
      .getByRole('listitem')
      .filter({ hasText: /Zander|Özil/ })
      .allInnerTexts()
  await page.getByText('Anna Zander').waitFor()
  expect((await rows())[0]).toContain('Anna Zander')
  await page.getByRole('button', { name: 'Last name' }).click()
  await page.getByText('Zander, Anna').waitFor()
  expect((await rows())[0]).toContain('Özil, Bernd')
  await page.reload()
  await page.getByText('Zander, Anna').waitFor()
  await page.getByRole('button', { name: 'Last name' }).click()
  await expect.poll(async () => (await rows())[0]).toContain('Zander, Anna')
})

it("a student's card lists upcoming lessons with their instructor above the progress", async () => {
  const { student_id } = await aLesson()
  page = await open(`/students?student=${student_id}`, { as: school })
  await dialog().getByText('Jonas Brandt').waitFor()
  const headings = await dialog().getByRole('heading', { level: 2 }).allInnerTexts()
  expect(headings.indexOf('Upcoming lessons')).toBeLessThan(headings.indexOf('Progress'))
})

it('the columns of nine instructors can be searched, hidden, or limited to those working that day', async () => {
  const monday = [{ weekday: 1, start: '08:00', end: '17:00' }]
  const tuesday = [{ weekday: 2, start: '08:00', end: '17:00' }]
  for (let count = 0; count < 8; count++) {
    const availability_windows = count === 0 ? monday : tuesday
    await school.instructor({ first_name: `Ida ${count}`, last_name: 'Kern', availability_windows })
  }
  page = await open(`/?date=${DATE}`, { as: school })
  const filter = page.getByRole('button', { name: /^Instructors/ })
  await filter.getByText('9 of 9').waitFor()
  await filter.click()
  await page.getByRole('button', { name: 'Working that day' }).click()
  await filter.getByText('2 of 9').waitFor()
  await page.getByRole('searchbox', { name: 'Find an instructor' }).fill('ida 5')
  await page.getByLabel('Ida 5 Kern', { exact: true }).waitFor()
  await expect.poll(() => page.getByLabel('Jonas Brandt', { exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: 'None' }).click()
  await filter.getByText('0 of 9').waitFor()
  await page.getByLabel('Ida 5 Kern', { exact: true }).check()
  await filter.getByText('1 of 9').waitFor()
})

it('editing a lesson focuses the date and shows the previous student after a change', async () => {
  const lesson = await aLesson()
  await school.student({ first_name: 'Emre', last_name: 'Kaya' })
  page = await open(`/?date=${DATE}&lesson=${lesson.id}`, { as: school })
  await press('Edit')
  await expect.poll(() => page.evaluate('document.activeElement?.value')).toMatch(/2032/)
  const student = dialog().getByRole('combobox', { name: 'Student' })
  await student.fill('Emre')
  await student.press('Enter')
  await dialog().getByText('Was Lena Vogt').waitFor()
})

it('the first lesson of a student defaults to practice instead of a special drive', async () => {
  const templates = (await school.client.get('/license-class-templates')).body
  const { id } = templates.find(({ code }: Row) => code === 'B')
  await school.student({ license_class_template_id: id, preferred_instructor_id: jonas.id })
  page = await open(`/?date=${DATE}`, { as: school })
  await page.getByText('Jonas Brandt').first().waitFor()
  await page.keyboard.press('n')
  const student = dialog().getByRole('combobox', { name: 'Student' })
  await student.fill('Lena')
  await student.press('Enter')
  await dialog().getByText('Possible', { exact: true }).waitFor()
  const type = await dialog().getByRole('combobox', { name: 'Type' }).inputValue()
  expect(type).toBe('Übungsfahrt (Grundausbildung)')
})
