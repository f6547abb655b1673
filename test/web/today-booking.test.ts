import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'
const NOW = `${DATE}T09:15:00Z`
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

let school: School
let jonas: Row
let lena: Row
let page: Page
let refused: string[]

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  lena = await school.student({
    first_name: 'Lena',
    last_name: 'Vogt',
    preferred_instructor_id: jonas.id,
  })
  await school.student({ first_name: 'Tom', last_name: 'Berg' })
  await lesson('14:00', '14:45')
})

function lesson(start: string, end: string): Promise<Row> {
  const times = { start_at: `${DATE} ${start}`, end_at: `${DATE} ${end}` }
  return school.lesson({ instructor_id: jonas.id, student_id: lena.id, ...times })
}

/** Opens the instructor's day in a school with the given setting. */
async function openDay(instructors_may: string): Promise<void> {
  expect((await school.client.patch('/tenant', { instructors_may })).status).toBe(200)
  const user = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id: jonas.id })
  const as = await enter(service(), { tenantId: school.tenantId, user })
  page = await open('/icon.svg', { ...PHONE, as })
  await page.clock.install({ time: NOW })
  refused = []
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`)
  })
  await page.goto(`${service().url}/today`)
  await page.getByRole('heading', { name: 'Lena Vogt' }).waitFor()
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const stored = async (): Promise<Row[]> =>
  (await school.client.get(`/appointments?from=${DATE}&to=${DATE}`)).body

describe('an instructor on the phone', () => {
  it('books, moves and cancels their own lessons', async () => {
    await openDay('own_students')
    await button('Book lesson').tap()
    await page.getByLabel('Student', { exact: true }).fill('e')
    await expect
      .poll(() => page.getByRole('option').allTextContents())
      .toEqual([expect.stringContaining('Lena')])
    await page.getByRole('option', { name: 'Lena Vogt' }).tap()
    await expect.poll(() => page.getByLabel('Instructor', { exact: true }).count()).toBe(0)
    await expect.poll(() => button('New student').count()).toBe(0)
    await page.getByLabel('Start', { exact: true }).fill('16:00')
    await button('Book').tap()
    await page.getByText('Booked: ').waitFor()
    await page.locator('section').first().getByText('16:00–').waitFor()
    await expect.poll(async () => (await stored()).map(({ start_at }) => start_at)).toContain(`${DATE} 16:00`)

    await button('Edit').tap()
    await page.getByLabel('Start', { exact: true }).fill('17:00')
    await button('Save').tap()
    await page.locator('section').first().getByText('17:00–').waitFor()

    await page.getByRole('status').getByText('Undo', { exact: true }).tap()
    await page.locator('section').first().getByText('16:00–').waitFor()
    // A second tap at the same place could count as a double tap.
    await page.getByRole('status').getByText('Redo', { exact: true }).press('Enter')
    await page.locator('section').first().getByText('17:00–').waitFor()

    await page.getByRole('link', { name: 'Show' }).tap()
    await expect.poll(() => page.url()).toMatch(/\/today\?/)
    await button('Cancel lesson').tap()
    await page.getByRole('dialog').getByRole('button', { name: 'Record cancellation', exact: true }).tap()
    await expect
      .poll(async () => (await stored()).find(({ start_at }) => start_at === `${DATE} 17:00`)?.status)
      .toBe('cancelled')
    expect(refused).toEqual([])
  })

  it('books the next lesson of a student in two taps, at the same weekday and hour', {
    tags: 'promise',
  }, async () => {
    await openDay('own_students')
    await button('Book the next lesson').tap()
    const times = page.getByRole('button', { name: /^Mon \d+ Mar, 14:00/ })
    await expect.poll(() => times.count()).toBe(3)
    await times.first().tap()
    await page.getByText(/^Booked: Lena Vogt, Mon 8 Mar, 14:00/).waitFor()
    const { body } = await school.client.get('/appointments?from=2032-03-08&to=2032-03-08')
    const aWeekLater = { start_at: '2032-03-08 14:00', end_at: '2032-03-08 14:45' }
    expect(body).toMatchObject([{ student_id: lena.id, instructor_id: jonas.id, ...aWeekLater }])
    expect(refused).toEqual([])
    await button('Book the next lesson').tap()
    await button('Find another time').tap()
    await expect.poll(() => page.getByLabel('Student', { exact: true }).inputValue()).toBe('Lena Vogt')
  })

  it('sees which rule a booking would break', async () => {
    await openDay('own_students')
    await button('Book lesson').tap()
    await page.getByLabel('Student', { exact: true }).fill('Lena')
    await page.getByRole('option', { name: 'Lena Vogt' }).tap()
    await page.getByLabel('Start', { exact: true }).fill('14:00')
    await page.getByText('Jonas Brandt already has an appointment').waitFor()
  })

  it('has no buttons to book, edit or cancel if the school does not allow it', async () => {
    await openDay('nothing')
    for (const name of ['Book lesson', 'Book the next lesson', 'Edit', 'Cancel lesson'])
      await expect.poll(() => button(name).count()).toBe(0)
  })
})
