import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { dayOf, weekdayOf } from '../../src/domain/local-time.ts'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)

/** A Monday. */
const DATE = '2099-03-02'
const DENTIST = { start_at: `${DATE} 10:00`, end_at: `${DATE} 12:00`, note: 'Zahnarzt' }
const FRIDAY = { weekday: 5, start: '08:00', end: '17:00' }

let school: School
let jonas: Row

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
})

const stored = async () => (await school.client.get(`/instructors/${jonas.id}`)).body
const change = (fields: object) => school.client.patch(`/instructors/${jonas.id}`, fields)
const board = () => open(`/?date=${DATE}`, { as: school })
const dialogOf = async (): Promise<Locator> => {
  const page: Page = await open(`/instructors?instructor=${jonas.id}`, { as: school })
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Last name').waitFor()
  return dialog
}
const save = (dialog: Locator) => dialog.getByRole('button', { name: 'Save' }).click()

describe('hours off', () => {
  it('are entered by keyboard, and the form lists the lessons that would no longer fit', async () => {
    const lena = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
    const times = { start_at: `${DATE} 10:00`, end_at: `${DATE} 11:30` }
    await school.lesson({ instructor_id: jonas.id, student_id: lena.id, ...times })
    const dialog = await dialogOf()
    await dialog.getByRole('button', { name: 'Add hours off' }).press('Enter')
    const { keyboard } = dialog.page()
    for (const text of ['2099-03-02', '10', '2099-03-02', '12', 'Zahnarzt']) {
      await keyboard.type(text)
      await keyboard.press('Tab')
    }
    await dialog.getByText('Jonas Brandt is away on 2 March 2099 10:00–12:00 (Zahnarzt).').waitFor()
    await dialog.getByText('2 March 2099, 10:00–12:00 Zahnarzt').waitFor()
    await save(dialog)
    await expect.poll(async () => (await stored()).absences).toEqual([DENTIST])
  })

  it('are shown on the board like a vacation, and mark a lesson within them with their times', async () => {
    const times = { start_at: `${DATE} 11:00`, end_at: `${DATE} 11:45` }
    await school.lesson({ instructor_id: jonas.id, ...times, title: 'Testfahrt' })
    await change({ absences: [DENTIST] })
    const page = await board()
    await page.locator('.vacation', { hasText: 'Zahnarzt' }).waitFor()
    await page.locator('.lesson-mark', { hasText: /10:00–12:00$/ }).waitFor()
  })

  it('can span several days and can be removed', async () => {
    await change({ absences: [{ ...DENTIST, end_at: '2099-03-04 12:00' }] })
    const dialog = await dialogOf()
    await dialog.getByRole('button', { name: 'Remove 2 March 2099, 10:00 – 4 March 2099, 12:00' }).click()
    await save(dialog)
    await expect.poll(async () => (await stored()).absences).toEqual([])
  })

  it('are reported and not stored if they end before they start', async () => {
    await change({ absences: [DENTIST] })
    const dialog = await dialogOf()
    await dialog.getByLabel('Away until').fill('9')
    await dialog.page().keyboard.press('Tab')
    await dialog.getByText('The end must be after the start.').waitFor()
    await save(dialog)
    await dialog.getByText('Not saved').waitFor()
    expect((await stored()).absences).toEqual([DENTIST])
  })
})

describe('working hours with dates', () => {
  it('get an end date in the form, which shows and stores it', async () => {
    await change({ availability_windows: [FRIDAY] })
    const dialog = await dialogOf()
    await dialog.getByRole('button', { name: 'Friday 08:00–17:00: dates' }).click()
    await dialog.getByLabel('valid until').fill('2098-12-31')
    await dialog.page().keyboard.press('Tab')
    await dialog.getByText('Friday 08:00–17:00 until 31 December 2098').waitFor()
    await save(dialog)
    const limited = { ...FRIDAY, valid_from: null, valid_to: '2098-12-31' }
    await expect.poll(async () => (await stored()).availability_windows).toEqual([limited])
  })

  it('hold in every second week from this one on if one says so, and say it', async () => {
    await change({ availability_windows: [FRIDAY] })
    const dialog = await dialogOf()
    await dialog.getByRole('button', { name: 'Friday 08:00–17:00: dates' }).click()
    await dialog.getByLabel('in which weeks').selectOption('every 2 weeks')
    await dialog.getByText(/^Friday 08:00–17:00 every 2 weeks from /).waitFor()
    await save(dialog)
    const turn = { ...FRIDAY, valid_to: null, every_weeks: 2 }
    await expect.poll(async () => (await stored()).availability_windows).toMatchObject([turn])
    const [{ valid_from }] = (await stored()).availability_windows
    expect(weekdayOf(dayOf(valid_from))).toBe(1)
  })

  it('are kept when the hours of another day are copied to their weekday', async () => {
    const limited = { ...FRIDAY, valid_from: '2099-01-01', valid_to: null }
    await change({ availability_windows: [{ ...FRIDAY, weekday: 1 }, limited] })
    const dialog = await dialogOf()
    await dialog.getByRole('button', { name: 'also on Friday' }).click()
    await save(dialog)
    await expect
      .poll(async () => (await stored()).availability_windows)
      .toEqual(expect.arrayContaining([{ ...FRIDAY, weekday: 1 }, FRIDAY, limited]))
  })
})
