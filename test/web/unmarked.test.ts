import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { daysLater } from '../../src/domain/local-time.ts'
import { localToday } from '../../src/domain/time-zone.ts'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const today = localToday(new Date(), 'Europe/Berlin')
const yesterday = daysLater(today, -1)
const before = daysLater(today, -2)

let school: School
let lessons: readonly { id: string }[]

beforeEach(async () => {
  school = await aSchool(service())
  const { id: instructor_id } = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  const { id: emma } = await school.student({ first_name: 'Emma', last_name: 'Kaya' })
  const { id: lena } = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  const lesson = (day: string, hour: string, student_id: string | null) =>
    school.lesson({ instructor_id, student_id, start_at: `${day} ${hour}:00`, end_at: `${day} ${hour}:45` })
  lessons = [
    await lesson(yesterday, '08', emma),
    await lesson(yesterday, '09', lena),
    await lesson(before, '10', lena),
  ]
  // Not counted: a lesson without a student, a cancelled one, one too long ago, and a coming one.
  await lesson(yesterday, '10', null)
  const { id: cancelled } = await lesson(yesterday, '11', emma)
  await school.client.patch(`/appointments/${cancelled}`, { status: 'cancelled' })
  await lesson(daysLater(today, -70), '08', emma)
  await lesson(daysLater(today, 1), '08', emma)
})

const statuses = async () =>
  Promise.all(lessons.map(async ({ id }) => (await school.client.get(`/appointments/${id}`)).body.status))
const count = (page: Page, words: string) => page.getByRole('button', { name: words, exact: true })
const noSidewaysScroll = (page: Page) => page.evaluate('document.documentElement.scrollWidth <= innerWidth')

describe('past lessons without outcome', () => {
  it('are marked as done for one day by keyboard, with exceptions, and undone in one step', async () => {
    const page = await open('/', { as: school })
    await count(page, '3 lessons without outcome').waitFor()
    await count(page, '3 lessons without outcome').press('Enter')
    const list = page.getByRole('dialog', { name: 'Past lessons without outcome' })
    await list
      .getByRole('checkbox', { name: /Lena Vogt/ })
      .first()
      .press('Space')
    await list
      .getByRole('button', { name: /^Mark 1 as done/ })
      .first()
      .press('Enter')
    await page.getByText('1 lesson marked as done').waitFor()
    await expect.poll(statuses).toEqual(['completed', 'planned', 'planned'])
    await list.getByText('Emma Kaya').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await count(page, '2 lessons without outcome').waitFor()
    await page.keyboard.press('Control+z')
    await page.getByText(/^Undone: Emma Kaya/).waitFor()
    await count(page, '3 lessons without outcome').waitFor()
    await expect.poll(() => statuses()).toEqual(['planned', 'planned', 'planned'])
  })

  it('are not ticked if their recorded length differs much from the plan', async () => {
    await school.client.patch(`/appointments/${lessons[0]?.id}`, {
      ...{ actual_start_at: `${yesterday} 08:00`, actual_end_at: `${yesterday} 08:04` },
    })
    const page = await open('/', { as: school })
    await count(page, '3 lessons without outcome').click()
    const list = page.getByRole('dialog', { name: 'Past lessons without outcome' })
    await list.getByText('Actual time 08:00–08:04: 4 instead of 45 minutes').waitFor()
    await list
      .getByRole('button', { name: /^Mark 1 as done/ })
      .first()
      .click()
    await expect.poll(statuses).toEqual(['planned', 'completed', 'planned'])
    await list.getByRole('checkbox', { name: /Emma Kaya/ }).check()
    await list
      .getByRole('button', { name: /^Mark 1 as done/ })
      .first()
      .click()
    await expect.poll(statuses).toEqual(['completed', 'completed', 'planned'])
  })

  it('on two days are marked as done with two clicks on a phone, in German', async () => {
    const page = await open('/', {
      ...{ as: school, locale: 'de-DE', colorScheme: 'dark' },
      viewport: { width: 360, height: 740 },
    })
    await count(page, '3 Fahrstunden ohne Ergebnis').waitFor()
    await count(page, '3 Fahrstunden ohne Ergebnis').click()
    const list = page.getByRole('dialog', { name: 'Vergangene Fahrstunden ohne Ergebnis' })
    await list.getByRole('button', { name: /^2 als erledigt/ }).waitFor()
    await expect.poll(() => noSidewaysScroll(page)).toBe(true)
    await list.getByRole('button', { name: /^2 als erledigt eintragen/ }).click()
    await list.getByText('Emma Kaya').waitFor({ state: 'detached' })
    await list.getByRole('link', { name: /^Lena Vogt, 09:00/ }).waitFor({ state: 'detached' })
    await list.getByRole('link', { name: /^Lena Vogt, 10:00–10:45 anzeigen/ }).waitFor()
    await list.getByRole('button', { name: /^1 als erledigt eintragen/ }).click()
    await list.getByText('Jede Fahrstunde der letzten 60 Tage hat ein Ergebnis.').waitFor()
    await expect.poll(statuses).toEqual(['completed', 'completed', 'completed'])
  })
})

it.each(['en-GB', 'de-DE'])(
  'the toolbar stays on one line with the buttons for vehicles and past lessons (%s)',
  async (locale) => {
    await school.client.post('/vehicles', { name: 'Golf', kind: 'car' })
    const page = await open('/?date=2027-09-22', { as: school, locale })
    const buttons = page.getByRole('toolbar').locator('button:visible')
    await page.getByRole('button', { name: /^(Vehicles|Fahrzeuge)$/ }).waitFor()
    await page.getByRole('button', { name: /^3 / }).waitFor()
    const tops = () => buttons.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom))
    await expect.poll(async () => Math.max(...(await tops())) - Math.min(...(await tops()))).toBeLessThan(20)
  },
)
