import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { boxOf, dragWithMouse, fingerOn, useBrowser } from '../support/browser.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
/** A Monday far ahead, so that the days are to come by the browser's clock, too. */
const MONDAY = '2098-06-02'
const TUESDAY = '2098-06-03'
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

let school: School
let eva: Row
let jonas: Row
let ben: Row
let plan: Row

beforeEach(async () => {
  school = await aSchool(service())
  const hours = (end: string) => [1, 2].map((weekday) => ({ weekday, start: '08:00', end }))
  eva = await school.instructor({
    first_name: 'Eva',
    last_name: 'Adler',
    availability_windows: hours('12:00'),
  })
  jonas = await school.instructor({ availability_windows: hours('14:00') })
  ben = await planned('Ben', '08:00', '09:30')
  await planned('Mia', '10:00', '11:30')
  await school.lesson({ instructor_id: jonas.id, start_at: `${MONDAY} 10:00`, end_at: `${MONDAY} 11:00` })
  plan = must(201, await school.client.post('/plans', { from: MONDAY, to: '2098-06-08', effort: 1 }))
})

/** Makes a student who can come at one time of the week only. */
async function planned(first_name: string, time_from: string, time_to: string): Promise<Row> {
  const student = await school.student({ first_name, last_name: 'Vogt' })
  const wish = { minutes: 90, weekdays: [1], time_from, time_to, instructor_id: eva.id }
  must(201, await school.client.post(`/students/${student.id}/wishes`, wish))
  return student
}

const shown = async (path = `/?view=plan&date=${MONDAY}`, options = {}): Promise<Page> => {
  const page = await open(path, { as: school, ...options })
  await ghost(page).waitFor()
  return page
}
const ghost = (page: Page, name = 'Ben Vogt') => page.locator('[data-ghost]', { hasText: name })
const cell = (page: Page, instructor: Row, day: string) =>
  page.locator(`[data-cell="${instructor.id}"][data-day="${day}"]`)
const held = (page: Page) => page.locator('[data-held]')

async function middleOf(locator: Locator) {
  const { x, y, width, height } = await boxOf(locator)
  return { x: x + width / 2, y: y + height / 2 }
}

/** Returns Ben's lesson as the plan has it now. */
async function stored(): Promise<Row> {
  const { proposed } = must(200, await school.client.get(`/plans/${plan.id}`))
  return proposed.find(({ student_id }: Row) => student_id === ben.id)
}

describe('proposed lessons', () => {
  it('move to another day and instructor by the mouse, and warn outside of the hours of the student', {
    tags: 'promise',
  }, async () => {
    const page = await shown()
    const to = await middleOf(cell(page, jonas, TUESDAY))
    const { drop } = await dragWithMouse(page, await middleOf(ghost(page)), to)
    await held(page)
      .getByText(/3 Jun.*08:00–09:30.*Jonas Brandt/)
      .waitFor()
    await held(page).getByText('Possible').waitFor()
    await drop()
    const moved = { instructor_id: jonas.id, start_at: `${TUESDAY} 08:00`, is_locked: true }
    await expect.poll(() => stored()).toMatchObject(moved)
    const line = cell(page, jonas, TUESDAY).locator('[data-ghost]')
    await expect.poll(() => line.getAttribute('title')).toContain('outside the hours')
    expect(await page.getByRole('dialog').count()).toBe(0)
    const changes = page.getByRole('region', { name: 'Since the last change' })
    await changes.getByText('1 lesson moved').waitFor()
    await changes
      .getByText(/Ben Vogt.*08:00–09:30.*Eva Adler.* → .*3 Jun.*08:00–09:30 · Jonas Brandt/)
      .waitFor()
    await changes.getByRole('button', { name: 'Undo the move' }).click()
    const back = { instructor_id: eva.id, start_at: `${MONDAY} 08:00`, is_locked: false }
    await expect.poll(() => stored()).toMatchObject(back)
  })

  it('move behind the lesson over whose lower half they are dropped', async () => {
    const page = await shown()
    const { x, y, height } = await boxOf(cell(page, jonas, MONDAY).locator('[data-lesson]'))
    const { drop } = await dragWithMouse(page, await middleOf(ghost(page)), {
      x: x + 20,
      y: y + 0.8 * height,
    })
    await held(page)
      .getByText(/11:00–12:30/)
      .waitFor()
    await drop()
    await expect.poll(() => stored()).toMatchObject({ instructor_id: jonas.id, start_at: `${MONDAY} 11:00` })
  })

  it('stay where they are if a rule refuses the place', async () => {
    const page = await shown()
    const to = await middleOf(cell(page, jonas, '2098-06-04'))
    const { drop } = await dragWithMouse(page, await middleOf(ghost(page)), to)
    await held(page).getByText('On Wednesday Jonas Brandt does not work.').waitFor()
    await drop()
    await page.getByText(/^Not moved: On Wednesday Jonas Brandt does not work/).waitFor()
    expect(await stored()).toMatchObject({ start_at: `${MONDAY} 08:00`, is_locked: false })
    await held(page).waitFor({ state: 'detached' })
  })

  it('return with the reason of the service if somebody has just booked the time', async () => {
    const page = await shown()
    await page.context().route('**/api/v1/changes/since?*', (route) => route.abort())
    const taken = { instructor_id: jonas.id, start_at: `${TUESDAY} 08:00`, end_at: `${TUESDAY} 09:00` }
    await school.lesson(taken)
    const to = await middleOf(cell(page, jonas, TUESDAY))
    const { drop } = await dragWithMouse(page, await middleOf(ghost(page)), to)
    await drop()
    await page.getByText(/^Not moved: Jonas Brandt already has an appointment/).waitFor()
    await cell(page, eva, MONDAY).locator('[data-ghost]', { hasText: 'Ben Vogt' }).waitFor()
  })

  it('move by the keys: sideways to other days, with Shift to other instructors', async () => {
    const page = await shown()
    await ghost(page).focus()
    await page.keyboard.down('Alt')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await held(page)
      .getByText(/3 Jun.*08:15–09:45.*Jonas Brandt/)
      .waitFor()
    await page.keyboard.up('Alt')
    const moved = { instructor_id: jonas.id, start_at: `${TUESDAY} 08:15` }
    await expect.poll(() => stored()).toMatchObject(moved)
    // The page takes the next key once it has the answer, too.
    await cell(page, jonas, TUESDAY).locator('[data-ghost]:focus').waitFor()
    await page.keyboard.down('Alt')
    await page.keyboard.press('ArrowLeft')
    await cell(page, jonas, MONDAY).locator('[data-ghost]').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.up('Alt')
    await cell(page, jonas, TUESDAY).locator('[data-ghost]:focus').waitFor()
    expect(await stored()).toMatchObject(moved)
  })

  it('move by a finger after a long press', async () => {
    const page = await shown(undefined, PHONE)
    const finger = await fingerOn(page)
    const from = await middleOf(ghost(page))
    await finger.press(from.x, from.y)
    await page.locator('[data-preview]').waitFor()
    const to = await boxOf(cell(page, eva, TUESDAY))
    await finger.move(to.x + 30, to.y + 10)
    await held(page)
      .getByText(/3 Jun.*08:00/)
      .waitFor()
    await finger.lift()
    await expect.poll(() => stored()).toMatchObject({ instructor_id: eva.id, start_at: `${TUESDAY} 08:00` })
  })

  it('move on a day and in a week of an instructor, too, beside the rest of the plan', async () => {
    const page = await shown()
    await page.getByRole('button', { name: /^Mon/ }).first().click()
    await page.locator('.column-head').first().waitFor()
    await ghost(page).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Drop' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const { x, y, width, height } = await boxOf(ghost(page))
    const from = { x: x + width / 2, y: y + 10 }
    const quarter = height / 6
    const { drop } = await dragWithMouse(page, from, { ...from, y: from.y + 8 * quarter })
    await held(page)
      .getByText(/already has an appointment 10:00–11:30/)
      .waitFor()
    await page.mouse.move(from.x, from.y + 2 * quarter)
    await held(page).getByText('Possible').waitFor()
    await drop()
    await expect.poll(() => stored()).toMatchObject({ start_at: `${MONDAY} 08:30` })
    await page.getByRole('button', { name: 'Week', exact: true }).click()
    await ghost(page).waitFor()
    await page.getByRole('button', { name: 'Team', exact: true }).click()
    await page.getByRole('button', { name: 'Day', exact: true }).click()
    await page.locator('.column-head').first().waitFor()
    await expect.poll(() => page.locator('[data-ghost]').count()).toBe(0)
  })
})
