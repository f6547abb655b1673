import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { boxOf, dragWithMouse, useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
/** A Monday. */
const DATE = '2032-03-01'

let school: School
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
})

const told = (text: RegExp) => page.getByText(text).first().waitFor()

describe('the booking form', () => {
  let jonas: { id: string }
  let dialog: Locator
  let checks: string[]

  beforeEach(async () => {
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
    page = await open(`/?date=${DATE}`, { as: school })
    dialog = page.getByRole('dialog')
    checks = []
    page.on('request', (request) => {
      if (request.url().endsWith('/appointments/check')) checks.push(request.postData() ?? '')
    })
    await page.locator('[data-lesson]').waitFor()
  })

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
})

describe('other instructors', () => {
  let jonas: { id: string }
  let lesson: { id: string }

  /** Jonas is busy at ten, and Anna does not teach the class. Kim and Mira are free, and Mira has taught Lena before. */
  beforeEach(async () => {
    const templates = (await school.client.get('/license-class-templates')).body
    const b = templates.find(({ code }: { code: string }) => code === 'B')
    const hours = { availability_windows: [{ weekday: 1, start: '08:00', end: '14:00' }] }
    const named = (first_name: string, license_class = 'B') =>
      school.instructor({
        ...{ first_name, last_name: 'Brandt', required_break_minutes: 0 },
        ...{ license_classes: [license_class], ...hours },
      })
    await named('Anna', 'A')
    jonas = await named('Jonas')
    await named('Kim')
    const mira = await named('Mira')
    const learning = { license_class_template_id: b.id }
    const lena = await school.student({ first_name: 'Lena', last_name: 'Vogt', ...learning })
    const at = (date: string, start: string, end: string) => ({
      start_at: `${date} ${start}`,
      end_at: `${date} ${end}`,
    })
    await school.lesson({ instructor_id: jonas.id, ...at(DATE, '10:00', '11:30'), title: 'Car wash' })
    await school.lesson({
      instructor_id: mira.id,
      student_id: lena.id,
      ...at('2032-02-23', '08:00', '09:30'),
    })
    lesson = await school.lesson({
      instructor_id: jonas.id,
      student_id: lena.id,
      ...at(DATE, '08:00', '09:30'),
    })
    page = await open(`/?date=${DATE}`, { as: school })
    await page.locator('[data-lesson]', { hasText: 'Lena Vogt' }).waitFor()
  })

  const dialog = () => page.getByRole('dialog').last()
  const offers = () => dialog().getByRole('status').getByRole('button')

  async function setStart(time: string): Promise<void> {
    const start = dialog().getByLabel('Start').first()
    await start.click()
    await start.pressSequentially(time)
  }

  describe('the same time with other instructors', () => {
    it('is offered first for a rejected lesson, starting with the instructor who has taught the student', async () => {
      await page.locator('[data-lesson]', { hasText: 'Lena Vogt' }).click()
      await dialog().getByRole('button', { name: 'Edit' }).click()
      await setStart('1000')
      await dialog().getByText('At the same time with:').waitFor()
      await expect
        .poll(async () => (await offers().allInnerTexts()).slice(0, 3))
        .toEqual(['Mira Brandt', 'Kim Brandt', expect.stringMatching(/^Mon,? 1 Mar(?: 2032)?, 11:30–13:00$/)])
      await offers().first().click()
      await dialog().getByText('Possible', { exact: true }).waitFor()
      await dialog().getByRole('button', { name: 'Save' }).click()
      await told(/^Saved: Lena Vogt, Mon,? 1 Mar(?: 2032)?, 10:00–11:30 · Mira Brandt/)
    })

    it('heads the search results after a rejected drop', async () => {
      const { x, y } = await boxOf(page.locator('[data-lesson]', { hasText: 'Lena Vogt' }))
      const wash = await boxOf(page.locator('[data-lesson]', { hasText: 'Car wash' }))
      const { drop } = await dragWithMouse(page, { x: x + 40, y: y + 5 }, { x: x + 40, y: wash.y + 5 })
      // Wait until the page has the rules. Without them, the service would reject the move.
      await page.locator('[data-held]', { hasText: 'already has an appointment' }).waitFor()
      await drop()
      await told(/^Not moved: Jonas Brandt already has an appointment/)
      await page.getByRole('alert').getByRole('button', { name: 'Find a time' }).click()
      await dialog().getByText('At the same time', { exact: true }).waitFor()
      await dialog()
        .getByRole('radio', { name: /10:00–11:30 Mira Brandt/, checked: true })
        .waitFor()
      await dialog().getByText('Other times', { exact: true }).waitFor()
      await dialog().getByRole('button', { name: 'Tuesday' }).click()
      await dialog().getByText('At the same time', { exact: true }).waitFor({ state: 'detached' })
    })

    it('is offered for a lesson of an absent instructor', async () => {
      await page.getByRole('link', { name: 'Instructors' }).click()
      await page.getByRole('link', { name: /Jonas Brandt/ }).click()
      await page.getByRole('button', { name: 'Add absence' }).click()
      await page.locator('[aria-label="First day"]:focus').waitFor()
      await page.keyboard.press('Control+a')
      await page.keyboard.type('01.03.2032')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Escape')
      await page
        .getByRole('button', { name: /^Move.*Lena Vogt/ })
        .first()
        .click()
      await offers().first().getByText('Mira Brandt').waitFor()
      expect((await school.client.get(`/appointments/${lesson.id}`)).body.instructor_id).toBe(jonas.id)
    })
  })

  describe('the list of instructors', () => {
    it('marks instructors who are free at the chosen time and lists them first', async () => {
      const asked: string[] = []
      page.on('request', (request) => {
        if (/\/slots\?/.test(request.url())) asked.push(request.url())
      })
      await page.keyboard.press('n')
      await dialog().getByLabel('Student').first().fill('vogt')
      await page.getByRole('option', { name: 'Lena Vogt' }).click()
      await dialog().getByLabel('Date').fill('01/03/2032')
      await setStart('1030')
      expect(asked).toEqual([])
      await dialog().getByRole('combobox', { name: 'Instructor' }).click()
      const options = page.getByRole('option')
      await options.nth(1).getByText('free').waitFor()
      await expect
        .poll(() => options.allInnerTexts())
        .toEqual([
          expect.stringMatching(/^Kim Brandt\s+free$/),
          expect.stringMatching(/^Mira Brandt\s+free$/),
          expect.stringMatching(/^Jonas Brandt$/),
          expect.stringMatching(/^Anna Brandt\s+does not teach B$/),
        ])
      expect(asked).toHaveLength(1)
      await page.keyboard.type('kim')
      await page.getByRole('option', { selected: true }).getByText('free').waitFor()
      await page.keyboard.press('Enter')
      await dialog().getByText('Possible', { exact: true }).waitFor()
    })
  })
})
