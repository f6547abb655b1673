import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { logInAt, useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'
const SECOND = '2032-03-08'

let school: School
let jonas: { id: string }
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor({
    first_name: 'Jonas',
    last_name: 'Brandt',
    required_break_minutes: 0,
    availability_windows: [{ weekday: 1, start: '08:00', end: '16:00' }],
  })
  await school.student({ first_name: 'Lena', last_name: 'Vogt' })
})

const dialog = () => page.getByRole('dialog').last()
const told = (text: RegExp) => page.getByText(text).first().waitFor()
const submit = (name: string) => dialog().getByRole('button', { name, exact: true })
const blocks = () => page.locator('[data-lesson]', { hasText: 'Lena Vogt' })
const lessons = async () => (await school.client.get('/appointments')).body as Stored[]
type Stored = { start_at: string; status: string }
const starts = async () => (await lessons()).map(({ start_at }) => start_at)

/** Books a lesson with Jonas at the time of Lena's second lesson. */
async function secondIsTaken(): Promise<void> {
  await school.lesson({ instructor_id: jonas.id, start_at: `${SECOND} 08:00`, end_at: `${SECOND} 10:00` })
}

/** Fills in the form of a lesson with Lena that is repeated `count` times. */
async function repeat(count: string): Promise<void> {
  await page.keyboard.press('n')
  await dialog().getByLabel('Student').first().fill('vogt')
  await page.getByRole('option', { name: 'Lena Vogt' }).click()
  await dialog().getByRole('switch', { name: 'Repeat weekly' }).click()
  await dialog().getByLabel('Number of lessons').fill(count)
}

async function board(date = DATE): Promise<void> {
  page = await open(`/?date=${date}`)
  await logInAt(page, school)
  await page.getByRole('button', { name: 'Book lesson' }).waitFor()
}

describe('a repeated lesson', () => {
  it('is booked on every date, shown immediately, and removed by Undo', { tags: 'promise' }, async () => {
    await board()
    await page.context().route('**/api/v1/changes/since?*', (route) => route.abort())
    await repeat('3')
    await dialog().getByText('3 of 3 dates are possible').waitFor()
    await expect
      .poll(() => dialog().getByRole('list', { name: 'Possible dates' }).getByRole('listitem').count())
      .toBe(3)
    await expect.poll(() => dialog().getByLabel('Until').first().inputValue()).toBe('15/03/2032')
    await submit('Book 3 lessons').click()
    await told(/^Booked: 3 lessons, Lena Vogt\.$/)
    await blocks().waitFor()
    await expect.poll(() => starts()).toEqual(['2032-03-01 08:00', '2032-03-08 08:00', '2032-03-15 08:00'])
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await told(/^Undone: booked 3 lessons for/)
    await blocks().waitFor({ state: 'detached' })
    expect(await lessons()).toEqual([])
  })

  it('shows why a date does not fit, and is booked at another time on that day', {}, async () => {
    await secondIsTaken()
    await board()
    await repeat('3')
    await dialog().getByText('2 of 3 dates are possible').waitFor()
    await dialog().getByText('Jonas Brandt already has an appointment 08:00–10:00.').waitFor()
    const choices = dialog()
      .getByRole('group', { name: /^Mon,? 8 Mar(?: 2032)?, 08:00–09:30$/ })
      .getByRole('button')
    await expect.poll(() => choices.count()).toBe(4)
    await submit('Book 2 lessons').waitFor()
    await choices.filter({ hasText: '10:00–11:30' }).click()
    await submit('Book 3 lessons').click()
    await told(/^Booked: 3 lessons, Lena Vogt\.$/)
    const booked = (await lessons()).filter(({ start_at }) => start_at !== `${SECOND} 08:00`)
    expect(booked.map(({ start_at }) => start_at)).toEqual([
      '2032-03-01 08:00',
      '2032-03-08 10:00',
      '2032-03-15 08:00',
    ])
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await told(/^Undone: booked 3 lessons for/)
    expect(await lessons()).toHaveLength(1)
  })

  it('by default skips dates that do not fit, when booked by keyboard', async () => {
    await secondIsTaken()
    await board()
    await page.keyboard.press('n')
    await dialog().locator(':focus').pressSequentially('vog')
    await page.keyboard.press('Enter')
    await dialog().getByText('Possible', { exact: true }).waitFor()
    await dialog().getByRole('switch', { name: 'Repeat weekly' }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('2')
    await dialog().getByText('1 of 2 dates are possible').waitFor()
    await submit('Book 1 lesson').waitFor()
    await page.keyboard.press('Enter')
    await told(/^Booked: 1 lesson, Lena Vogt\. 1 left out\.$/)
  })

  it('repeats every two weeks until an end date', async () => {
    await board()
    await repeat('3')
    await dialog().getByLabel('Every … weeks').fill('2')
    await dialog().getByLabel('Until').first().fill('11/04/2032')
    await page.keyboard.press('Tab')
    await expect.poll(() => dialog().getByLabel('Number of lessons').inputValue()).toBe('3')
    await submit('Book 3 lessons').click()
    await told(/^Booked: 3 lessons/)
    await expect.poll(() => starts()).toEqual(['2032-03-01 08:00', '2032-03-15 08:00', '2032-03-29 08:00'])
  })

  it('cannot be booked as a series of one lesson', async () => {
    await board()
    await repeat('1')
    await dialog().getByText('A series has 2 to 52 lessons, 1 to 8 weeks apart.').waitFor()
    await expect.poll(() => dialog().locator('button[type=submit]').isDisabled()).toBe(true)
    await dialog().getByRole('switch', { name: 'Repeat weekly' }).click()
    await submit('Book').click()
    await told(/^Booked: Lena Vogt/)
    await expect.poll(() => lessons()).toHaveLength(1)
  })

  it('is booked once even if the response is lost', async () => {
    await board()
    const keys: (string | undefined)[] = []
    await page.route('**/api/v1/appointments/series', async (route) => {
      const { dry_run } = route.request().postDataJSON()
      if (dry_run) return route.fallback()
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length > 1) return route.fallback()
      expect((await route.fetch()).status()).toBe(200)
      return route.abort()
    })
    await repeat('3')
    await submit('Book 3 lessons').click()
    await dialog().getByText('The service cannot be reached. Check the connection.').waitFor()
    await blocks().waitFor()
    await expect.poll(() => dialog().innerText()).not.toContain('already')
    await submit('Book 3 lessons').click()
    await told(/^Booked: 3 lessons, Lena Vogt\.$/)
    await expect.poll(() => lessons()).toHaveLength(3)
    expect([keys.length, new Set(keys).size, typeof keys[0]]).toEqual([2, 1, 'string'])
  })
})

describe('two dates that do not fit', () => {
  it('cannot both be moved to the same time', async () => {
    await school.lesson({ instructor_id: jonas.id, start_at: `${SECOND} 08:00`, end_at: `${SECOND} 14:30` })
    await school.lesson({ instructor_id: jonas.id, start_at: '2032-03-15 08:00', end_at: '2032-03-15 16:00' })
    await board()
    await repeat('3')
    await dialog().getByText('1 of 3 dates are possible').waitFor()
    const choices = (day: number) =>
      dialog()
        .getByRole('group', { name: new RegExp(`^Mon,? ${day} Mar`) })
        .getByRole('button')
    const shared = (day: number) => choices(day).filter({ hasText: /8 Mar(?: 2032)?, 14:30/ })
    const pressed = (day: number) =>
      dialog()
        .getByRole('group', { name: `${day} Mar` })
        .locator('[aria-pressed=true]')
    await shared(8).click()
    await submit('Book 2 lessons').waitFor()
    await shared(15).click()
    await expect.poll(() => pressed(8).innerText()).toBe('Leave out')
    await expect.poll(() => pressed(15).innerText()).toMatch(/8 Mar(?: 2032)?, 14:30–16:00$/)
    await submit('Book 2 lessons').click()
    await told(/^Booked: 2 lessons, Lena Vogt\. 1 left out\.$/)
  })
})

describe('a series on a phone, in German', () => {
  it('is booked by tapping, and its form does not overflow horizontally', async () => {
    await secondIsTaken()
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, locale: 'de-DE' }
    page = await open(`/?date=${DATE}`, phone)
    await logInAt(page, school)
    await page.getByTitle('(n)').tap()
    await dialog().getByLabel('Fahrschüler').first().fill('vogt')
    await page.getByRole('option', { name: 'Lena Vogt' }).tap()
    await dialog().getByRole('switch', { name: 'Wöchentlich wiederholen' }).tap()
    await dialog().getByText('9 von 10 Terminen sind möglich').waitFor()
    await dialog()
      .getByRole('group', { name: /8\. März/ })
      .getByRole('button', { name: /10:00–11:30/ })
      .tap()
    const wide = await dialog().evaluate(
      ({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }) =>
        scrollWidth - clientWidth,
    )
    expect(wide).toBe(0)
    await submit('10 Stunden buchen').tap()
    await told(/^Gebucht: 10 Stunden, Lena Vogt\.$/)
    await expect.poll(() => lessons()).toHaveLength(11)
  })
})
