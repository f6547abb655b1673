import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { boxOf, dragWithMouse, logInAt, useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const ON_MONDAYS = {
  required_break_minutes: 0,
  availability_windows: [{ weekday: 1, start: '08:00', end: '14:00' }],
}

let school: School
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  const jonas = await school.instructor({
    first_name: 'Jonas',
    last_name: 'Brandt',
    license_classes: ['B'],
    ...ON_MONDAYS,
  })
  await school.instructor({ first_name: 'Mira', last_name: 'Seidel', license_classes: ['A'], ...ON_MONDAYS })
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
  page = await open(`/?date=${DATE}`, options)
  await logInAt(page, school)
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
