import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, PASSWORD, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'
const MAX_TABS = 40

let school: School
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  const jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  await school.instructor({ first_name: 'Mira', last_name: 'Seidel' })
  const student = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  await school.student({ first_name: 'Emre', last_name: 'Kaya' })
  await school.lesson({
    instructor_id: jonas.id,
    student_id: student.id,
    start_at: `${DATE} 10:00`,
    end_at: `${DATE} 11:30`,
  })
  page = await open(`/?date=${DATE}`)
  await page.locator('input[name=email]:focus').waitFor()
  await type(school.user.email)
  await press('Tab')
  await type(PASSWORD)
  await press('Enter')
  await block('Lena Vogt').waitFor()
})

const press = (...keys: string[]) =>
  keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), none)
const type = (text: string) => page.keyboard.type(text)
const none = Promise.resolve()
const block = (text: string) => page.locator('[data-lesson]', { hasText: text })
const told = (text: RegExp) => page.getByText(text).first().waitFor()

/** Presses Tab until the element of that name has the focus, which must be visible. */
async function tabTo(name: string | RegExp): Promise<void> {
  for (let count = 0; count < MAX_TABS; count += 1) {
    await press('Tab')
    const label = await nameOfFocused()
    if (typeof name === 'string' ? label !== name : !name.test(label)) continue
    expect(await isFocusSeen(), `${name} shows its focus`).toBe(true)
    return
  }
  throw new Error(`the Tab key does not come to ${name}; it is at ${await nameOfFocused()}`)
}

/** A script that delays all timers, as on a busy page. */
const DELAY_TIMERS = `{
  const { setTimeout } = window
  window.setTimeout = (run, delay = 0) => setTimeout(run, delay + 1000)
}`

type Browser = {
  readonly document: {
    readonly activeElement: {
      readonly ariaLabel: string | null
      readonly innerText: string
      readonly labels?: readonly { readonly innerText: string }[]
      readonly matches: (selector: string) => boolean
    }
  }
  readonly getComputedStyle: (element: unknown) => { outlineStyle: string; boxShadow: string }
}

/** Returns the accessible name of the focused element. */
async function nameOfFocused(): Promise<string> {
  return page.evaluate(() => {
    const { ariaLabel, innerText, labels } = (globalThis as unknown as Browser).document.activeElement
    return (ariaLabel ?? labels?.[0]?.innerText ?? innerText).trim()
  })
}

/** Whether the focus is visible: as a ring, or in a text field as a caret and a coloured border. */
async function isFocusSeen(): Promise<boolean> {
  return page.evaluate(() => {
    const { document, getComputedStyle } = globalThis as unknown as Browser
    const { outlineStyle, boxShadow } = getComputedStyle(document.activeElement)
    const isText = document.activeElement.matches('input:not([type=checkbox]), textarea')
    return isText || outlineStyle !== 'none' || boxShadow !== 'none'
  })
}

describe('by keyboard alone', () => {
  it('a lesson can be booked, from the shortcut n to the last field', async () => {
    await press('n')
    await page.locator('input:focus').waitFor()
    await type('kaya')
    await page.getByRole('option', { name: 'Emre Kaya' }).waitFor()
    await press('ArrowDown', 'Enter')
    await tabTo('Instructor')
    await type('mira')
    await press('ArrowDown', 'Enter')
    await tabTo('Start')
    await type('1415')
    await tabTo('Notes')
    await type('first time')
    await page.getByText('Possible', { exact: true }).waitFor()
    await tabTo('Book')
    await press('Enter')
    await told(/^Booked: Emre Kaya.*14:15–15:45/)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('a dialog accepts input as soon as it opens and does not take the focus from another field', async () => {
    await page.evaluate(DELAY_TIMERS)
    await press('n')
    await page.getByRole('dialog').waitFor()
    await type('kaya')
    await page.getByRole('option', { name: 'Emre Kaya' }).waitFor()
    await press('Enter')
    await tabTo('Notes')
    await page.evaluate('new Promise((done) => setTimeout(done))')
    expect(await nameOfFocused()).toBe('Notes')
  })

  it('a lesson is moved to another instructor and extended, and Ctrl+Z undoes the extension', {
    tags: 'promise',
  }, async () => {
    await tabTo(/Lena Vogt/)
    await press('Alt+ArrowRight')
    await told(/^Moved: Lena Vogt/)
    await expect.poll(() => nameOfFocused()).toContain('Lena Vogt')
    await press('Alt+Shift+ArrowDown')
    await told(/^Duration changed: Lena Vogt.*10:00–11:45/)
    await press('Control+z')
    await told(/^Undone: Lena Vogt.*10:00–11:30/)
    await expect.poll(() => nameOfFocused()).toContain('Lena Vogt')
  })

  it('a lesson is previewed at another time while Alt is held, and Escape cancels the move', {}, async () => {
    await tabTo(/Lena Vogt/)
    await page.keyboard.down('Alt')
    await press('ArrowDown', 'ArrowDown')
    await page.locator('[data-held]', { hasText: '10:30–12:00' }).waitFor()
    await press('Escape')
    await page.keyboard.up('Alt')
    await block('10:00–11:30').waitFor()
    await expect.poll(() => page.locator('[data-held]').count()).toBe(0)
  })

  it('a lesson cannot be moved beyond the displayed week, and Escape cancels the move', async () => {
    await press('w')
    await tabTo(/Lena Vogt/)
    await page.keyboard.down('Alt')
    await press(...Array.from({ length: 9 }, () => 'ArrowRight'))
    await page.locator('[data-held]', { hasText: /Sun,? 7 Mar(?: 2032)?, 10:00–11:30/ }).waitFor()
    await press('Escape')
    await page.keyboard.up('Alt')
    await page.locator('[data-held]').waitFor({ state: 'detached' })
    await page.locator('[data-lesson]:focus').waitFor()
    await expect.poll(() => page.getByText(/^Moved/).count()).toBe(0)
  })

  it('a lesson card opens, returns the focus when closed, and deletes the lesson', async () => {
    await tabTo(/Lena Vogt/)
    await press('Enter')
    await page.getByRole('dialog').waitFor()
    await press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.locator('[data-lesson]:focus').waitFor()
    await press('Enter')
    await tabTo('Delete')
    await press('Enter')
    await told(/^Deleted: Lena Vogt/)
    await press('Control+z')
    await told(/^Undone: Lena Vogt/)
  })

  it('the board switches to other days and the week view, and hides columns', async () => {
    await press('ArrowRight')
    await page
      .getByText(/^Tuesday,? 2 March 2032/)
      .first()
      .waitFor()
    await press('ArrowLeft', 'w')
    await page
      .getByText(/^Week 10/)
      .first()
      .waitFor()
    await press('d')
    await page.locator('.column-head', { hasText: 'Mira' }).waitFor()
    await tabTo(/^Instructors 2/)
    await press('Enter')
    await page.getByRole('button', { name: 'Working that day' }).waitFor()
    await tabTo('Mira Seidel')
    await press('Space')
    await page.locator('.column-head', { hasText: 'Mira' }).waitFor({ state: 'detached' })
    await press('Escape')
    await expect.poll(() => nameOfFocused()).toMatch(/^Instructors 1/)
  })
})
