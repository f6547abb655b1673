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
  const student = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  lesson = await school.lesson({
    instructor_id: jonas.id,
    student_id: student.id,
    start_at: `${DATE} 10:00`,
    end_at: `${DATE} 11:30`,
  })
  page = await open(`/?date=${DATE}`, { as: school })
  await blockOf().waitFor()
})

const blockOf = (text: string | RegExp = 'Lena Vogt') => page.locator('[data-lesson]', { hasText: text })
const told = (text: RegExp) => page.getByText(text).first().waitFor()
const stored = async () => (await school.client.get(`/appointments/${lesson.id}`)).body

/** Returns the middle of a column, at the height `y`. */
async function inColumnOf(name: string, y: number) {
  const head = await boxOf(page.locator('.column-head', { hasText: name }))
  return { x: head.x + head.width / 2, y }
}

/** Drags the lesson into a column, `quarters` quarter hours further down. */
async function moveTo(name: string, quarters: number): Promise<void> {
  const block = await boxOf(blockOf())
  const quarter = block.height / 6
  const from = { x: block.x + 40, y: block.y + 10 }
  const { drop } = await dragWithMouse(page, from, await inColumnOf(name, from.y + quarters * quarter))
  await page.locator('[data-held]').waitFor()
  await drop()
}

/** Holds every change until the returned function is called. */
async function heldAnswers(): Promise<() => void> {
  const held = Promise.withResolvers<void>()
  await page.context().route('**/api/v1/appointments/*', async (route) => {
    if (route.request().method() === 'PATCH') await held.promise
    await route.continue()
  })
  return held.resolve
}

describe('dragging', () => {
  it('books a lesson at the time drawn over an empty column', async () => {
    const block = await boxOf(blockOf())
    const quarter = block.height / 6
    const top = block.y + block.height + 2 * quarter + 4
    const from = await inColumnOf('Mira', top)
    const { drop } = await dragWithMouse(page, from, { x: from.x, y: top + 4 * quarter - 8 })
    await drop()
    const dialog = page.getByRole('dialog')
    await expect
      .poll(() => dialog.getByRole('combobox', { name: 'Instructor' }).inputValue())
      .toBe('Mira Seidel')
    await dialog.getByText('Possible', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Book', exact: true }).click()
    await told(/^Booked: .*12:00–13:00/)
    await blockOf('12:00–13:00').waitFor()
  })

  it('draws a time in one column only', async () => {
    await page.goto(`${service().url}/?date=${DATE}&view=week&instructor=${jonas.id}`)
    const block = await boxOf(blockOf())
    const from = { x: block.x + 40, y: block.y + block.height + 20 }
    const { drop } = await dragWithMouse(page, from, { x: from.x + 2 * block.width, y: from.y + 40 })
    await expect.poll(() => page.locator('.board-preview').count()).toBe(1)
    await drop()
    const dialog = page.getByRole('dialog')
    await expect.poll(() => dialog.getByLabel('Date').first().inputValue()).toMatch(/1/)
    await expect.poll(async () => (await boxOf(page.locator('.board-preview'))).x).toBeLessThan(from.x)
  })

  it('removes the drawn preview when the form is closed', async () => {
    const block = await boxOf(blockOf())
    const from = await inColumnOf('Mira', block.y)
    const { drop } = await dragWithMouse(page, from, { x: from.x, y: block.y + 60 })
    await drop()
    await page.getByRole('dialog').getByLabel('Notes').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.board-preview').waitFor({ state: 'detached' })
  })

  it('shows the verdict within 40 px of the pointer', async () => {
    const block = await boxOf(blockOf())
    const from = { x: block.x + 40, y: block.y + 10 }
    const to = await inColumnOf('Mira', from.y + 60)
    const { drop } = await dragWithMouse(page, from, to)
    const pill = await boxOf(page.locator('[data-held]'))
    const away = Math.max(
      pill.x - to.x,
      to.x - pill.x - pill.width,
      pill.y - to.y,
      to.y - pill.y - pill.height,
    )
    expect(away).toBeGreaterThan(0)
    expect(away).toBeLessThan(40)
    await drop()
  })

  it('is cancelled by Escape', async () => {
    const block = await boxOf(blockOf())
    const from = { x: block.x + 40, y: block.y + 10 }
    const { drop } = await dragWithMouse(page, from, { x: from.x, y: from.y + 60 })
    await page.locator('[data-held]').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('[data-held]').waitFor({ state: 'detached' })
    await page.locator('.board-preview').waitFor({ state: 'detached' })
    await drop()
    await blockOf('10:00–11:30').waitFor()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await expect.poll(() => stored()).toMatchObject({ start_at: `${DATE} 10:00` })
  })

  it('moves a lesson to another instructor and can be undone', { tags: 'promise' }, async () => {
    await moveTo('Mira', 2)
    await told(/^Moved: Lena Vogt.*10:30–12:00 · Mira Seidel/)
    await expect.poll(() => stored()).toMatchObject({ instructor_id: mira.id, start_at: `${DATE} 10:30` })
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await told(/^Undone: Lena Vogt.*10:00–11:30/)
    await expect.poll(() => stored()).toMatchObject({ instructor_id: jonas.id, start_at: `${DATE} 10:00` })
  })

  it('returns a lesson and shows the reason if another clerk has just booked the time', {
    tags: 'promise',
  }, async () => {
    const taken = { instructor_id: mira.id, start_at: `${DATE} 10:30`, end_at: `${DATE} 11:15` }
    await page.context().route('**/api/v1/changes/since?*', (route) => route.abort())
    await school.lesson({ ...taken, title: 'Car wash' })
    await moveTo('Mira', 2)
    await told(/^Not saved: Mira Seidel already has an appointment 10:30–11:15/)
    await expect.poll(() => blockOf().innerText()).toContain('10:00–11:30')
  })

  it('moves a lesson twice before the first response arrives', async () => {
    const answer = await heldAnswers()
    await moveTo('Mira', 2)
    await blockOf('10:30–12:00').waitFor()
    await moveTo('Jonas', 2)
    await blockOf('11:00–12:30').waitFor()
    answer()
    await told(/^Moved: Lena Vogt.*11:00–12:30/)
    await expect.poll(() => stored()).toMatchObject({ instructor_id: jonas.id, start_at: `${DATE} 11:00` })
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await told(/^Undone: Lena Vogt.*10:30–12:00/)
    await expect.poll(() => stored()).toMatchObject({ instructor_id: mira.id, start_at: `${DATE} 10:30` })
  })

  it('is undone to the last stored position, skipping a rejected move', async () => {
    const answer = await heldAnswers()
    await page.context().route('**/api/v1/changes/since?*', (route) => route.abort())
    await school.lesson({
      instructor_id: mira.id,
      start_at: `${DATE} 10:30`,
      end_at: `${DATE} 11:15`,
      title: 'Car wash',
    })
    await moveTo('Mira', 2)
    await blockOf('10:30–12:00').waitFor()
    await moveTo('Jonas', 2)
    await blockOf('11:00–12:30').waitFor()
    answer()
    await told(/^Moved: Lena Vogt.*11:00–12:30/)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await told(/^Undone: Lena Vogt.*10:00–11:30/)
    await expect.poll(() => stored()).toMatchObject({ instructor_id: jonas.id, start_at: `${DATE} 10:00` })
  })

  it('moves a lesson to another day of the week', async () => {
    await page.goto(`${service().url}/?date=${DATE}&view=week&instructor=${jonas.id}`)
    await blockOf().waitFor()
    const block = await boxOf(blockOf())
    const from = { x: block.x + 40, y: block.y + 10 }
    const { drop } = await dragWithMouse(page, from, { x: from.x + 2 * block.width, y: from.y })
    await page.locator('[data-held]').waitFor()
    await drop()
    await told(/^Moved: Lena Vogt, Wed,? 3 Mar(?: 2032)?, 10:00–11:30/)
  })

  it('discards the actual times of a moved lesson after confirmation and can be undone', async () => {
    const actual = { actual_start_at: `${DATE} 10:05`, actual_end_at: `${DATE} 11:35` }
    await school.client.patch(`/appointments/${lesson.id}`, actual)
    await page.goto(`${service().url}/?date=${DATE}&view=week&instructor=${jonas.id}`)
    await blockOf().waitFor()
    const block = await boxOf(blockOf())
    const from = { x: block.x + 40, y: block.y + 10 }
    const { drop } = await dragWithMouse(page, from, { x: from.x + 2 * block.width, y: from.y })
    await page.locator('[data-held]').waitFor()
    await drop()
    await page.getByRole('button', { name: 'Save without the actual times' }).click()
    await told(/^Moved: Lena Vogt, Wed/)
    await expect.poll(() => stored()).toMatchObject({ start_at: '2032-03-03 10:00', actual_start_at: null })
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await told(/^Undone: Lena Vogt/)
    await expect.poll(() => stored()).toMatchObject({ start_at: `${DATE} 10:00`, ...actual })
  })
})
