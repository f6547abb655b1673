import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)

const HOLIDAY = { date: '2032-05-06', name: 'Christi Himmelfahrt' }
const BEFORE = '2032-05-05'
const CLOSED = { start_date: '2032-05-07', end_date: '2032-05-07', note: 'Brückentag' }

let school: School
let jonas: Row

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  const lena = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  const times = { start_at: `${BEFORE} 10:00`, end_at: `${BEFORE} 11:30` }
  await school.lesson({ instructor_id: jonas.id, student_id: lena.id, ...times })
})

const onHolidays = (holidays: 'ignore' | 'warn' | 'refuse') => school.client.patch('/tenant', { holidays })
const close = () => school.client.post('/closures', CLOSED)
const board = (date: string) => open(`/?date=${date}`, { as: school })
const week = () => open(`/?date=${BEFORE}&view=week`, { as: school })
const lesson = (page: Page) => page.locator('[data-lesson]', { hasText: 'Lena Vogt' })
const pill = (page: Page) => page.locator('[data-held]')
const headOf = (page: Page, words: string) => page.locator('.board-head', { hasText: words })

/** Moves the lesson in the week view to the right by `days` and holds it there. */
async function holdDaysLater(page: Page, days: number): Promise<void> {
  await lesson(page).focus()
  await page.keyboard.down('Alt')
  for (let count = 0; count < days; count += 1) await page.keyboard.press('ArrowRight')
}

describe('closed days on the board', () => {
  it('are named in the week header, shaded, and reject a lesson with the reason', async () => {
    await onHolidays('refuse')
    await close()
    const page = await week()
    await headOf(page, HOLIDAY.name).waitFor()
    await headOf(page, CLOSED.note).waitFor()
    await expect.poll(() => page.locator('.board-background.closed-day').count()).toBe(2)

    await holdDaysLater(page, 1)
    await pill(page)
      .getByText(/6 May(?: 2032)? is a public holiday: Christi Himmelfahrt\./)
      .waitFor()
    await page.keyboard.press('ArrowRight')
    await pill(page)
      .getByText(/is closed on 7 May(?: 2032)? \(Brückentag\)/)
      .waitFor()
    const days = page.locator('.board-day')
    const styles = () => days.evaluateAll((all) => all.map((day) => day.getAttribute('style') ?? ''))
    const isFree = async () => (await styles()).map((style) => style.includes('var(--landing)'))
    await expect.poll(isFree).toEqual([true, true, true, false, false, true, true])
    await page.keyboard.up('Alt')
    await page.getByText(/^Not moved/).waitFor()
  })

  it('accept a lesson with a warning if the school only warns about holidays', async () => {
    await onHolidays('warn')
    const page = await week()
    await headOf(page, HOLIDAY.name).waitFor()
    await page.locator('.board-background.holiday').waitFor()
    await expect.poll(() => page.locator('.board-background.closed-day').count()).toBe(0)
    await holdDaysLater(page, 1)
    await pill(page).getByText(HOLIDAY.name).waitFor()
    await pill(page)
      .getByText(/^Possible/)
      .waitFor()
    await page.keyboard.up('Alt')
    await page.getByText(/^Moved: Lena Vogt/).waitFor()
  })

  it('do not include public holidays if the school ignores them', async () => {
    await onHolidays('ignore')
    await close()
    const page = await week()
    await headOf(page, CLOSED.note).waitFor()
    await expect.poll(() => headOf(page, HOLIDAY.name).count()).toBe(0)
  })

  it('are named above the columns of a day as soon as another user adds a closure', async () => {
    const page = await board(CLOSED.start_date)
    await page.getByTitle('Week of Jonas Brandt').waitFor()
    await expect.poll(() => page.getByText(CLOSED.note).count()).toBe(0)
    await close()
    await page.getByRole('note').getByText(CLOSED.note).waitFor()
    await page.locator('.board-background.closed-day').waitFor()
  })

  it('are marked with their names in the month calendar', async () => {
    await onHolidays('refuse')
    await close()
    const page = await board(BEFORE)
    await page.getByRole('button', { name: 'Wednesday, 5 May 2032' }).click()
    await page.getByTitle(HOLIDAY.name).waitFor()
    await page.getByTitle(CLOSED.note).waitFor()
  })

  it('mark a lesson that was booked before the closure', async () => {
    await school.client.post('/closures', { start_date: BEFORE, end_date: BEFORE, note: 'Umzug' })
    const page = await board(BEFORE)
    await page.locator('.lesson-mark', { hasText: 'closed' }).waitFor()
  })
})

describe('the board on a day on which nobody works', () => {
  it('opens the next working day and says so, and shows today on request', async () => {
    const weekdays = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '08:00', end: '17:00' }))
    await school.client.patch(`/instructors/${jonas.id}`, { availability_windows: weekdays })
    const page = await open('/settings', { as: school })
    await page.clock.setFixedTime('2032-05-02T09:00:00Z')
    await page.getByRole('link', { name: 'Board', exact: true }).click()
    const day = page.getByRole('toolbar').getByText('Monday, 3 May 2032')
    await day.waitFor()
    await page.getByText('Nobody works on Sunday, 2 May 2032.').waitFor()
    await page.getByRole('button', { name: 'Show Sun 2 May' }).click()
    await page.getByRole('toolbar').getByText('Sunday, 2 May 2032').waitFor()
    await expect.poll(() => page.getByText('Nobody works').count()).toBe(0)
    await page.goBack()
    await day.waitFor()
  })
})
