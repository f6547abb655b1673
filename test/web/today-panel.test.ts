import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { boxOf, logInAt, useBrowser } from '../support/browser.ts'
import { PASSWORD, type Row } from '../support/factory.ts'
import { aDay, DATE, type Day, onPhone } from './instructors-day.ts'
import { keptIn } from './kept.ts'

const service = useService()
const open = useBrowser(service)

let day: Omit<Day, 'page'>
let page: Page

beforeEach(async () => {
  day = await aDay(service())
})

const large = () => page.locator('section').first()
const button = (name: string) => large().getByRole('button', { name, exact: true })
const line = (name: string) => page.getByRole('listitem').filter({ hasText: name })
const stored = async ({ id }: Row) => (await day.school.client.get(`/appointments/${id}`)).body

/** Stops the page's clock at a time in UTC, which the page notices. */
async function stopAt(time: string): Promise<void> {
  await page.clock.setFixedTime(`${DATE}T${time}:00Z`)
  await page.clock.fastForward(5_000)
}

describe('the large lesson', () => {
  it('ignores the second tap of a double tap that has ended the lesson before', async () => {
    const { client } = day.school
    const times = { actual_start_at: `${DATE} 10:00`, actual_end_at: `${DATE} 11:30` }
    await client.patch(`/appointments/${day.running.id}`, times)
    const [next] = (await client.get(`/appointments?from=${DATE}&to=${DATE}`)).body.slice(-1)
    page = await onPhone(service(), open, day)
    await stopAt('11:05')
    const { x, y, width, height } = await boxOf(button('Done'))
    const place = { clientX: x + width / 2, clientY: y + height / 2 }
    await page.touchscreen.tap(place.clientX, place.clientY)
    await button('Lesson begins').waitFor()
    await button('Done').dispatchEvent('click', { detail: 2, ...place })
    // Entries are sent in order.
    await line('Lena Vogt').getByRole('button', { name: 'Done' }).tap()
    await expect.poll(() => stored(day.early)).toMatchObject({ status: 'completed' })
    expect(await stored(day.running)).toMatchObject({ status: 'completed' })
    expect(await stored(next)).toMatchObject({ status: 'planned', version: 1 })
  })
})

describe('times that are not saved', () => {
  it('stay on the page when the lesson ends, until they are saved', async () => {
    await day.school.client.patch(`/appointments/${day.running.id}`, { status: 'completed' })
    page = await onPhone(service(), open, day)
    await button('Correct the times').click()
    await page.getByLabel('Actual end').fill('11:20')
    await stopAt('10:31')
    await large().getByText('Now', { exact: true }).waitFor({ state: 'detached' })
    await large().getByRole('button', { name: 'Save' }).click()
    await large().getByText('Next', { exact: true }).waitFor()
    await expect.poll(() => stored(day.running)).toMatchObject({ actual_end_at: `${DATE} 11:20` })
  })

  it('stay in the form of the lesson while another day or page is shown, until they are saved', async () => {
    await day.school.client.patch(`/appointments/${day.running.id}`, { status: 'completed' })
    page = await onPhone(service(), open, day)
    await button('Correct the times').click()
    await page.getByLabel('Actual start').fill('10:05')
    await page.getByLabel('Actual end').fill('')
    await page.getByRole('button', { name: 'Next day' }).click()
    await page.getByText('2 March').first().waitFor()
    await page.getByRole('button', { name: 'Previous day' }).click()
    await expect.poll(() => page.getByLabel('Actual start').inputValue()).toBe('10:05')
    await expect.poll(() => page.getByLabel('Actual end').inputValue()).toBe('')
    await page.getByLabel('Actual end').fill('11:20')
    await line('Lena Vogt').getByRole('button').first().click()
    await page.getByLabel('Actual end').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click()
    await page.goBack()
    await line('Tom Berg').getByRole('button').first().click()
    await expect.poll(() => page.getByLabel('Actual end').inputValue()).toBe('11:20')
    await button('Save').click()
    await expect
      .poll(() => stored(day.running))
      .toMatchObject({ actual_start_at: `${DATE} 10:05`, actual_end_at: `${DATE} 11:20` })
    await page.getByLabel('Actual end').waitFor({ state: 'detached' })
  })

  it('are gone after a logout that discards them', async () => {
    await day.school.client.patch(`/appointments/${day.running.id}`, { status: 'completed' })
    page = await onPhone(service(), open, day)
    await button('Correct the times').click()
    const planned = await page.getByLabel('Actual start').inputValue()
    await page.getByLabel('Actual start').fill('10:05')
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await page.locator('input[name=password]').waitFor()
    await logInAt(page, { ...day.school, user: day.user } as typeof day.school, PASSWORD)
    await button('Correct the times').click()
    await expect.poll(() => page.getByLabel('Actual start').inputValue()).toBe(planned)
  })
})

describe('a text that is not saved', () => {
  it('is lost by a logout only after a question', async () => {
    page = await onPhone(service(), open, day)
    await page.getByLabel('Notes').fill('Glasses')
    const leave = async (answer: string) => {
      await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('button', { name: 'Log out' }).click()
      await page.getByRole('dialog').getByText('Discard what you have filled in?').waitFor()
      await page.getByRole('dialog').getByRole('button', { name: answer }).click()
    }
    await leave('Keep editing')
    await expect.poll(() => page.getByLabel('Notes').inputValue()).toBe('Glasses')
    await leave('Discard')
    await page.locator('input[name=password]').waitFor()
    await expect.poll(() => keptIn(page)).toEqual([])
  })

  it('is shown again by a login after a logout in another tab', async () => {
    page = await onPhone(service(), open, day)
    const other = await page.context().newPage()
    await other.goto(`${service().url}/requests`)
    await other.getByRole('textbox').first().waitFor()
    // Meanwhile the other tab has read the texts on the device: it must not ask about this one.
    await page.reload()
    await page.getByLabel('Notes').fill('Glasses')
    await other.getByRole('button', { name: 'Menu' }).click()
    await other.getByRole('button', { name: 'Log out' }).click()
    await page.locator('input[name=password]').waitFor()
    await logInAt(page, { ...day.school, user: day.user } as typeof day.school, PASSWORD)
    await page.locator('input[name=password]').waitFor({ state: 'detached' })
    await expect.poll(() => page.getByLabel('Notes').inputValue()).toBe('Glasses')
  })
})
