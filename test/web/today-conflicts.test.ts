import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { goOffline, handleFirst, useBrowser } from '../support/browser.ts'
import type { Row } from '../support/factory.ts'
import { aDay, DATE, type Day, onPhone } from './instructors-day.ts'

const service = useService()
const open = useBrowser(service)

let day: Omit<Day, 'page'>
let page: Page

beforeEach(async () => {
  day = await aDay(service())
  page = await onPhone(service(), open, day)
})

const large = () => page.locator('section').first()
const press = (name: string) => large().getByRole('button', { name, exact: true }).click()
const stored = async ({ id }: Row) => (await day.school.client.get(`/appointments/${id}`)).body
const waiting = () => page.getByText(/^1 entry will be sent/)
const conflict = () => page.getByRole('alert')

async function goOnline(): Promise<void> {
  await page.context().setOffline(false)
  await page.clock.fastForward(30_000)
}

describe('an outcome entered while offline', () => {
  it.each([
    [
      'moved to another time',
      { start_at: `${DATE} 14:00`, end_at: `${DATE} 15:30` },
      'Start: Mon 1 Mar, 14:00',
    ],
    ['given to another student', {}, 'Student: Ida Neu'],
  ])('is not recorded for a lesson that has been %s', async (_, move, shown) => {
    const ida = await day.school.student({ first_name: 'Ida', last_name: 'Neu' })
    const change = 'start_at' in move ? move : { student_id: ida.id }
    await goOffline(page)
    await press('No-show')
    await waiting().waitFor()
    await day.school.client.patch(`/appointments/${day.running.id}`, change)
    await goOnline()
    await conflict().getByText('Somebody else has changed it in the meantime.').waitFor()
    await conflict().getByText(shown).waitFor()
    expect(await stored(day.running)).toMatchObject({ ...change, status: 'planned', version: 2 })
    await conflict().getByRole('button', { name: 'Keep the current version' }).tap()
    await conflict().waitFor({ state: 'detached' })
  })
})

describe('notes entered while offline', () => {
  it('are stored with a lesson that the office has moved', async () => {
    await goOffline(page)
    await page.getByLabel('Notes').fill('Glasses')
    await press('Save')
    await waiting().waitFor()
    const start_at = `${DATE} 14:00`
    await day.school.client.patch(`/appointments/${day.running.id}`, { start_at, end_at: `${DATE} 15:30` })
    await goOnline()
    await expect.poll(() => stored(day.running)).toMatchObject({ start_at, notes: 'Glasses' })
  })
})

describe('an entry whose response was lost', () => {
  it.each([
    [['Done', 'As planned 10:00–11:30'], ['Undo “done”'], 'planned'],
    [['Lesson begins'], ['Done', 'As planned 10:00–11:30'], 'completed'],
  ])('as %s can be followed by %s without a conflict', async (first, second, status) => {
    await handleFirst(page, '**/api/v1/appointments/*', async (route) => {
      expect([route.request().method(), (await route.fetch()).status()]).toEqual(['PATCH', 200])
      await route.abort()
    })
    for (const name of first) await press(name)
    await waiting().waitFor()
    for (const name of second) await press(name)
    await page.clock.fastForward(5_000)
    await expect.poll(() => stored(day.running)).toMatchObject({ status, version: 3 })
    await waiting().waitFor({ state: 'detached' })
    expect(await conflict().count()).toBe(0)
  })

  it('in part is sent again without a conflict', async () => {
    await handleFirst(page, '**/api/v1/appointments/*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).slice(0, 20) })
    })
    await press('Done')
    await press('As planned 10:00–11:30')
    await waiting().waitFor()
    await page.clock.fastForward(5_000)
    await page.getByText('1 entry has been sent.').waitFor()
    expect(await stored(day.running)).toMatchObject({ status: 'completed', version: 2 })
    expect(await conflict().count()).toBe(0)
  })
})
