import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

declare const getComputedStyle: (element: unknown) => { readonly color: string }

const service = useService()
const open = useBrowser(service)
const DATE = '2026-11-25'

let school: School
let page: Page
let dialog: Locator
let lena: Row

beforeEach(async () => {
  school = await aSchool(service())
  await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  lena = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
})

async function at(path: string): Promise<void> {
  page = await open('/icon.svg', { as: school })
  await page.clock.setFixedTime('2026-11-23T09:00:00Z')
  await page.goto(`${service().url}${path}`)
  dialog = page.getByRole('dialog')
}

const field = (name: string) => dialog.getByLabel(name, { exact: true }).first()
const press = (key: string) => page.keyboard.press(key)
const typed = (text: string) => page.keyboard.type(text)
const says = (words: string | RegExp) => dialog.getByText(words).locator('visible=true').first().waitFor()
const value = (name: string) => field(name).inputValue()

describe('the date of a lesson', () => {
  beforeEach(async () => {
    await at(`/?date=${DATE}`)
    await page.locator('.column-head').first().waitFor()
    await press('n')
    await field('Student').fill('Lena')
    await dialog.getByRole('option', { selected: true }).waitFor()
    await press('Enter')
    await field('Instructor').fill('Jonas')
    await dialog.getByRole('option', { selected: true }).waitFor()
    await press('Enter')
  })
  const booked = async () => (await school.client.get('/appointments?from=2026-01-01&to=2027-12-31')).body
  const book = () => dialog.getByRole('button', { name: 'Book', exact: true })

  it('is replaced by typing or pasting after Tab or a click, and is shown in words', async () => {
    await field('Type').focus()
    await press('Tab')
    await press('Tab')
    await typed('21.12.')
    await says(/^Mon,? 21 Dec, in 4 weeks$/)
    await press('Tab')
    await expect.poll(() => value('Date')).toBe('21/12/2026')
    await field('Date').click()
    await typed('14.12.')
    await field('Start').click()
    await expect.poll(() => value('Date')).toBe('14/12/2026')
    await field('Date').click()
    await page.keyboard.insertText('Dec 22, 2026')
    await press('Enter')
    await page.getByText(/^Booked: Lena Vogt, Tue,? 22 Dec/).waitFor()
  })

  it.each([
    ['31.9.', 'There is no such day.'],
    ['31.11.', 'There is no such day.'],
    ['12/31/2026', 'There is no such day.'],
    ['25/11/202614.12.', 'Enter a date, such as 24/12.'],
    ['', 'Enter a date.'],
  ])('entered as %j is kept, marked as invalid, and not booked', async (text, words) => {
    await field('Date').fill(text)
    await press('Enter')
    await says(words)
    await expect.poll(() => value('Date')).toBe(text)
    await field('Notes').click()
    await press('Enter')
    await expect.poll(() => field('Date').getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => value('Date')).toBe(text)
    await expect.poll(() => booked()).toEqual([])
    await field('Date').fill('26.11.')
    await press('Tab')
    await book().click()
    await page.getByText(/^Booked: Lena Vogt, Thu,? 26 Nov/).waitFor()
  })

  it('is amber if it is in the past or more than nine months ahead', async () => {
    await field('Date').fill('19.11.')
    await says(/^Thu,? 19 Nov, 4 days ago: in the past$/)
    await press('Tab')
    await expect.poll(() => value('Date')).toBe('19/11/2026')
    const colour = () =>
      dialog
        .getByText(/ago: in the past|^Mon,? 23 Aug|^Tue,? 24 Aug/)
        .locator('visible=true')
        .last()
        .evaluate((words) => getComputedStyle(words).color)
    const amber = await colour()
    await field('Date').fill('24.8.27')
    await says(/^Tue,? 24 Aug 2027, in 9 months$/)
    await expect.poll(() => colour()).toBe(amber)
    await field('Date').fill('23.8.27')
    await says(/^Mon,? 23 Aug 2027, in 9 months$/)
    await expect.poll(() => colour()).not.toBe(amber)
  })

  it('is shown in words below the field, even while the calendar is open', async () => {
    await field('Date').fill('21.12.')
    await dialog.getByRole('button', { name: '21 December 2026' }).waitFor()
    const words = dialog.getByText(/^Mon,? 21 Dec, in 4 weeks$/)
    await expect.poll(() => words.count()).toBe(1)
    // The hover fails if something covers the text.
    await words.hover()
  })

  it('can be changed with the arrow keys and picked from the calendar', async () => {
    await field('Date').fill('30.11.')
    await press('ArrowUp')
    await expect.poll(() => value('Date')).toBe('01/12/2026')
    await press('ArrowDown')
    await expect.poll(() => value('Date')).toBe('30/11/2026')
    await dialog.getByRole('button', { name: '12 November 2026' }).click()
    await expect.poll(() => value('Date')).toBe('12/11/2026')
    await expect.poll(() => dialog.getByRole('button', { name: '12 November 2026' }).count()).toBe(0)
  })
})

describe('a date of birth', () => {
  const stored = async () => (await school.client.get(`/students/${lena.id}`)).body.birth_date
  const save = () => dialog.getByRole('button', { name: 'Save' }).click()

  beforeEach(async () => {
    await at(`/students?student=${lena.id}`)
    await dialog.getByRole('button', { name: 'Edit' }).click()
    await field('Date of birth').waitFor()
  })

  it.each([
    ['03.05.06', '2006-05-03', '20 years old'],
    ['3 May 2008', '2008-05-03', '18 years old'],
    ['030598', '1998-05-03', '28 years old'],
  ])('entered as %s is stored as %s', async (text, date, age) => {
    await field('Date of birth').fill(text)
    await says(age)
    await save()
    await expect.poll(stored).toBe(date)
  })

  it.each([
    ['29.02.2007', 'There is no such day.'],
    ['12/31/2007', 'There is no such day.'],
    ['31.2.2008', 'There is no such day.'],
    ['24.11.2026', 'This is in the future.'],
    ['24.11.2014', 'The age must be from 12 to 110.'],
    ['12.4.', 'Enter the year, too.'],
    ['2007', 'Which day in 2007?'],
  ])('entered as %s is kept with an error message and not saved', async (text, words) => {
    await field('Date of birth').fill(text)
    await save()
    await says(words)
    await expect.poll(() => value('Date of birth')).toBe(text)
    await expect.poll(() => stored()).toBeNull()
  })

  it('can be picked from the calendar after only the year is entered', async () => {
    await field('Date of birth').fill('2007')
    await dialog.getByRole('button', { name: 'May' }).click()
    await dialog.getByRole('button', { name: '17 May 2007' }).click()
    await save()
    await expect.poll(stored).toBe('2007-05-17')
  })
})

describe('the days of an absence', () => {
  it('are rejected if they do not exist or the last is before the first', async () => {
    const { id } = await school.instructor({ first_name: 'Mira', last_name: 'Seidel' })
    await at(`/instructors?instructor=${id}`)
    await dialog.getByRole('button', { name: 'Add absence' }).click()
    await page.locator('input:focus').waitFor()
    await typed('14.12.')
    await press('Tab')
    await expect.poll(() => value('Last day')).toBe('14/12/2026')
    await typed('31.11.')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await says('There is no such day.')
    await field('Last day').fill('1.12.')
    await press('Tab')
    await says(/^Mon,? 14 Dec at the earliest\.$/)
    await field('Last day').fill('18.12.')
    await dialog.getByRole('button', { name: 'Save' }).click()
    const vacations = async () => (await school.client.get(`/instructors/${id}`)).body.vacations
    await expect.poll(vacations).toEqual([{ start_date: '2026-12-14', end_date: '2026-12-18', note: null }])
  })
})

it('a date filter ignores an invalid date and applies a valid one on Enter', async () => {
  await at('/changes')
  const from = page.getByLabel('From', { exact: true })
  await from.fill('31.9.')
  await press('Tab')
  await page.getByText('There is no such day.').waitFor()
  expect(new URL(page.url()).search).toBe('')
  await from.fill('20.11.')
  await press('Enter')
  await page.waitForURL('**/changes?from=2026-11-20')
  await expect.poll(() => from.inputValue()).toBe('20/11/2026')
})
