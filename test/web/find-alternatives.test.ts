import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { logInAt, useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'

let school: School
let jonas: { id: string }
let page: Page
let dialog: Locator
let checks: string[]

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor({
    first_name: 'Jonas',
    last_name: 'Brandt',
    license_classes: ['A'],
    required_break_minutes: 15,
    availability_windows: [{ weekday: 1, start: '08:00', end: '14:00' }],
  })
  const templates = (await school.client.get('/license-class-templates')).body
  const b = templates.find(({ code }: { code: string }) => code === 'B')
  await school.student({ first_name: 'Emre', last_name: 'Kaya', license_class_template_id: b.id })
  await school.lesson({
    instructor_id: jonas.id,
    student_id: (await school.student({ first_name: 'Lena', last_name: 'Vogt' })).id,
    start_at: `${DATE} 10:00`,
    end_at: `${DATE} 11:30`,
  })
  page = await open(`/?date=${DATE}`)
  dialog = page.getByRole('dialog')
  checks = []
  page.on('request', (request) => {
    if (request.url().endsWith('/appointments/check')) checks.push(request.postData() ?? '')
  })
  await logInAt(page, school)
  await page.locator('[data-lesson]').waitFor()
})

const told = (text: RegExp) => page.getByText(text).first().waitFor()
const alternatives = () => dialog.getByRole('status').getByRole('button')

/** Opens the form of a lesson with Emre at a time. */
async function askFor(time: string): Promise<void> {
  await page.keyboard.press('n')
  await dialog.getByLabel('Student').first().fill('kaya')
  await page.getByRole('option', { name: 'Emre Kaya' }).click()
  await setStart(time)
}

async function setStart(time: string): Promise<void> {
  const start = dialog.getByLabel('Start').first()
  await start.click()
  await start.pressSequentially(time)
}

/** Returns the reasons and alternatives, without the warnings. */
const refusal = () => dialog.getByRole('status').filter({ hasText: 'Not possible' })

describe('a rejected booking', () => {
  it('shows the reason and can be booked at the nearest time with two clicks', async () => {
    await askFor('1315')
    const reasons = refusal().getByRole('listitem')
    await dialog.getByText('On Monday Jonas Brandt works 08:00–14:00.').waitFor()
    await expect.poll(() => reasons.count()).toBe(0)
    await setStart('1045')
    await dialog.getByText('Jonas Brandt already has an appointment 10:00–11:30 with Lena Vogt.').waitFor()
    await alternatives().nth(2).waitFor()
    await expect
      .poll(() => alternatives().allInnerTexts())
      .toEqual([
        expect.stringMatching(/^Mon,? 1 Mar(?: 2032)?, 11:45–13:15$/),
        expect.stringMatching(/^Mon,? 1 Mar(?: 2032)?, 12:00–13:30$/),
        expect.stringMatching(/^Mon,? 1 Mar(?: 2032)?, 12:15–13:45$/),
      ])
    await alternatives().first().click()
    await dialog.getByText('Possible', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Book', exact: true }).click()
    await told(/^Booked: Emre Kaya, Mon,? 1 Mar(?: 2032)?, 11:45–13:15/)
    await page.locator('[data-lesson]', { hasText: 'Emre Kaya' }).waitFor()
  })

  it('lists several reasons as separate items', async () => {
    await askFor('1115')
    await dialog.getByText('Jonas Brandt already has an appointment').waitFor()
    await dialog.getByLabel('Duration').fill('180')
    await dialog.getByText('On Monday Jonas Brandt works 08:00–14:00.').waitFor()
    await expect.poll(() => refusal().getByRole('listitem').count()).toBe(2)
  })

  it('checks each draft once, reuses the result offline, and accepts an alternative with Enter', async () => {
    await askFor('1045')
    await alternatives().first().waitFor()
    await alternatives().first().focus()
    expect(new Set(checks).size).toBe(checks.length)
    const asked = checks.length
    await page.context().setOffline(true)
    await setStart('0945')
    await dialog.getByText('Not possible').waitFor()
    await setStart('1045')
    await alternatives().first().waitFor()
    await page.context().setOffline(false)
    expect(checks.slice(asked).filter((body) => body.includes('10:45'))).toEqual([])
    await alternatives().first().focus()
    await page.keyboard.press('Enter')
    await dialog.getByText('Possible', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await told(/^Booked: Emre Kaya, Mon,? 1 Mar(?: 2032)?, 11:45–13:15/)
  })

  it('also offers alternatives if only the service knows of the conflict', async () => {
    await page.context().route('**/api/v1/changes/since?*', (route) => route.abort())
    await school.lesson({
      instructor_id: jonas.id,
      start_at: `${DATE} 08:00`,
      end_at: `${DATE} 09:00`,
      title: 'Car wash',
    })
    await askFor('0815')
    await dialog.getByText('Possible', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Book', exact: true }).click()
    await dialog.getByText('Not saved').waitFor()
    await dialog.getByRole('button', { name: /11:45–13:15/ }).click()
    await dialog.getByRole('button', { name: 'Book', exact: true }).click()
    await told(/^Booked: Emre Kaya, Mon,? 1 Mar(?: 2032)?, 11:45–13:15/)
  })
})

describe('the booking form', () => {
  it('warns in amber that the class is not taught and that the time is in the past', {}, async () => {
    await askFor('1200')
    await dialog.getByText('Jonas Brandt does not teach class B.').waitFor()
    await dialog.getByLabel('Date').fill('02/03/2020')
    await page.keyboard.press('Tab')
    await dialog.getByText(/^This time is in the past: Monday,? 2 March 2020\.$/).waitFor()
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(2)
    const amber = dialog.getByRole('status').filter({ hasText: 'does not teach' })
    await amber.getByText('Possible', { exact: true }).waitFor()
    await expect.poll(() => amber.getAttribute('data-kind')).toBe('warn')
    await expect.poll(() => dialog.locator('[data-kind=good]').count()).toBe(0)
  })

  it('resolves a date without a year to the next such day', async () => {
    await page.clock.setFixedTime('2026-12-08T09:00:00Z')
    await askFor('1200')
    await dialog.getByLabel('Date').fill('7.1.')
    await page.keyboard.press('Tab')
    await expect.poll(() => dialog.getByLabel('Date').inputValue()).toBe('07/01/2027')
  })
})
