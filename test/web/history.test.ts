import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { logInAt, useBrowser } from '../support/browser.ts'
import { aSchool, PASSWORD, type School } from '../support/factory.ts'
import { aLogin, bearer } from '../support/session.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'
const GERMAN = { locale: 'de-DE' }

let school: School
let jonas: { id: string }
let mira: { id: string }
let student: { id: string }
let lesson: { id: string }

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  mira = await school.instructor({ first_name: 'Mira', last_name: 'Seidel', active: false })
  student = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  lesson = await school.lesson({
    instructor_id: jonas.id,
    student_id: student.id,
    start_at: `${DATE} 10:00`,
    end_at: `${DATE} 11:30`,
  })
})

async function at(address: string, options?: Parameters<typeof open>[1]): Promise<Page> {
  return open(address, { ...options, as: school })
}

/** Opens the history in the dialog by keyboard. */
async function historyIn(page: Page, word = 'History'): Promise<Locator> {
  await page.getByRole('dialog').getByText(word, { exact: true }).press('Enter')
  return page.getByRole('dialog').locator('ol > li')
}

/** Returns the lines of an entry. */
async function linesOf(entry: Locator): Promise<readonly string[]> {
  return (await entry.innerText()).split('\n').filter((line) => line !== '')
}

const expectLines = (entry: Locator) => expect.poll(() => linesOf(entry))
const TODAY = /^\d{1,2}\.? \p{L}+ \d{4}, \d\d:\d\d · Anna Office$/u

describe('the history of a lesson', () => {
  const address = () => `/?date=${DATE}&lesson=${lesson.id}`

  it('lists the author, old and new values of each change, newest first', { tags: 'promise' }, async () => {
    await school.client.patch(`/appointments/${lesson.id}`, { status: 'completed', notes: 'parked well' })
    await school.client.patch(`/appointments/${lesson.id}`, { start_at: `${DATE} 10:15` })
    const entries = await historyIn(await at(address()))
    await expectLines(entries.nth(0)).toEqual([
      'Lesson changed',
      expect.stringMatching(TODAY),
      expect.stringMatching(/^Start: Mon,? 1 Mar(?: 2032)?, 10:00 → Mon,? 1 Mar(?: 2032)?, 10:15$/),
    ])
    await expectLines(entries.nth(1)).toEqual([
      'Lesson changed',
      expect.stringMatching(TODAY),
      'Status: planned → done',
      'Notes: – → parked well',
    ])
    await expectLines(entries.nth(2)).toEqual([
      'Lesson booked',
      expect.stringMatching(TODAY),
      'Student: Lena Vogt',
      'Instructor: Jonas Brandt',
      'Type: Übungsfahrt (Grundausbildung)',
      expect.stringMatching(/^Start: Mon,? 1 Mar(?: 2032)?, 10:00$/),
      'End: 11:30',
      'Title: Übungsfahrt (Grundausbildung)',
      'Status: planned',
    ])
  })

  it('is shown in German and names the override that was used', async () => {
    await school.client.patch(`/instructors/${jonas.id}`, { max_daily_units: 2, max_daily_override: 4 })
    await school.client.patch(`/appointments/${lesson.id}`, { end_at: `${DATE} 12:15` })
    const entries = await historyIn(await at(address(), GERMAN), 'Verlauf')
    await expectLines(entries.nth(0)).toEqual([
      'Fahrstunde geändert',
      expect.stringMatching(TODAY),
      'Ende: 11:30 → 12:15',
      'Ausnahme benutzt: vom Tag',
    ])
  })

  it('shows that the lesson was cancelled when its student was deleted', async () => {
    await school.client.delete(`/students/${student.id}`)
    const entries = await historyIn(await at(address()))
    await entries.first().getByText('together with the student').waitFor()
    await expectLines(entries.nth(0)).toContain('Status: planned → cancelled')
    await expectLines(entries.nth(1)).toContain('Student: Deleted student')
  })

  it('shows new changes while it is open', async () => {
    const page = await at(address())
    const entries = await historyIn(page)
    await entries.first().waitFor()
    await school.client.patch(`/appointments/${lesson.id}`, { status: 'no_show' })
    await page.getByText('planned → no-show').waitFor()
  })

  it('shows that the service is unreachable and loads once it is reachable', async () => {
    const page = await at(address())
    let isReachable = false
    await page.route('**/history?*', (route) => (isReachable ? route.continue() : route.abort()))
    await historyIn(page)
    await page.getByText('The service cannot be reached. Check the connection.').waitFor()
    isReachable = true
    await page.getByText('Lesson booked').waitFor()
  })
})

describe('the history of a student', () => {
  it('shows names instead of ids, also for an inactive instructor', async () => {
    const { templates } = (await school.client.get('/bootstrap')).body
    const car = templates.find(({ code }: { code: string }) => code === 'B')
    await school.client.patch(`/students/${student.id}`, {
      preferred_instructor_id: mira.id,
      license_class_template_id: car.id,
      birth_date: '2008-04-12',
    })
    const entries = await historyIn(await at(`/students?student=${student.id}`))
    await expectLines(entries.nth(0)).toEqual([
      'Student changed',
      expect.stringMatching(TODAY),
      'Date of birth: – → 12 April 2008',
      `Class: – → ${car.name}`,
      'Preferred instructor: – → Mira Seidel',
    ])
  })

  it('is shown in German', async () => {
    await school.client.delete(`/students/${student.id}`)
    await school.client.post(`/students/${student.id}/restore`)
    const entries = await historyIn(await at(`/students?student=${student.id}`, GERMAN), 'Verlauf')
    const deeds = ['Fahrschüler wiederhergestellt', 'Fahrschüler gelöscht', 'Fahrschüler angelegt']
    await expect.poll(() => entries.locator('strong').allInnerTexts()).toEqual(deeds)
  })
})

describe('the history of an instructor', () => {
  it.each([
    [
      'English',
      undefined,
      'History',
      [
        'Units a day: no limit → 8 u',
        'Working hours: Monday 08:00–12:00 → Tuesday 08:00–12:00',
        /^Absences: 1\s?–\s?5 March(?: 2032)? Skiing$/,
      ],
    ],
    [
      'German',
      GERMAN,
      'Verlauf',
      [
        'Einheiten am Tag: keine Grenze → 8 E',
        'Arbeitszeiten: Montag 08:00–12:00 → Dienstag 08:00–12:00',
        /^Abwesenheiten: 1\.\s?–\s?5\. März(?: 2032)? Skiing$/,
      ],
    ],
  ] as const)('shows only changed working hours and absences, in %s', async (_, options, word, said) => {
    const wednesday = { weekday: 3, start: '08:00', end: '12:00' }
    await school.client.patch(`/instructors/${jonas.id}`, {
      availability_windows: [{ ...wednesday, weekday: 1 }, wednesday],
    })
    await school.client.patch(`/instructors/${jonas.id}`, {
      max_daily_units: 8,
      availability_windows: [{ ...wednesday, weekday: 2 }, wednesday],
      vacations: [{ start_date: DATE, end_date: '2032-03-05', note: 'Skiing' }],
    })
    const page = await at(`/instructors?instructor=${jonas.id}`, options)
    const entries = await historyIn(page, word)
    const lines = await linesOf(entries.nth(0))
    expect(lines.slice(2)).toEqual(said.map((one) => expect.stringMatching(one)))
  })
})

describe('the changes of the school', () => {
  const titles = (page: Page) => page.locator('main ol > li > p:first-child')
  const entry = (page: Page, text: string) => page.locator('main ol > li', { hasText: text })

  it('link to the lesson, student and instructor', async () => {
    // Enough changes to move the booking off the first page.
    for (let count = 0; count < 25; count += 1) await school.student({ first_name: `Number ${count}` })
    await school.client.patch(`/appointments/${lesson.id}`, { start_at: `${DATE} 10:15`, title: 'Once more' })
    const page = await at('/changes')
    await page.getByRole('link', { name: /^Lena Vogt, Mon,? 1 Mar(?: 2032)?, 10:15–11:30$/ }).click()
    await page
      .getByRole('dialog', { name: 'Lena Vogt' })
      .getByText(/^Mon,? 1 Mar(?: 2032)?, 10:15–11:30/)
      .waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Earlier' }).click()
    await page.getByRole('link', { name: 'Lena Vogt', exact: true }).click()
    await page.getByRole('dialog', { name: 'Lena Vogt' }).waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'Jonas Brandt' }).click()
    await page.getByRole('dialog', { name: 'Edit instructor' }).waitFor()
  })

  it('can be filtered by kind, user and day, and the URL keeps the filter', async () => {
    const ben = await aLogin(service(), school.tenantId)
    const change = { phone: '+49 30 5550142' }
    await ben.client.patch(`/students/${student.id}`, change, bearer(ben.token))
    await ben.client.patch(`/instructors/${jonas.id}`, change, bearer(ben.token))
    const page = await at('/changes')
    await page.getByLabel('Who').selectOption(ben.user.id)
    await expect
      .poll(() => titles(page).allInnerTexts())
      .toEqual(['Instructor changed Jonas Brandt', 'Student changed Lena Vogt'])
    await page.getByLabel('What').selectOption('Student')
    await expect.poll(() => titles(page).allInnerTexts()).toEqual(['Student changed Lena Vogt'])
    await page.reload()
    await expect.poll(() => titles(page).allInnerTexts()).toEqual(['Student changed Lena Vogt'])
    await page.getByLabel('To', { exact: true }).fill('01/03/2026')
    await page.getByLabel('To', { exact: true }).press('Enter')
    await page.getByText('No changes match this filter.').waitFor()
    expect(page.url()).toContain('to=2026-03-01')
  })

  it('show password resets, and commands as authors', async () => {
    await school.client.post('/auth/password', {
      current_password: PASSWORD,
      new_password: 'another password',
    })
    const page = await open('/changes')
    await logInAt(page, school, 'another password')
    await entry(page, 'Password: reset').waitFor()
    await entry(page, 'Login added').getByText('Command “test”').waitFor()
  })

  it('are shown 25 per page', async () => {
    for (let count = 0; count < 25; count += 1) await school.student({ last_name: `Number ${count}` })
    const page = await at('/changes')
    await titles(page).nth(24).waitFor()
    await expect.poll(() => titles(page).count()).toBe(25)
    await page.getByRole('button', { name: 'Earlier' }).press('Enter')
    await entry(page, 'School added').waitFor()
    await page.getByRole('button', { name: 'Earlier' }).waitFor({ state: 'detached' })
  })
})
