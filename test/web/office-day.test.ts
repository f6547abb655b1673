import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { boxOf, useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
/** A Monday. The clock of the pages is on the day before. */
const DATE = '2032-11-22'

let school: School
let jonas: { id: string }
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  await school.instructor({ first_name: 'Mira', last_name: 'Seidel' })
  await school.student({ first_name: 'Emma', last_name: 'Kaya' })
  page = await open('/students', { as: school })
  await page.clock.setFixedTime('2032-11-21T09:15:00Z')
})

const form = (name: string) => page.getByRole('dialog', { name })
const told = (text: string | RegExp) => page.getByText(text).first().waitFor()
const press = async (...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

async function at(address: string): Promise<void> {
  await page.goto(new URL(address, page.url()).href)
  await page.getByRole('navigation').waitFor()
}

describe('a sick day in the instructor form', () => {
  beforeEach(async () => {
    const times = { start_at: `${DATE} 10:00`, end_at: `${DATE} 11:30` }
    await school.lesson({ instructor_id: jonas.id, title: 'Car wash', ...times })
    await at(`/instructors?instructor=${jonas.id}`)
    await form('Edit instructor').getByRole('button', { name: 'Add absence' }).click()
    await page.locator('[aria-label="First day"]:focus').waitFor()
  })

  const lastDay = () => page.getByRole('textbox', { name: 'Last day' })

  it('lasts one day despite partial dates while typing, and can be saved after a lesson is cancelled', async () => {
    await press('Control+a')
    // Typed as far as "22.1", the date is in January.
    await page.keyboard.type('22.11.')
    await press('Tab')
    await expect.poll(() => lastDay().inputValue()).toBe('22/11/2032')
    await press('Escape')
    await page.getByText('1 upcoming lesson would no longer fit').scrollIntoViewIfNeeded()
    await page.getByRole('button', { name: /^Cancel lesson: Mon.* Car wash/ }).click()
    await told(/^Cancelled: Car wash/)
    await form('Edit instructor').getByRole('button', { name: 'Save' }).click()
    await told('Saved: Jonas Brandt')
    const { body } = await school.client.get(`/instructors/${jonas.id}`)
    expect(body.vacations).toMatchObject([{ start_date: DATE, end_date: DATE }])
  })

  it('keeps its last day if the first day is earlier, and moves it to the first day otherwise', async () => {
    await page.keyboard.press('Tab')
    await press('Control+a')
    await page.keyboard.type('26.11.')
    await press('Tab', 'Shift+Tab', 'Shift+Tab', 'Control+a')
    await page.keyboard.type('23.11.')
    await press('Tab')
    await expect.poll(() => lastDay().inputValue()).toBe('26/11/2032')
    await press('Shift+Tab', 'Control+a')
    await page.keyboard.type('29.11.')
    await press('Tab')
    await expect.poll(() => lastDay().inputValue()).toBe('29/11/2032')
  })
})

describe('a lesson', () => {
  it('for a new student is booked with the keyboard alone after the enrolment', async () => {
    await at(`/?date=${DATE}`)
    await page.locator('.column-head').first().waitFor()
    await press('n')
    await page.locator('input:focus').waitFor()
    await page.keyboard.type('Zoe Neumann')
    await page.getByRole('button', { name: 'New student' }).click()
    await form('New student').getByRole('button', { name: 'Save' }).click()
    await form('New student').waitFor({ state: 'detached' })
    const student = form('Book lesson').getByRole('combobox', { name: 'Student' })
    await student.and(page.locator(':focus')).waitFor()
    await expect.poll(() => student.inputValue()).toBe('Zoe Neumann')
    await press('Enter')
    await form('Book lesson')
      .getByRole('combobox', { name: 'Instructor' })
      .and(page.locator(':focus'))
      .waitFor()
    await page.keyboard.type('mi')
    await page.getByRole('option', { name: 'Mira Seidel', selected: true }).waitFor()
    await press('Enter')
    await form('Book lesson').getByText('Possible', { exact: true }).waitFor()
    await press('Enter')
    await told(/^Booked: Zoe Neumann/)
  })

  it('being entered is not discarded by a link without confirmation', async () => {
    await at(`/?date=${DATE}`)
    await page.locator('.column-head').first().waitFor()
    await press('f')
    const notes = form('Book lesson').getByLabel('Notes')
    await notes.fill('Pick up at the station')
    await page.getByRole('link', { name: 'Students' }).click()
    await form('Discard what you have filled in?').waitFor()
    await press('Escape')
    await expect.poll(() => notes.inputValue()).toBe('Pick up at the station')
    await page.getByRole('link', { name: 'Students' }).click()
    await form('Discard what you have filled in?').getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('dialog').first().waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Students' }).click()
    await page.getByRole('heading', { name: 'Students' }).waitFor()
  })

  it('takes its date from the open day sheet', async () => {
    await at(`/day-sheet?day=${DATE}`)
    await press('/')
    await page.locator('[role=combobox]:focus').waitFor()
    await page.keyboard.type('kaya')
    await page.getByRole('option', { name: 'Emma Kaya', selected: true }).waitFor()
    await press('Enter')
    const day = form('Book lesson').getByLabel('Date')
    await expect.poll(() => day.inputValue()).toBe('22/11/2032')
  })
})

it('the search opens the day sheets and the settings', async () => {
  await at(`/?date=${DATE}`)
  await press('/')
  await page.locator('[role=combobox]:focus').waitFor()
  await page.keyboard.type('sheet')
  await page.getByRole('option', { name: 'Day sheets of all instructors', selected: true }).waitFor()
  await press('Enter')
  await page.waitForURL(`**/day-sheet?day=${DATE}`)
  await press('/')
  await page.locator('[role=combobox]:focus').waitFor()
  await page.keyboard.type('settings')
  await page.getByRole('option', { name: 'Settings', selected: true }).waitFor()
  await press('Enter')
  await page.waitForURL('**/settings')
})

describe('the message after saving a student', () => {
  it.each([
    [1440, 900],
    [1024, 768],
    [390, 844],
  ])(
    'covers neither a form nor the page, its last rows or the navigation at %i × %i pixels',
    async (width, height) => {
      await page.setViewportSize({ width, height })
      await at('/students?add=true')
      await form('New student').getByLabel('First name').fill('Zoe')
      await form('New student').getByLabel('Last name').fill('Neumann')
      await press('Enter')
      await form('Zoe Neumann').getByRole('button', { name: 'Edit' }).click()
      const told = page.getByRole('status').filter({ hasText: 'Saved: Zoe Neumann' })
      await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
      const [message, dialog, main] = [
        await boxOf(told),
        await boxOf(form('Edit student')),
        await boxOf(page.locator('main')),
      ]
      expect(dialog.y + dialog.height).toBeLessThanOrEqual(message.y)
      expect(main.y + main.height).toBeLessThanOrEqual(message.y)
      expect(message.y + message.height).toBeLessThanOrEqual(height)
      expect((await boxOf(told.locator('p'))).width).toBeGreaterThan(150)
      await told.getByRole('button', { name: 'Undo' }).hover()
      const colours = await page.evaluate(
        '(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.querySelector("[role=status] button:hover")))',
      )
      expect(colours).toEqual([
        'rgb(255, 255, 255)',
        expect.stringMatching(/^rgba\(255, 255, 255, 0\.\d+\)$/),
      ])
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.keyboard.press('Control+z')
      const undone = await boxOf(page.getByRole('status').filter({ hasText: /^Undone/ }))
      const { y } = await boxOf(page.getByRole('link', { name: 'Board', exact: true }))
      if (width < 700) expect(undone.y + undone.height).toBeLessThanOrEqual(y)
    },
  )
})

it('no page overflows a window of 720 × 450 pixels (200 % zoom), and each is named by its heading', async () => {
  await page.setViewportSize({ width: 720, height: 450 })
  const pages = [
    ['/', '.column-head', 'Board'],
    ['/students', 'main li', 'Students'],
    ['/instructors', 'main li', 'Instructors'],
    ['/inbox', 'main h1', 'Inbox'],
    ['/changes', 'main li', 'Changes'],
    ['/users', 'main li', 'Users'],
    ['/account', 'main button', 'My account'],
    ['/settings?chapter=webhooks', 'legend:has-text("Webhooks")', 'Settings'],
    [`/day-sheet?day=${DATE}`, 'main h1', 'Day sheet'],
  ] as const
  const sizes = '[document.documentElement.scrollWidth, document.documentElement.scrollHeight]'
  for (const [path, shown, title] of pages) {
    await at(path)
    await page.locator(shown).first().waitFor()
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
    await expect.poll(() => page.title()).toBe(`${title} – Fahrplan`)
    await expect.poll(async () => [path, await page.evaluate(sizes)]).toEqual([path, [720, 450]])
  }
})
