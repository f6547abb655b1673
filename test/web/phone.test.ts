import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { boxOf, fingerOn, useBrowser } from '../support/browser.ts'
import { checkTable } from '../support/check-each.ts'
import { anEnquiry } from '../support/enquiries.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

let school: School
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  const instructor = await school.instructor({ license_classes: ['B'] })
  await school.lesson({
    instructor_id: instructor.id,
    student_id: (await school.student()).id,
    start_at: `${DATE} 10:00`,
    end_at: `${DATE} 11:30`,
  })
  page = await open(`/?date=${DATE}`, { ...PHONE, as: school })
  await lesson().waitFor()
})

const LONG_NUMBER = '+49 152 55501990123'
const LONG_EMAIL = 'maximiliane.von-und-zu-wolfenbuettel@mailbox.fahrschule-nord.example'

/** Checks the sizes of controls and fields, and the width of the page. */
async function fits(): Promise<void> {
  await expect.poll(() => page.evaluate(TOO_SMALL)).toEqual([])
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390)
}

/** Waits until the calendar has noticed the long press. */
const taken = () => page.locator('.board-preview').waitFor()
const lesson = () => page.locator('[data-lesson]', { hasText: 'Lena Vogt' })

describe('a phone', () => {
  it('opens a lesson with a tap and closes it with the back button', async () => {
    await lesson().tap()
    await page
      .getByRole('dialog')
      .getByText(/^Mon,? 1 Mar(?: 2032)?, 10:00–11:30/)
      .waitFor()
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('books a lesson after a tap on a free time', async () => {
    const { x, y, height } = await boxOf(lesson())
    await page.touchscreen.tap(x + 30, y + height + 20)
    await page.getByRole('dialog').getByText('Possible', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Book', exact: true }).tap()
    await page.getByText(/^Booked: .*11:/).waitFor()
  })

  it('moves a lesson by a long press and drag, and shows the verdict during the drag', {
    tags: 'promise',
  }, async () => {
    const finger = await fingerOn(page)
    const { x, y } = await boxOf(lesson())
    await finger.press(x + 30, y + 20)
    await taken()
    await finger.move(x + 30, y + 52)
    await page.locator('[data-held]').waitFor()
    await finger.lift()
    await page.getByText(/^Moved: Lena Vogt.*10:30–12:00/).waitFor()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  it('lengthens a lesson by dragging its lower edge', async () => {
    const finger = await fingerOn(page)
    const { x, y, height } = await boxOf(lesson())
    await finger.press(x + 30, y + height - 4)
    await taken()
    await finger.move(x + 30, y + height + 26)
    await page.locator('[data-held]').waitFor()
    await finger.lift()
    await page.getByText(/^Duration changed: Lena Vogt.*10:00–12:00/).waitFor()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })
})

describe('the pages on a phone', () => {
  const pages = [
    ['the board', '/', '[data-lesson]'],
    ['students', '/students', 'main li'],
    ['the form of a student', '/students?add=true', '[role=dialog] textarea'],
    ['instructors', '/instructors', 'main li'],
    ['the form of an instructor', '/instructors?add=true', '[role=dialog] [data-weekday]'],
    ['settings', '/settings', 'main nav a'],
    ['settings of instructors', '/settings?chapter=instructors', '[data-weekday]'],
    ['changes', '/changes', 'main li'],
    ['enquiries', '/enquiries', 'main li'],
    ['the inbox', '/inbox', 'main li'],
  ] as const

  it('have controls at least 44 pixels high and fields that fit their text, and do not scroll sideways', async () => {
    await anEnquiry(service(), school, { phone: LONG_NUMBER, email: LONG_EMAIL, weekday: '2' })
    await checkTable(pages, async (_, path, shown) => {
      await page.goto(`${service().url}${path}${path === '/' ? `?date=${DATE}` : ''}`)
      await page.locator(shown).first().waitFor()
      await fits()
    })
  })

  it('show the first student below three lines of controls, with the rest in two menus', async () => {
    await school.student({ last_name: 'Kaya' })
    await page.goto(`${service().url}/students`)
    const first = page.locator('main li').first()
    await first.waitFor()
    expect((await boxOf(first)).y).toBeLessThan(300)
    await page.getByRole('button', { name: 'Filter', exact: true }).tap()
    await page.getByRole('button', { name: /^Without address/ }).tap()
    await page.getByRole('button', { name: 'Filter (1)' }).tap()
    await page.getByLabel('List', { exact: true }).selectOption('Former')
    await page.getByText('0 students').waitFor()
    await page.getByRole('button', { name: 'More', exact: true }).tap()
    await page.getByRole('link', { name: 'Training records' }).waitFor()
    await fits()
    await page.getByRole('button', { name: 'Export', exact: true }).tap()
    await page.getByRole('dialog').waitFor()
  })

  it('have controls at least 44 pixels high in the comparison of a student with a double', async () => {
    const self = await school.student({ last_name: 'Wolf', phone: LONG_NUMBER, email: LONG_EMAIL })
    await school.student({ last_name: 'Wolf', phone: '+49 30 5550199', notes: LONG_EMAIL.repeat(2) })
    await page.goto(`${service().url}/students?student=${self.id}`)
    await page.getByRole('dialog').getByRole('button', { name: 'Compare' }).tap()
    const form = page.getByRole('dialog', { name: /^Merge / })
    await form.getByRole('group', { name: 'Notes' }).waitFor()
    await form
      .getByText(/^The duplicate /)
      .first()
      .waitFor()
    await fits()
  })

  it('have controls at least 44 pixels high in the menus of the board', async () => {
    for (const [name, entry] of [
      ['Menu', 'Log out'],
      [/^Instructors/, 'None'],
    ] as const) {
      await page.getByRole('button', { name }).tap()
      await page.getByRole('button', { name: entry, exact: true }).waitFor()
      await expect.poll(() => page.evaluate(TOO_SMALL)).toEqual([])
      await page.keyboard.press('Escape')
    }
  })

  it('show the found time above the Book button while open requirements are listed', async () => {
    const templates = (await school.client.get('/license-class-templates')).body
    const { id: license_class_template_id } = templates.find(({ code }: { code: string }) => code === 'B')
    const student = await school.student({ last_name: 'Kaya', license_class_template_id })
    await page.goto(`${service().url}/students?student=${student.id}`)
    await page.getByRole('button', { name: 'Find a time' }).tap()
    const found = page.getByRole('dialog').locator('input[type=radio]:checked')
    await found.waitFor()
    await page.getByText('Still needed').waitFor()
    const { y } = await boxOf(page.getByRole('button', { name: 'Book', exact: true }))
    await expect.poll(async () => (await boxOf(found)).y).toBeLessThan(y - 20)
  })
})

/**
 * A script that finds elements lower than 44 pixels, and fields that a phone would zoom to or that are too narrow. It ignores
 * blocks in the calendar, whose height is their duration.
 */
const TOO_SMALL = `(() => {
  const isShown = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    element.closest('.board-body, [aria-hidden=true]') === null &&
    element.getBoundingClientRect().bottom > 0
  const all = (selector) => [...document.querySelectorAll(selector)].filter(isShown)
  const ink = document.createElement('canvas').getContext('2d')
  const widthOf = (field) => {
    ink.font = getComputedStyle(field).font
    return ink.measureText(field.value || field.placeholder || '').width
  }
  const roomIn = (field) => {
    const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(field)
    return field.clientWidth - Number.parseFloat(paddingInlineStart) - Number.parseFloat(paddingInlineEnd)
  }
  const targets = all('button, a[href], select, summary, [role=option], input')
  const fields = all('input:not([type=checkbox], [type=radio], [type=color]), select, textarea')
  return [
    ...targets.filter((one) => (one.closest('label') ?? one).getBoundingClientRect().height < 44),
    ...fields.filter((one) => Number.parseFloat(getComputedStyle(one).fontSize) < 16),
    ...fields.filter((one) => one.localName === 'input' && widthOf(one) > roomIn(one)),
  ].map((one) => one.outerHTML.slice(0, 160))
})()`

describe('a window of 720 × 450 pixels (200 % zoom)', () => {
  it('gives the board more than half of its height, and shows the verdict above the Book button', {}, async () => {
    page = await open(`/?date=${DATE}`, { viewport: { width: 720, height: 450 }, as: school })
    await lesson().waitFor()
    const { y: top, height: heads } = await boxOf(page.locator('.board-heads').first())
    expect(450 - (top + heads)).toBeGreaterThan(225)
    await page.keyboard.press('n')
    const verdict = page.getByRole('dialog').getByText('Possible', { exact: true })
    await verdict.waitFor()
    const { y } = await boxOf(page.getByRole('button', { name: 'Book', exact: true }))
    expect((await boxOf(verdict)).y).toBeLessThan(y)
  })
})
