import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { boxOf, useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'

let school: School
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  const jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt', max_daily_units: 8 })
  await school.instructor({
    first_name: 'Mira',
    last_name: 'Seidel',
    vacations: [{ start_date: '2032-03-04', end_date: '2032-03-05', note: 'Skiing' }],
  })
  const lena = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  await school.lesson({
    instructor_id: jonas.id,
    student_id: lena.id,
    start_at: '2032-03-03 10:00',
    end_at: '2032-03-03 11:30',
  })
  page = await open(`/?date=${DATE}`, { as: school })
  await page.getByRole('button', { name: 'Book lesson' }).first().waitFor()
})

const row = (name: string) => page.getByRole('row', { name })
const cell = (name: string, day: number) => row(name).getByRole('cell').nth(day)

it('a key opens the week of all instructors, with the lessons and absences of each', {}, async () => {
  await page.keyboard.press('a')
  await cell('Jonas Brandt', 2).getByText('Lena Vogt').waitFor()
  await cell('Mira Seidel', 3).getByText('Skiing').waitFor()
  expect(new URL(page.url()).searchParams.get('view')).toBe('team')
  await cell('Jonas Brandt', 2)
    .getByRole('button', { name: /Lena Vogt/ })
    .press('Enter')
  await page.getByRole('dialog').getByText('Lena Vogt').first().waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowRight')
  await page.waitForURL(/date=2032-03-08/)
  await cell('Jonas Brandt', 2).getByText('Lena Vogt').waitFor({ state: 'detached' })
})

it('Planning comes after the other views, so that it pushes none away', async () => {
  await school.client.post('/vehicles', { name: 'Golf', kind: 'car' })
  await page.reload()
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await button('Vehicles').waitFor()
  await button('Team').click()
  await button('Planning').waitFor()
  expect((await boxOf(button('Planning'))).x).toBeGreaterThan((await boxOf(button('Vehicles'))).x)
})

it('the free part of a cell books that instructor on that day, by click and by key', async () => {
  await page.keyboard.press('a')
  const free = cell('Mira Seidel', 1).getByRole('button', {
    name: /^Mira Seidel, Tue,? 2 Mar.*: book lesson$/,
  })
  const form = page.getByRole('dialog', { name: 'Book lesson' })
  const isFilled = async () => {
    await expect.poll(() => form.getByLabel('Date').first().inputValue()).toBe('02/03/2032')
    await expect.poll(() => form.getByLabel('Instructor').first().inputValue()).toBe('Mira Seidel')
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
  }
  await free.press('Enter')
  await isFilled()
  await free.click()
  await isFilled()
})

it('the head of a day leads to that day, and the name of an instructor to their week', async () => {
  await page.keyboard.press('a')
  await page
    .getByRole('columnheader')
    .getByRole('button', { name: /^Wed,? 3 Mar/ })
    .click()
  await page.waitForURL(/date=2032-03-03/)
  await page.locator('.board-main').getByText('Lena Vogt').waitFor()
  await page.keyboard.press('a')
  await row('Jonas Brandt').getByRole('rowheader').getByRole('button').click()
  await page.waitForURL(/view=week/)
  await page.locator('.board-main').getByText('Lena Vogt').waitFor()
})
