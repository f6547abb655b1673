import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { daysLater } from '../../src/domain/local-time.ts'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
/** The day on the clock of the pages. */
const TODAY = '2032-03-01'

let school: School
let emma: { id: string }
let lesson: { id: string }
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  const jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt', phone: '+49 30 5550111' })
  const mira = await school.instructor({ first_name: 'Mira', last_name: 'Seidel' })
  emma = await school.student({ first_name: 'Emma', last_name: 'Kaya', phone: '+49 30 5550177' })
  await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  const of = { student_id: emma.id }
  const on = (date: string) => ({ start_at: `${date} 10:00`, end_at: `${date} 11:30` })
  lesson = await school.lesson({ ...of, ...on(TODAY), instructor_id: jonas.id })
  await school.lesson({ ...of, ...on(daysLater(TODAY, 2)), instructor_id: mira.id })
})

const press = (...keys: string[]) =>
  keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve())
const bar = () => page.getByRole('dialog', { name: 'Search and commands' })
const chosen = () => page.getByRole('option', { selected: true })
const told = (text: string | RegExp) => page.getByText(text).first().waitFor()

async function at(address: string, options: Parameters<typeof open>[1] = {}): Promise<void> {
  page = await open('/icon.svg', { ...options, as: school })
  await page.clock.setFixedTime(`${TODAY}T08:30:00Z`)
  await page.goto(`${service().url}${address}`)
  await page.getByRole('navigation').waitFor()
}

/** Opens the bar by its key and types. */
async function search(text: string): Promise<void> {
  await press('/')
  await page.locator('[role=combobox]:focus').waitFor()
  await page.keyboard.type(text)
}

describe('the command bar', () => {
  it("shows today's and the next lesson of a student after five keystrokes", async () => {
    await at('/')
    await search('kaya')
    await chosen().getByText('Emma Kaya').waitFor()
    await chosen()
      .getByText(/^(Today|Now) 10:00–11:30 with Jonas Brandt$/)
      .waitFor()
    await chosen()
      .getByText(/^Next .*10:00–11:30 with Mira Seidel$/)
      .waitFor()
    await chosen().getByText('+49 30 5550177').waitFor()
  })

  it('books a lesson for the selected student with Enter, and undoes it', { tags: 'promise' }, async () => {
    await at('/students')
    await search('kaya')
    await chosen().getByText('Emma Kaya').waitFor()
    await press('Enter')
    const form = page.getByRole('dialog', { name: 'Book lesson' })
    await form.getByLabel('Student').first().waitFor()
    await expect.poll(() => form.getByLabel('Student').first().inputValue()).toBe('Emma Kaya')
    await form.getByLabel('Instructor').first().click()
    await page.getByRole('option', { name: 'Mira Seidel' }).click()
    await form.getByRole('button', { name: 'Book', exact: true }).click()
    await told(/^Booked: Emma Kaya/)
    await press('Control+k')
    await page.locator('[role=combobox]:focus').waitFor()
    await page.keyboard.type('undo')
    await chosen()
      .getByText(/^Undo: booked Emma Kaya/)
      .waitFor()
    await press('Enter')
    await told(/^Undone: Emma Kaya/)
  })

  it('offers further actions by Tab, such as the student card and a call', async () => {
    await at('/')
    await search('5550177')
    await chosen().getByText('Emma Kaya').waitFor()
    await press('Tab', 'Tab', 'Tab')
    await page.getByRole('button', { name: 'Open card' }).and(page.locator(':focus')).waitFor()
    await page.getByRole('button', { name: 'Call: +49 30 5550177' }).waitFor()
    await press('Enter')
    await page.getByRole('dialog', { name: 'Emma Kaya' }).waitFor()
    expect(page.url()).toContain(`student=${emma.id}`)
  })

  it('opens a day entered as a date or by name', async () => {
    await at('/')
    await search('8.3.2032')
    await press('Enter')
    await told(/^Monday,? 8 March 2032/)
    await search('tomorrow')
    await press('Enter')
    await page.waitForURL((url) => url.searchParams.get('date') === daysLater(TODAY, 1))
  })

  it("shows an instructor's lesson today and opens their week", async () => {
    await at('/')
    await search('brandt')
    await chosen()
      .getByText(/10:00–11:30 with Emma Kaya/)
      .waitFor()
    await press('Enter')
    await page.waitForURL(/view=week/)
    await page.locator(`[data-lesson="${lesson.id}"]`).waitFor()
  })

  it('runs commands to open a page, change the language or appearance, and log out', {}, async () => {
    await at('/')
    await search('changes')
    await press('Enter')
    await page.getByRole('heading', { name: 'Changes' }).waitFor()
    await search('deutsch')
    await press('Enter')
    await page.getByRole('link', { name: 'Änderungen' }).waitFor()
    await search('dunkel')
    await press('Enter')
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
    await search('abmelden')
    await press('Enter')
    await page.locator('input[name=password]').waitFor()
  })

  it('runs the typed command even if Enter follows the last letter immediately', async () => {
    await at('/')
    await search('')
    await page.getByRole('option', { name: 'Book lesson', selected: true }).waitFor()
    // Enter follows the last letter before anything is drawn.
    await page
      .getByRole('dialog')
      .getByRole('combobox')
      .evaluate((input) => {
        input.ownerDocument.execCommand('insertText', false, 'settings')
        input.dispatchEvent(Object.assign(new Event('keydown', { bubbles: true }), { key: 'Enter' }))
      })
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
  })

  it('shows an empty result, wraps around its list, and returns the focus when closed', async () => {
    await at(`/?date=${TODAY}`)
    const block = page.locator(`[data-lesson="${lesson.id}"]`)
    await block.focus()
    await search('xyzxyz')
    await bar().getByText('Nothing found.').waitFor()
    await press('Enter')
    await page.getByRole('dialog').getByRole('combobox').fill('')
    await page.getByRole('option', { name: 'Book lesson', selected: true }).waitFor()
    await press('ArrowUp')
    await page.getByRole('option', { name: 'Log out', selected: true }).waitFor()
    await press('Escape')
    await bar().waitFor({ state: 'detached' })
    await page.locator(`[data-lesson="${lesson.id}"]:focus`).waitFor()
  })

  it('opens from a button on a phone', async () => {
    await at('/', { viewport: { width: 390, height: 844 }, hasTouch: true })
    await page.getByRole('button', { name: 'Search' }).tap()
    await page.getByRole('dialog').getByRole('combobox').fill('vogt')
    await page.getByRole('option', { name: 'Lena Vogt' }).tap()
    await bar().getByRole('button', { name: 'Find a time' }).tap()
    const form = page.getByRole('dialog', { name: 'Book lesson' })
    await form.getByLabel('Student').first().waitFor()
    await expect.poll(() => form.getByLabel('Student').first().inputValue()).toBe('Lena Vogt')
  })
})

describe('the keyboard shortcuts', () => {
  it('are listed when ? is pressed', async () => {
    await at('/')
    await press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.getByText('redo the last undone step').waitFor()
    await expect
      .poll(() => help.locator('dt', { hasText: 'Shift' }).last().innerText())
      .toMatch(/^Ctrl\s*Shift\s*Z,\s*Ctrl\s*Y$/)
  })
})
