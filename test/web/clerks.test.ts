import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { boxOf, useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'
const AWAY = /Jonas Brandt is away from 1 to 5 March(?: 2032)? \(Skiing\)\./

let school: School
let instructor: { id: string }
let lesson: { id: string }

beforeEach(async () => {
  school = await aSchool(service())
  instructor = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  const student = await school.student()
  lesson = await school.lesson({
    instructor_id: instructor.id,
    student_id: student.id,
    start_at: `${DATE} 10:00`,
    end_at: `${DATE} 11:30`,
  })
})

async function atBoard(options?: Parameters<typeof open>[1]): Promise<Page> {
  const page = await open(`/?date=${DATE}`, { ...options, as: school })
  await blockOf(page).waitFor()
  return page
}

const blockOf = (page: Page, text: string | RegExp = 'Lena Vogt') =>
  page.locator('[data-lesson]', { hasText: text })

describe('two clerks', () => {
  it("see each other's changes without a reload", { tags: 'promise' }, async () => {
    const page = await atBoard()
    await school.client.patch(`/appointments/${lesson.id}`, { end_at: `${DATE} 11:00` })
    await blockOf(page, '10:00–11:00').waitFor()
    await school.client.delete(`/appointments/${lesson.id}`)
    await blockOf(page).waitFor({ state: 'detached' })
  })

  it('keep both of their edits: the later one is shown both versions before saving', {
    tags: 'promise',
  }, async () => {
    const page = await atBoard()
    await blockOf(page).click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Notes').fill('brings glasses')
    await school.client.patch(`/appointments/${lesson.id}`, { end_at: `${DATE} 11:00` })
    await page.getByRole('button', { name: 'Save', exact: true }).dblclick()
    const both = page.getByRole('alert').getByRole('row')
    await expect.poll(() => both.filter({ hasText: 'End' }).innerText()).toMatch(/11:30\s+11:00/)
    await expect.poll(() => both.filter({ hasText: 'Notes' }).innerText()).toContain('brings glasses')
    const answer = page.getByRole('button', { name: 'Save my changes' })
    const { y, height } = await boxOf(answer)
    expect(y + height).toBeLessThanOrEqual(900)
    await answer.click()
    await page.getByText(/^Saved: Lena Vogt/).waitFor()
    const { body } = await school.client.get(`/appointments/${lesson.id}`)
    expect(body).toMatchObject({ end_at: `${DATE} 11:00`, notes: 'brings glasses' })
  })

  it('cannot both book the same time: the later form stays open and names the conflict', async () => {
    const [one, other] = [await atBoard(), await atBoard()]
    for (const page of [one, other]) {
      await page.keyboard.press('n')
      await page.getByText('Possible', { exact: true }).waitFor()
      // Without polls, the later form learns of the booking only from its own request.
      await page.route('**/api/v1/changes/since?*', (route) => route.abort())
    }
    const book = (page: Page) => page.getByRole('button', { name: 'Book', exact: true }).click()
    await Promise.all([book(one), book(other)])
    const verdicts = [one, other].map((page) =>
      page
        .getByText(/^Booked: |^Not saved$/)
        .first()
        .innerText(),
    )
    const [first, second] = (await Promise.all(verdicts)).toSorted()
    expect([first, second]).toEqual([expect.stringMatching(/^Booked: /), 'Not saved'])
    const loser = (await one.getByRole('alert').count()) > 0 ? one : other
    await expect
      .poll(() => loser.getByRole('alert').innerText())
      .toContain('Jonas Brandt already has an appointment 08:00–09:30')
    const { body } = await school.client.get(`/appointments?from=${DATE}&to=${DATE}`)
    expect(body).toHaveLength(2)
  })
})

describe('an instructor on vacation', () => {
  it('is shown as away on the board and cannot be booked', async () => {
    const page = await atBoard()
    await school.client.patch(`/instructors/${instructor.id}`, {
      vacations: [{ start_date: DATE, end_date: '2032-03-05', note: 'Skiing' }],
    })
    await page.locator('.vacation', { hasText: 'Skiing' }).waitFor()
    await page.keyboard.press('n')
    await page.getByText(AWAY).waitFor()
    await page.getByRole('button', { name: 'Book', exact: true }).click()
    await page.getByText('Not saved').waitFor()
    await expect.poll(() => page.getByRole('alert').innerText()).toMatch(AWAY)
  })
})

describe('an expired session', () => {
  it('is refreshed only once for two tabs', async () => {
    const page = await atBoard()
    const sibling = await page.context().newPage()
    await sibling.goto(page.url())
    await blockOf(sibling).waitFor()
    const renewals: number[] = []
    page.context().on('response', (answer) => {
      if (answer.url().endsWith('/auth/refresh')) renewals.push(answer.status())
    })
    await page.context().clearCookies({ name: 'svc_jwt' })
    await Promise.all([page.reload(), sibling.reload()])
    await Promise.all([blockOf(page).waitFor(), blockOf(sibling).waitFor()])
    expect(renewals).toEqual([200])
  })
})

describe('the board', () => {
  it('uses the language of the browser and can be switched to English', async () => {
    const page = await atBoard({ locale: 'de-DE' })
    await page.getByText('Montag, 1. März 2032').waitFor()
    await page.getByRole('button', { name: 'Menü' }).click()
    await page.getByLabel('Sprache').selectOption('English')
    await page.getByText('Monday 1 March 2032').or(page.getByText('Monday, 1 March 2032')).first().waitFor()
  })

  it('changes the duration of a lesson by mouse and undoes it with Ctrl+Z', async () => {
    const page = await atBoard()
    const box = await boxOf(blockOf(page))
    await page.mouse.move(box.x + 60, box.y + box.height - 3)
    await page.mouse.down()
    await page.mouse.move(box.x + 60, box.y + box.height + 26, { steps: 5 })
    await page.mouse.up()
    await page.getByText(/^Duration changed: Lena Vogt.*10:00–12:00/).waitFor()
    await page.keyboard.press('Control+z')
    await page.getByText(/^Undone: Lena Vogt.*10:00–11:30/).waitFor()
  })

  it('prints the day without navigation and buttons', async () => {
    const page = await atBoard()
    await page.emulateMedia({ media: 'print' })
    await expect.poll(() => page.getByRole('navigation').isVisible()).toBe(false)
    await expect.poll(() => page.getByRole('button', { name: 'Book lesson' }).isVisible()).toBe(false)
    await expect.poll(() => blockOf(page).isVisible()).toBe(true)
  })
})
