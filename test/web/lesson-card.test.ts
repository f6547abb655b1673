import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { boxOf, useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'

let school: School
let lesson: { id: string }
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  const instructor = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  const student = await school.student({
    first_name: 'Lena',
    last_name: 'Vogt',
    phone: '+49 30 5550142',
    email: 'lena@learner.example',
  })
  lesson = await school.lesson({
    instructor_id: instructor.id,
    student_id: student.id,
    start_at: `${DATE} 10:00`,
    end_at: `${DATE} 11:30`,
    notes: 'Meets at the station',
  })
  page = await open(`/?date=${DATE}&lesson=${lesson.id}`, { as: school })
  await card().getByText('Meets at the station').waitFor()
})

const card = () => page.getByRole('dialog')
const block = () => page.locator('[data-lesson]')
const told = (text: RegExp) => page.getByText(text).first().waitFor()
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const stored = async () => (await school.client.get(`/appointments/${lesson.id}`)).body

describe('the card of a lesson', () => {
  it('has phone and e-mail links to the student', async () => {
    const hrefs = await card()
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => (link as unknown as { href: string }).href))
    expect(hrefs).toEqual(['tel:+49305550142', 'mailto:lena@learner.example'])
  })

  it('opens without a network', async () => {
    const codes: string[] = []
    const other = await open('/icon.svg', { as: school })
    other.on('requestfinished', (request) => codes.push(request.url()))
    await other.goto(`${service().url}/?date=${DATE}`)
    await other.locator('[data-lesson]').waitFor()
    await expect.poll(() => codes.some((url) => url.includes('lesson-card'))).toBe(true)
    await other.waitForLoadState('networkidle')
    await other.context().setOffline(true)
    await other.locator('[data-lesson]').click()
    await other.getByRole('dialog').getByText('Meets at the station').waitFor()
  })

  it('shows who cancelled, why, and the fee', async () => {
    const cancellation = { by: 'student', reason: 'illness', note: 'Called at noon', charge: true }
    await school.client.post(`/appointments/${lesson.id}/cancel`, {
      ...cancellation,
      at: '2026-11-20T11:00:00.000Z',
    })
    await page.reload()
    await card().getByText('by the student · 20 November 2026, 12:00 · illness').waitFor()
    await card().getByText('in time · Fee: 100% of the price').waitFor()
    await card().getByText('Called at noon').waitFor()
    await press('Waive the fee')
    await card().getByText('in time · no fee').waitFor()
    await expect
      .poll(async () => (await stored()).cancellation)
      .toMatchObject({ charged: false, fee_percent: 0, reason: 'illness' })
    await page.keyboard.press('Control+z')
    await card().getByText('in time · Fee: 100% of the price').waitFor()
  })

  it('records a no-show, cancels the lesson, and undoes the cancellation', { tags: 'promise' }, async () => {
    await page.clock.setFixedTime(`${DATE}T10:30:00Z`)
    await page.reload()
    await press('No-show')
    await told(/^Changed: Lena Vogt/)
    await block().getByText('no-show').waitFor()
    await press('Cancel lesson')
    await told(/^Cancelled: Lena Vogt/)
    expect((await stored()).status).toBe('cancelled')
    await press('Undo')
    await told(/^Undone: Lena Vogt/)
    expect((await stored()).status).toBe('no_show')
  })

  it('cancels only once on a double click', async () => {
    await card().getByRole('button', { name: 'Cancel lesson' }).dblclick()
    await told(/^Cancelled: Lena Vogt/)
    await card().getByRole('button', { name: 'cancelled', pressed: true }).waitFor()
    await expect.poll(() => page.getByText(/^(Changed|Undone)/).count()).toBe(0)
    expect(await school.client.get(`/appointments/${lesson.id}/history`)).toMatchObject({
      body: { length: 2 },
    })
  })

  it('keeps every button in its place when the lesson is cancelled', async () => {
    const places = async () => Promise.all((await card().getByRole('button').all()).map(boxOf))
    const planned = await places()
    await press('Cancel lesson')
    await card().getByRole('button', { name: 'cancelled', pressed: true }).waitFor()
    await expect.poll(() => places()).toEqual(planned)
  })

  it('offers No-show once the lesson has started, without moving other buttons', async () => {
    // Two minutes before the start.
    await page.clock.install({ time: `${DATE}T08:58:00Z` })
    await page.reload()
    await card().getByText('Once it has started: done or no-show').waitFor()
    await expect
      .poll(() =>
        card()
          .getByRole('button', { name: /^(Done|No-show)$/ })
          .count(),
      )
      .toBe(0)
    const before = await boxOf(card().getByRole('button', { name: 'Edit' }))
    // The browser's clock is set back by ten seconds, as can happen on any machine. The card's clock must advance.
    await page.clock.setSystemTime(await page.evaluate(() => Date.now() - 10_000))
    await page.clock.runFor('03:00')
    await card().getByRole('button', { name: 'No-show' }).waitFor()
    await expect.poll(() => boxOf(card().getByRole('button', { name: 'Edit' }))).toEqual(before)
  })

  it('asks how long the lesson took if Done is pressed long before its end', async () => {
    await page.clock.install({ time: `${DATE}T09:34:00Z` })
    await page.reload()
    await press('Done')
    await card().getByText('90 minutes were planned, 34 minutes have passed.').waitFor()
    expect(await stored()).toMatchObject({ status: 'planned' })
    await press('Actual time 10:00–10:34')
    await expect
      .poll(() => stored())
      .toMatchObject({ status: 'completed', actual_end_at: `${DATE} 10:34`, end_at: `${DATE} 11:30` })
    await card().getByRole('button', { name: 'done', pressed: true }).waitFor()
    expect(await card().getByText('How long did it take?').count()).toBe(0)
  })

  it('books the same lesson for the next week only once', async () => {
    await press('Same again next week')
    await told(/^Booked: Lena Vogt, Mon,? 8 Mar(?: 2032)?, 10:00–11:30/)
    await block().click()
    await press('Same again next week')
    await told(
      /^Not saved: Lena Vogt, Mon,? 8 Mar.*: Jonas Brandt already has an appointment 10:00–11:30 with Lena Vogt/,
    )
  })

  it('deletes the lesson and undoes the deletion', async () => {
    await press('Delete')
    await told(/^Deleted: Lena Vogt/)
    await block().waitFor({ state: 'detached' })
    expect((await school.client.get(`/appointments/${lesson.id}`)).status).toBe(404)
    await press('Undo')
    await told(/^Undone: Lena Vogt/)
    await block().waitFor()
    await expect.poll(() => stored()).toMatchObject({ status: 'planned', notes: 'Meets at the station' })
  })

  it.each([
    ['a single column as wide as the board', 1280, 0],
    ['the last of many columns', 1280, 6],
    ['a middle column in a narrow window', 760, 2],
  ])('does not cover its lesson on the board: %s', async (_, width, before) => {
    for (let others = 0; others < before; others += 1)
      await school.instructor({ first_name: 'Ada', last_name: `Adler ${others}` })
    for (let others = 0; others < before % 3; others += 1)
      await school.instructor({ first_name: 'Zoe', last_name: `Zander ${others}` })
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${service().url}/?date=${DATE}`)
    await block().click()
    await card().getByText('Meets at the station').waitFor()
    const isInSight = async () => {
      const [lessonBox, cardBox] = [await boxOf(block()), await boxOf(card())]
      const right = lessonBox.x + lessonBox.width
      const isBeside = right <= cardBox.x + 1 || lessonBox.x >= cardBox.x + cardBox.width - 1
      return isBeside && lessonBox.x >= 0 && right <= width + 1
    }
    await expect.poll(isInSight).toBe(true)
  })

  it('shows that the lesson was deleted by another user, and can be closed', async () => {
    await school.client.delete(`/appointments/${lesson.id}`)
    await card().getByText('It no longer exists.').waitFor()
    await page.keyboard.press('Escape')
    await card().waitFor({ state: 'detached' })
    expect(page.url()).not.toContain('lesson=')
  })
})
