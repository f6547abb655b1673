import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { boxOf, dragWithMouse, useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
/** A Monday. */
const DATE = '2032-03-01'
const ON_MONDAYS = {
  required_break_minutes: 0,
  availability_windows: [{ weekday: 1, start: '08:00', end: '14:00' }],
}

let school: School
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
})

describe('on the board', () => {
  let jonas: { id: string }
  let mira: { id: string }
  let lena: { id: string }
  let lesson: { id: string }
  let dialog: Locator

  beforeEach(async () => {
    jonas = await school.instructor({
      first_name: 'Jonas',
      last_name: 'Brandt',
      ...ON_MONDAYS,
    })
    mira = await school.instructor({ first_name: 'Mira', last_name: 'Seidel', ...ON_MONDAYS })
    await school.student({ first_name: 'Emre', last_name: 'Kaya', preferred_instructor_id: mira.id })
    lena = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
    lesson = await school.lesson({
      instructor_id: mira.id,
      student_id: lena.id,
      start_at: `${DATE} 08:00`,
      end_at: `${DATE} 09:30`,
    })
    page = await open(`/?date=${DATE}`, { as: school })
    dialog = page.getByRole('dialog')
    await block('Lena Vogt').waitFor()
  })

  const block = (text: string | RegExp) => page.locator('[data-lesson]', { hasText: text })
  const told = (text: RegExp) => page.getByText(text).first().waitFor()
  const times = () => dialog.getByRole('radio')
  const chosen = (name: RegExp) => dialog.getByRole('radio', { name, checked: true }).waitFor()

  /** Returns the found slots on the board. */
  const ghosts = () => page.locator('.board-event.slot')

  async function findFor(letters: string, name: string): Promise<void> {
    await page.keyboard.press('f')
    await dialog.getByLabel('Student').first().pressSequentially(letters)
    await page.locator('[role=option][data-combobox-selected]', { hasText: name }).waitFor()
    await page.keyboard.press('Enter')
  }

  describe('the search for a time', () => {
    it('books the next free time with three letters and Enter pressed twice', async () => {
      await findFor('kay', 'Emre Kaya')
      await page.keyboard.press('Enter')
      await told(/^Booked: Emre Kaya, Mon,? 1 Mar(?: 2032)?, 09:30–11:00/)
      await block(/Emre Kaya/).waitFor()
    })

    it('scrolls to the proposed time in a low window, and keeps the focus', async () => {
      await page.setViewportSize({ width: 1280, height: 600 })
      await findFor('kay', 'Emre Kaya')
      await chosen(/Mira Seidel/)
      const { y } = await boxOf(dialog.getByRole('button', { name: 'Book', exact: true }))
      const bottom = async () => {
        const row = await boxOf(dialog.locator('label:has([type=radio]:checked)'))
        return row.y + row.height
      }
      await expect.poll(bottom).toBeLessThan(y)
      await dialog.getByLabel('Student').first().and(page.locator(':focus')).waitFor()
    })

    it('keeps the list of students in place when the times arrive while somebody types', async () => {
      await page.setViewportSize({ width: 1280, height: 600 })
      const held = Promise.withResolvers<void>()
      await page.route('**/slots*', (route) => held.promise.then(() => route.continue()))
      await page.keyboard.press('f')
      await dialog.getByLabel('Student').first().pressSequentially('kay')
      const option = page.locator('[role=option][data-combobox-selected]', { hasText: 'Emre Kaya' })
      await option.waitFor()
      held.resolve()
      await times().first().waitFor()
      await option.click()
      await chosen(/Mira Seidel/)
    })

    it('disables booking and selects no time without a student', async () => {
      await page.keyboard.press('f')
      await times().first().waitFor()
      await expect
        .poll(() => dialog.getByRole('button', { name: 'Book', exact: true }).isDisabled())
        .toBe(true)
      await expect.poll(() => dialog.getByRole('radio', { checked: true }).count()).toBe(0)
    })

    it('lists the preferred instructor first, selects with the arrow keys, and books with Enter', {
      tags: 'promise',
    }, async () => {
      await findFor('kay', 'Emre Kaya')
      await chosen(/^Mon,? 1 Mar(?: 2032)?, 09:30–11:00 Mira Seidel/)
      await expect.poll(() => times().count()).toBe(8)
      await dialog.getByRole('radio', { checked: true }).focus()
      await page.keyboard.press('ArrowDown')
      await chosen(/^Mon,? 1 Mar(?: 2032)?, 11:00–12:30 Mira Seidel/)
      await dialog.getByText('Possible', { exact: true }).waitFor()
      await page.keyboard.press('Enter')
      await told(/^Booked: Emre Kaya, Mon,? 1 Mar(?: 2032)?, 11:00–12:30/)
    })

    it('filters by weekday, time of day and instructor, sorts, and selects the first result', {}, async () => {
      await findFor('kay', 'Emre Kaya')
      await chosen(/Mira Seidel/)
      await dialog.getByLabel('Order').selectOption('Soonest')
      await chosen(/^Mon,? 1 Mar(?: 2032)?, 08:00–09:30 Jonas Brandt/)
      await dialog.getByRole('button', { name: '12:00 to 17:00' }).click()
      await chosen(/^Mon,? 1 Mar(?: 2032)?, 12:00–13:30 Mira Seidel/)
      const filter = dialog.getByRole('region', { name: 'Find a time' })
      await filter.getByLabel('Instructor').fill('jonas')
      await page.keyboard.press('Enter')
      await chosen(/^Mon,? 1 Mar(?: 2032)?, 12:00–13:30 Jonas Brandt/)
      await filter.getByRole('button', { name: 'Tuesday' }).click()
      await dialog.getByText('No suitable time is free in the next four weeks.').waitFor()
      await filter.getByRole('button', { name: 'Tuesday' }).click()
      await chosen(/Jonas Brandt/)
    })

    it('shows its results on the board, where a click selects one, and loads more on request', {}, async () => {
      await findFor('kay', 'Emre Kaya')
      await chosen(/09:30–11:00 Mira Seidel/)
      await ghosts().nth(2).waitFor()
      const listed = await times().count()
      await dialog.getByRole('button', { name: 'More times' }).click()
      await times().nth(listed).waitFor()
      await ghosts().filter({ hasText: '12:30–14:00' }).click()
      await chosen(/^Mon,? 1 Mar(?: 2032)?, 12:30–14:00 Mira Seidel/)
      await page.keyboard.press('Enter')
      await told(/^Booked: Emre Kaya, Mon,? 1 Mar(?: 2032)?, 12:30–14:00/)
      await expect.poll(() => ghosts().count()).toBe(0)
    })

    it('replaces a time that another clerk has booked with the next one', async () => {
      await findFor('kay', 'Emre Kaya')
      await chosen(/09:30–11:00 Mira Seidel/)
      await school.lesson({ instructor_id: mira.id, start_at: `${DATE} 09:30`, end_at: `${DATE} 10:00` })
      await chosen(/^Mon,? 1 Mar(?: 2032)?, 10:00–11:30 Mira Seidel/)
    })

    it('does not override a possible time that was entered by hand', async () => {
      await page.keyboard.press('n')
      await dialog.getByLabel('Student').first().fill('kay')
      await page.getByRole('option', { name: 'Emre Kaya' }).click()
      await dialog.getByRole('combobox', { name: 'Instructor' }).fill('jonas')
      await page.getByRole('option', { name: 'Jonas Brandt' }).click()
      await dialog.getByText('Possible', { exact: true }).waitFor()
      await dialog.getByRole('button', { name: 'Find a time' }).click()
      await chosen(/^Mon,? 1 Mar(?: 2032)?, 08:00–09:30 Jonas Brandt/)
      await dialog.getByLabel('Start').first().click()
      await page.keyboard.type('0815')
      await dialog.getByText('Possible', { exact: true }).waitFor()
      await expect.poll(() => dialog.getByRole('radio', { checked: true }).count()).toBe(0)
    })
  })

  describe('finding a time', () => {
    it('moves a lesson after a rejected drop to the next free time of the new instructor', {}, async () => {
      const { x, y } = await boxOf(block('Lena Vogt'))
      const head = await boxOf(page.locator('.column-head', { hasText: 'Jonas' }))
      await school.lesson({ instructor_id: jonas.id, start_at: `${DATE} 08:00`, end_at: `${DATE} 09:00` })
      await block('08:00–09:00').waitFor()
      const { drop } = await dragWithMouse(page, { x: x + 40, y: y + 10 }, { x: head.x + 60, y: y + 10 })
      await told(/^Jonas Brandt already has an appointment/)
      await drop()
      await told(/^Not moved: Jonas Brandt already has an appointment 08:00–09:00/)
      await page.getByRole('alert').getByRole('button', { name: 'Find a time' }).click()
      await chosen(/^Mon,? 1 Mar(?: 2032)?, 09:00–10:30 Jonas Brandt/)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await told(/^Saved: Lena Vogt, Mon,? 1 Mar(?: 2032)?, 09:00–10:30/)
      expect((await school.client.get(`/appointments/${lesson.id}`)).body).toMatchObject({
        instructor_id: jonas.id,
        start_at: `${DATE} 09:00`,
      })
    })

    it('does not treat the moved lesson as a conflict with itself', async () => {
      await block('Lena Vogt').click()
      await dialog.getByRole('button', { name: 'Find another time' }).click()
      await chosen(/^Mon,? 1 Mar(?: 2032)?, 08:00–09:30 Mira Seidel/)
      await dialog.getByText('12:30–14:00').first().click()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await told(/^Saved: Lena Vogt, Mon,? 1 Mar(?: 2032)?, 12:30–14:00/)
    })

    it('books a replacement for a cancelled lesson, which stays cancelled', async () => {
      await school.client.patch(`/appointments/${lesson.id}`, { status: 'cancelled' })
      await page.locator('.lesson-cancelled').click()
      await page.getByRole('button', { name: 'Open', exact: true }).click()
      await dialog.getByRole('button', { name: 'Find a time' }).click()
      await chosen(/^Mon,? 1 Mar(?: 2032)?, 08:00–09:30 Mira Seidel/)
      await dialog.getByRole('button', { name: 'Book', exact: true }).click()
      await told(/^Booked: Lena Vogt, Mon,? 1 Mar(?: 2032)?, 08:00–09:30/)
      expect((await school.client.get(`/appointments/${lesson.id}`)).body.status).toBe('cancelled')
    })

    it('books a lesson from the card of a student', async () => {
      await page.goto(`${service().url}/students?student=${lena.id}`)
      await dialog.getByRole('button', { name: 'Find a time' }).click()
      await dialog.getByRole('radio', { checked: true }).waitFor()
      await dialog.getByRole('button', { name: 'Book', exact: true }).click()
      await told(/^Booked: Lena Vogt, Mon/)
    })
  })
})

describe('beside the board', () => {
  const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

  beforeEach(async () => {
    const jonas = await school.instructor({
      first_name: 'Jonas',
      last_name: 'Brandt',
      license_classes: ['B'],
      ...ON_MONDAYS,
    })
    await school.instructor({
      first_name: 'Mira',
      last_name: 'Seidel',
      license_classes: ['A'],
      ...ON_MONDAYS,
    })
    const templates = (await school.client.get('/license-class-templates')).body
    const b = templates.find(({ code }: { code: string }) => code === 'B')
    const lena = await school.student({
      first_name: 'Lena',
      last_name: 'Vogt',
      license_class_template_id: b.id,
    })
    await school.lesson({
      instructor_id: jonas.id,
      student_id: lena.id,
      start_at: `${DATE} 10:00`,
      end_at: `${DATE} 11:30`,
    })
  })

  async function board(options: BrowserContextOptions = {}): Promise<void> {
    page = await open(`/?date=${DATE}`, { ...options, as: school })
    await block().waitFor()
  }

  const block = () => page.locator('[data-lesson]', { hasText: 'Lena Vogt' })
  const dialog = () => page.getByRole('dialog')

  /** Returns the painted zones of the columns, as `from–to` in percent of the visible hours. */
  async function dropZones(): Promise<readonly string[]> {
    const paints = await page
      .locator('.board-day')
      .evaluateAll((days: readonly { style: { getPropertyValue: (name: string) => string } }[]) =>
        days.map(({ style }) => style.getPropertyValue('--drop-zones')),
      )
    return paints.map((paint) =>
      Array.from(
        paint.matchAll(/--landing\) ([\d.]+)% ([\d.]+)%/g),
        ([, from, to]) => `${Number(from)}–${Number(to)}`,
      ).join(' '),
    )
  }

  describe('moving a lesson', () => {
    it('highlights the possible drop zones until the drop', async () => {
      await board()
      const { x, y } = await boxOf(block())
      const from = { x: x + 40, y: y + 10 }
      const { drop } = await dragWithMouse(page, from, { x: from.x, y: from.y + 60 })
      // From 8:00 to 14:00, if the board shows 8:00 to 18:00.
      await expect.poll(dropZones).toEqual(['0–60', '0–60'])
      await drop()
      await expect.poll(dropZones).toEqual(['', ''])
    })

    it('shows no drop zones while only the duration changes', async () => {
      await board()
      const { x, y, height } = await boxOf(block())
      const edge = { x: x + 40, y: y + height - 3 }
      const { drop } = await dragWithMouse(page, edge, { x: edge.x, y: edge.y + 60 })
      await page.locator('[data-held]').waitFor()
      await expect.poll(() => dropZones()).toEqual(['', ''])
      await drop()
    })

    it('warns that the instructor does not teach the class', async () => {
      await board()
      await block().focus()
      await page.keyboard.down('Alt')
      await page.keyboard.press('ArrowRight')
      await page.locator('[data-held]').getByText('Mira Seidel does not teach class B.').waitFor()
      await expect.poll(dropZones).toEqual(['0–60', '0–60'])
      await page.keyboard.press('Escape')
      await page.keyboard.up('Alt')
    })
  })

  it('Escape on the board closes the search beside it', async () => {
    await board()
    await page.keyboard.press('f')
    await dialog().waitFor()
    await block().focus()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
  })

  it('Escape in an open menu closes only the menu', async () => {
    await board()
    await page.keyboard.press('f')
    await dialog().waitFor()
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Settings' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Settings' }).waitFor({ state: 'detached' })
    await expect.poll(() => dialog().count()).toBe(1)
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
  })

  describe('on a phone', () => {
    it('a rejected booking is stored at an alternative time with two taps', async () => {
      await board(PHONE)
      const { x, y, height } = await boxOf(block())
      await page.touchscreen.tap(x + 30, y + height + 20)
      await dialog().getByText('Possible', { exact: true }).waitFor()
      await dialog().getByLabel('Duration').fill('150')
      await dialog().getByText('Not possible').waitFor()
      await dialog()
        .getByRole('button', { name: /11:30–14:00/ })
        .tap()
      await dialog().getByRole('button', { name: 'Book', exact: true }).tap()
      await page.getByText(/^Booked: .*11:30–14:00/).waitFor()
    })

    it('a time is found and booked without horizontal scrolling', async () => {
      await board(PHONE)
      await page.getByTitle('(n)').tap()
      await dialog().getByRole('button', { name: 'Find a time' }).tap()
      await dialog().getByLabel('Student').first().fill('vogt')
      await page.getByRole('option', { name: 'Lena Vogt' }).tap()
      await dialog()
        .getByRole('radio', { name: /11:30–13:00 Jonas Brandt/, checked: true })
        .waitFor()
      await dialog()
        .getByRole('radio', { name: /^Mon,? 8 Mar(?: 2032)?, 08:00–09:30 Jonas Brandt/ })
        .tap()
      const wide = await dialog().evaluate(
        ({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }) =>
          scrollWidth - clientWidth,
      )
      expect(wide).toBe(0)
      await dialog().getByRole('button', { name: 'Book', exact: true }).tap()
      await page.getByText(/^Booked: Lena Vogt, Mon,? 8 Mar(?: 2032)?, 08:00–09:30/).waitFor()
    })
  })

  describe('in German', () => {
    it('a time is found and booked, and warnings are shown', async () => {
      await board({ locale: 'de-DE' })
      await page.keyboard.press('f')
      await dialog().getByLabel('Fahrschüler').first().fill('vogt')
      await page.getByRole('option', { name: 'Lena Vogt' }).click()
      await dialog()
        .getByRole('radio', { name: /^Mo\.?, 1\. März(?: 2032)?, 11:30–13:00 Jonas Brandt/, checked: true })
        .waitFor()
      const finder = dialog().getByRole('region', { name: 'Termin finden' })
      await finder.getByLabel('Fahrlehrer').fill('seidel')
      await page.keyboard.press('Enter')
      await finder.getByText('Mira Seidel unterrichtet die Klasse B nicht.').first().waitFor()
      await dialog().getByText('Möglich', { exact: true }).waitFor()
      await page.keyboard.press('Enter')
      await page.getByText(/^Gebucht: Lena Vogt.*08:00–09:30/).waitFor()
    })
  })
})
