import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { boxOf, dragWithMouse, useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'
import { aFollowedLesson, blockOf, DATE, followedBoard, nextPoll } from './followed-board.ts'

const service = useService()
const open = useBrowser(service)

let school: School
let instructor: { id: string }
let student: { id: string }
let lesson: { id: string }

beforeEach(async () => {
  school = await aSchool(service())
  ;({ instructor, student, lesson } = await aFollowedLesson(school))
})

const atBoard = () => followedBoard(service(), school, open)

/** Records the page's requests from now on, except polls for changes. */
function requestsOf(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const path = request.url().split('/api/v1')[1]
    if (path && !path.startsWith('/changes/since')) asked.push(`${request.method()} ${path}`)
  })
  return asked
}

describe('a change by another clerk', () => {
  it('to a lesson is shown at the next poll and loads only that lesson', async () => {
    const page = await atBoard()
    const asked = requestsOf(page)
    await school.client.patch(`/appointments/${lesson.id}`, { end_at: `${DATE} 11:00` })
    await nextPoll(page)
    await blockOf(page, '10:00–11:00').waitFor()
    await school.client.delete(`/appointments/${lesson.id}`)
    await nextPoll(page)
    await blockOf(page).waitFor({ state: 'detached' })
    await school.client.post(`/appointments/${lesson.id}/restore`)
    await nextPoll(page)
    await blockOf(page, '10:00–11:00').waitFor()
    expect(asked).toEqual([`GET /appointments/${lesson.id}`, `GET /appointments/${lesson.id}`])
  })

  it('to a student is shown at the next poll and loads only that student', async () => {
    const page = await atBoard()
    const asked = requestsOf(page)
    await school.client.patch(`/students/${student.id}`, { last_name: 'Krause' })
    await nextPoll(page)
    await blockOf(page, 'Lena Krause').waitFor()
    expect(asked).toEqual([`GET /students/${student.id}`])
    await school.client.delete(`/students/${student.id}`)
    await nextPoll(page)
    await blockOf(page, 'Deleted student').waitFor()
    await page.locator('.lesson-cancelled[data-lesson]').waitFor()
    await school.client.post(`/students/${student.id}/restore`)
    await nextPoll(page)
    await blockOf(page, 'Lena Krause').waitFor()
    await blockOf(page, 'cancelled').waitFor({ state: 'detached' })
  })

  it('to an instructor is shown at the next poll and loads only that instructor', async () => {
    const page = await atBoard()
    const asked = requestsOf(page)
    await school.client.patch(`/instructors/${instructor.id}`, { last_name: 'Krause' })
    await nextPoll(page)
    await page.locator('.column-head', { hasText: 'Jonas Krause' }).waitFor()
    expect(asked).toEqual([`GET /instructors/${instructor.id}`])
  })

  it('to a lesson updates the student card and the loaded days of the board without further requests', async () => {
    const page = await atBoard()
    await page.getByRole('button', { name: 'Next day' }).click()
    await page.getByRole('link', { name: 'Students' }).click()
    await page.getByRole('button', { name: 'Lena Vogt' }).click()
    await page.getByRole('link', { name: '10:00–11:30' }).waitFor()
    await school.client.patch(`/appointments/${lesson.id}`, {
      start_at: '2032-03-02 12:00',
      end_at: '2032-03-02 13:00',
    })
    await nextPoll(page)
    await page.getByRole('link', { name: '12:00–13:00' }).waitFor()
    await page.keyboard.press('Escape')
    const asked = requestsOf(page)
    await page.getByRole('link', { name: 'Board' }).click()
    await blockOf(page, '12:00–13:00').waitFor()
    await page.getByRole('button', { name: 'Previous day' }).click()
    await blockOf(page).waitFor({ state: 'detached' })
    expect(asked).toEqual([])
  })

  it('to 26 resources is loaded as lists instead of one by one', async () => {
    const page = await atBoard()
    const asked = requestsOf(page)
    await page.context().setOffline(true)
    const names = Array.from({ length: 25 }, (_, index) => `Number ${index}`)
    for (const first_name of names) await school.student({ first_name })
    await school.client.patch(`/appointments/${lesson.id}`, { end_at: `${DATE} 11:00` })
    await page.context().setOffline(false)
    await blockOf(page, '10:00–11:00').waitFor()
    await page.getByRole('link', { name: 'Students' }).click()
    await page.getByText('26 students').waitFor()
    // The list requests the progress of all students when it opens.
    const caughtUp = asked.filter((one) => !one.startsWith('GET /students?with='))
    // Both the network's return and the next poll may send these requests. None is for a single student.
    expect([...new Set(caughtUp)].sort()).toEqual([
      expect.stringMatching(/^GET \/appointments\?from=/),
      expect.stringMatching(/^GET \/appointments\?status=planned/),
      'GET /bootstrap',
      expect.stringMatching(/^GET \/busy-times\?from=/),
      'GET /closures',
      'GET /holidays?from=2032-01-01&to=2032-12-31',
      'GET /inbox?limit=1',
      'GET /locations',
      'GET /schedule-requests?status=open',
      'GET /vehicles',
    ])
  })
})

describe('a change by the tab itself', () => {
  it('sends exactly one request for the first drag of a lesson', async () => {
    const page = await atBoard()
    const box = await boxOf(blockOf(page))
    const asked = requestsOf(page)
    const from = { x: box.x + 40, y: box.y + 10 }
    const { drop } = await dragWithMouse(page, from, { x: from.x, y: from.y + box.height / 3 })
    await page.locator('[data-held]').waitFor()
    await drop()
    await page.getByText(/^Moved: Lena Vogt.*10:30–12:00/).waitFor()
    await nextPoll(page)
    await nextPoll(page)
    expect(asked).toEqual([`PATCH /appointments/${lesson.id}`])
  })

  it('is not overwritten by another change that arrives before its response', async () => {
    const page = await atBoard()
    const held = Promise.withResolvers<void>()
    await page.route(`**/appointments/${lesson.id}`, async (route) => {
      if (route.request().method() === 'PATCH') await held.promise
      await route.continue()
    })
    await blockOf(page).focus()
    await page.keyboard.press('Alt+ArrowDown')
    await blockOf(page, '10:15–11:45').waitFor()
    await school.client.patch(`/appointments/${lesson.id}`, { notes: 'brings glasses' })
    const read = page.waitForResponse((answer) => answer.url().endsWith(`/appointments/${lesson.id}`))
    await nextPoll(page)
    await read
    await expect.poll(() => blockOf(page).innerText()).toContain('10:15–11:45')
    held.resolve()
    await page.getByText(/^Moved: Lena Vogt.*10:15–11:45/).waitFor()
    const { body } = await school.client.get(`/appointments/${lesson.id}`)
    expect(body).toMatchObject({ start_at: `${DATE} 10:15`, notes: 'brings glasses' })
  })
})
