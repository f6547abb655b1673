import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
/** A Monday, the day on the clock of the pages. */
const TODAY = '2032-03-01'

let school: School
let lesson: Row
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  const jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  const emma = await school.student({ first_name: 'Emma', last_name: 'Kaya', phone: '+49 30 5550119' })
  must(201, await school.client.post('/vehicles', { name: 'Golf', kind: 'car', plate: 'B AB 1' }))
  const times = { start_at: `${TODAY} 10:00`, end_at: `${TODAY} 11:30` }
  lesson = await school.lesson({ student_id: emma.id, instructor_id: jonas.id, ...times })
})

const option = (name: string | RegExp) => page.getByRole('option', { name }).first()
const bar = () => page.locator('[role=combobox]:focus')
const card = () => page.locator('[role=dialog][data-card]')

async function at(address: string, options: Parameters<typeof open>[1] = {}): Promise<void> {
  page = await open('/icon.svg', { ...options, as: school })
  await page.clock.setFixedTime(`${TODAY}T08:30:00Z`)
  await page.goto(`${service().url}${address}`)
  await page.getByRole('navigation').waitFor()
}

it.each([
  [
    'de-DE',
    [
      ['nächsten Donnerstag', ['Donnerstag, 4. März 2032', 'Donnerstag, 11. März 2032']],
      ['in 2 Wochen', ['Montag, 15. März 2032']],
      ['KW 50', ['KW 50:.*6.*12. Dezember']],
      ['Gebühren', ['Versäumte Stunden']],
      ['Tel. 030/555 01 19', ['Emma Kaya']],
      ['golf', ['Golf · B AB 1']],
      ['B-AB 1', ['Golf · B AB 1']],
    ],
  ],
  [
    'en-GB',
    [
      ['next Thursday', ['4 March 2032', '11 March 2032']],
      ['in 2 weeks', ['15 March 2032']],
      ['week 50', ['Week 50:.*6.*12 December']],
      ['fees', ['Missed lessons']],
    ],
  ],
] as const)('the command bar finds phrases in %s', async (locale, rows) => {
  await at('/', { locale })
  await page.keyboard.press('/')
  await bar().waitFor()
  for (const [typed, found] of rows) {
    await page.getByRole('dialog').getByRole('combobox').fill(typed)
    for (const name of found) await option(new RegExp(name)).waitFor()
  }
})

it('a calendar week opens in the week view, and a vehicle the board of vehicles', async () => {
  await at('/students')
  await page.keyboard.press('/')
  await bar().waitFor()
  await page.keyboard.type('week 50')
  await option(/Week 50/).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/date=2032-12-06&view=week/)
  await page.keyboard.press('/')
  await bar().waitFor()
  await page.keyboard.type('golf')
  await option(/Golf/).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/view=vehicles/)
})

describe('while the card of a lesson is open', () => {
  beforeEach(async () => {
    await at(`/?date=${TODAY}&lesson=${lesson.id}`)
    await card().getByText('Emma Kaya').first().waitFor()
  })

  it('the phone can be answered: / and Ctrl+K search, and Escape returns to the card', async () => {
    for (const key of ['/', 'Control+k']) {
      await page.keyboard.press(key)
      await bar().waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog', { name: 'Search and commands' }).waitFor({ state: 'detached' })
      await card().waitFor()
    }
    await page.keyboard.press('/')
    await bar().waitFor()
    await page.keyboard.type('kaya')
    await option(/Emma Kaya/).waitFor()
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'Book lesson' })
    await expect.poll(() => form.getByLabel('Student').first().inputValue()).toBe('Emma Kaya')
    await card().waitFor({ state: 'detached' })
  })

  it.each(['n', 'f'])('%s opens the form of a new lesson', async (key) => {
    await page.keyboard.press(key)
    await page.getByRole('dialog', { name: 'Book lesson' }).getByLabel('Student').first().waitFor()
  })
})
