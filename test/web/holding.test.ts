import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { boxOf, dragWithMouse, useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'

let school: School
let jonas: { id: string }
let mira: { id: string }
let lesson: { id: string }
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  mira = await school.instructor({ first_name: 'Mira', last_name: 'Seidel' })
  const { id: student_id } = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  const times = { start_at: `${DATE} 10:00`, end_at: `${DATE} 11:30` }
  lesson = await school.lesson({ instructor_id: jonas.id, student_id, ...times })
  page = await open(`/?date=${DATE}`, { as: school })
  await blockOf().waitFor()
})

const blockOf = (text = 'Lena Vogt') => page.locator('[data-lesson]', { hasText: text })
const pill = () => page.locator('[data-held]')
const preview = () => page.locator('.board-preview')
const stored = async () => (await school.client.get(`/appointments/${lesson.id}`)).body
const scrolled = () => page.locator('.board-main').evaluate(({ scrollTop }) => scrollTop)

/** Takes the lesson with the mouse and holds it `quarters` quarter hours further down. */
async function hold(quarters: number) {
  const { x, y, height } = await boxOf(blockOf())
  const from = { x: x + 40, y: y + 10 }
  const to = { x: from.x, y: from.y + (quarters * height) / 6 }
  const { drop } = await dragWithMouse(page, from, to)
  await pill().waitFor()
  return { to, drop }
}

/** Draws an hour in Mira's column. */
async function draw(): Promise<void> {
  const { y, height } = await boxOf(blockOf())
  const { x, width } = await boxOf(page.locator('.column-head', { hasText: 'Mira' }))
  const from = { x: x + width / 2, y: y + 4 }
  const { drop } = await dragWithMouse(page, from, { x: from.x, y: from.y + (3 * height) / 6 })
  await drop()
  await page.getByRole('dialog').getByLabel('Notes').waitFor()
}

describe('a held lesson', () => {
  it('goes back if the button was released where no event tells', async () => {
    const { drop } = await hold(2)
    await page.evaluate(`window.dispatchEvent(
      new PointerEvent('pointermove', { pointerId: 1, isPrimary: true, pointerType: 'mouse', buttons: 0 }))`)
    await pill().waitFor({ state: 'detached' })
    await preview().waitFor({ state: 'detached' })
    await drop()
    expect(await stored()).toMatchObject({ start_at: `${DATE} 10:00` })
  })

  it('goes to the day that a key shows meanwhile', async () => {
    const { to, drop } = await hold(2)
    await page.keyboard.press('ArrowRight')
    await page.locator('.board-head').first().waitFor()
    await blockOf('10:00–11:30').waitFor({ state: 'detached' })
    await page.mouse.move(to.x + 2, to.y)
    await expect.poll(() => preview().innerText()).toContain('10:30–12:00')
    await drop()
    await expect.poll(stored).toMatchObject({ start_at: '2032-03-02 10:30', instructor_id: jonas.id })
  })

  it('does not overwrite what a colleague has changed meanwhile', async () => {
    const { drop } = await hold(2)
    const change = { instructor_id: mira.id, start_at: `${DATE} 14:00`, end_at: `${DATE} 15:30` }
    await school.client.patch(`/appointments/${lesson.id}`, change)
    await blockOf('14:00–15:30').waitFor()
    await drop()
    await page.getByText(/^Not saved: /).waitFor()
    expect(await stored()).toMatchObject(change)
  })

  it('is called off when another page is shown', async () => {
    await page.getByRole('link', { name: 'Instructors' }).click()
    await page.getByRole('link', { name: 'Board' }).click()
    await blockOf().waitFor()
    const { drop } = await hold(2)
    await page.goBack()
    await blockOf().waitFor({ state: 'detached' })
    await page.goForward()
    await blockOf().waitFor()
    await expect.poll(() => pill().count()).toBe(0)
    await drop()
    expect(await stored()).toMatchObject({ start_at: `${DATE} 10:00` })
  })

  it('is shown where it would go, even with the pointer above the board', async () => {
    const { to, drop } = await hold(2)
    await page.mouse.move(to.x, 2, { steps: 4 })
    const start = (await preview().innerText()).slice(0, 5)
    await drop()
    await expect.poll(stored).toMatchObject({ start_at: `${DATE} ${start}` })
  })

  it('stays in the window while it is moved by keys', async () => {
    await page.setViewportSize({ width: 1280, height: 500 })
    await blockOf().focus()
    await page.keyboard.down('Alt')
    for (let step = 0; step < 24; step += 1) await page.keyboard.press('ArrowDown')
    await blockOf('16:00–17:30').waitFor()
    const { y, height } = await boxOf(blockOf())
    expect(y + height).toBeLessThanOrEqual(500)
    await page.keyboard.press('Escape')
    await page.keyboard.up('Alt')
  })
})

describe('a drawn time', () => {
  it('stays visible while the form is filled in', async () => {
    await draw()
    await page.getByRole('dialog').getByLabel('Notes').click()
    await page.keyboard.type('Bahnhof')
    await expect.poll(() => preview().count()).toBe(1)
  })

  it('is called off by Escape, which leaves the search open', async () => {
    await page.getByRole('button', { name: 'Book lesson' }).click()
    const form = page.getByRole('dialog')
    await form.getByRole('button', { name: 'Find a time' }).click()
    const { x, y, height } = await boxOf(blockOf())
    const from = { x: x + 20, y: y + height + 20 }
    const draw = () => dragWithMouse(page, from, { x: from.x, y: from.y + height / 2 })
    await (await draw()).drop()
    // Over the time that has just been drawn.
    const { drop } = await draw()
    await preview().waitFor()
    await page.keyboard.press('Escape')
    await preview().waitFor({ state: 'detached' })
    await drop()
    await expect.poll(() => form.count()).toBe(1)
  })
})

describe('the board', () => {
  beforeEach(() => page.setViewportSize({ width: 1280, height: 500 }))

  it('does not scroll when a column is added', async () => {
    await page.locator('.board-main').evaluate((main) => main.scrollTo(0, 40))
    await school.instructor({ first_name: 'Zoe', last_name: 'Neu' })
    await page.locator('.column-head', { hasText: 'Zoe' }).waitFor()
    await expect.poll(scrolled).toBe(40)
  })

  it('keeps its times in place when earlier hours are added', async () => {
    const before = await boxOf(blockOf())
    const early = { start_at: `${DATE} 03:00`, end_at: `${DATE} 03:45` }
    await school.lesson({ instructor_id: mira.id, title: 'Nachtfahrt', ...early })
    await blockOf('Nachtfahrt').waitFor({ state: 'attached' })
    await expect.poll(async () => Math.round((await boxOf(blockOf())).y)).toBe(Math.round(before.y))
  })
})
