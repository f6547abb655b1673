import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { boxOf, handleFirst, logInAt, useBrowser } from '../support/browser.ts'
import { PASSWORD, type Row } from '../support/factory.ts'
import { aDay, DATE, type Day, doubleClickAt, NOW, onPhone } from './instructors-day.ts'
import { keptIn } from './kept.ts'

const service = useService()
const open = useBrowser(service)

let day: Omit<Day, 'page'>
let page: Page

beforeEach(async () => {
  day = await aDay(service())
})

const large = () => page.locator('section').first()
const line = (name: string) => page.getByRole('listitem').filter({ hasText: name })
const stored = async ({ id }: Row) => (await day.school.client.get(`/appointments/${id}`)).body

describe('a lesson on the phone', () => {
  beforeEach(async () => {
    page = await onPhone(service(), open, day)
  })

  const press = (name: string) => large().getByRole('button', { name, exact: true }).tap()
  const at = (time: string) => `${DATE} ${time}`

  describe('the actual times of a lesson', () => {
    it('are recorded by a tap at the start and one at the end, and ignore a double tap', async () => {
      await doubleClickAt(NOW, large().getByRole('button', { name: 'Lesson begins' }))
      await large().getByText('Began 10:15, until 11:45').waitFor()
      await expect
        .poll(() => stored(day.running))
        .toMatchObject({ status: 'planned', actual_start_at: at('10:15'), actual_end_at: at('11:45') })
      await page.clock.setFixedTime(`${DATE}T10:35:00Z`)
      await page.clock.fastForward(5_000)
      await press('Done')
      await large().getByText('Next', { exact: true }).waitFor()
      await line('Tom Berg').getByRole('button').first().tap()
      await large().getByText('Actual time 10:15–11:35').waitFor()
      await page.getByText('3 appointments · 1:20 h worked').waitFor()
      await expect
        .poll(() => stored(day.running))
        .toMatchObject({ status: 'completed', actual_start_at: at('10:15'), actual_end_at: at('11:35') })
      await press('Undo “done”')
      await expect
        .poll(() => stored(day.running))
        .toMatchObject({ status: 'planned', actual_start_at: null, actual_end_at: null })
    })

    it('can be corrected to the minute, even for a lesson that was never started', async () => {
      await line('Lena Vogt').getByRole('button', { name: 'Done' }).tap()
      await page.getByText('3 appointments · 1:30 h worked').waitFor()
      await line('Lena Vogt').getByRole('button').first().tap()
      await press('Correct the times')
      await page.getByLabel('Actual start').fill('08:07')
      await page.getByLabel('Actual end').fill('09:41')
      await press('Save')
      await large().getByText('Actual time 08:07–09:41').waitFor()
      await page.getByText('3 appointments · 1:34 h worked').waitFor()
      await expect
        .poll(() => stored(day.early))
        .toMatchObject({ actual_start_at: at('08:07'), actual_end_at: at('09:41'), start_at: at('08:00') })
    })

    it('survive when the app is closed before they are saved', async () => {
      await line('Lena Vogt').getByRole('button', { name: 'Done' }).tap()
      await line('Lena Vogt').getByRole('button').first().tap()
      await press('Correct the times')
      await page.getByLabel('Actual end').fill('09:41')
      const again = await page.context().newPage()
      await page.close({ runBeforeUnload: false })
      await again.clock.install({ time: NOW })
      await again.goto(`${service().url}/today`)
      await again.getByRole('listitem').filter({ hasText: 'Lena Vogt' }).getByText('not saved').waitFor()
      await again.getByRole('listitem').filter({ hasText: 'Lena Vogt' }).getByRole('button').first().tap()
      await expect.poll(() => again.getByLabel('Actual end').inputValue()).toBe('09:41')
      await again.locator('section').first().getByRole('button', { name: 'Save' }).tap()
      await expect.poll(() => stored(day.early)).toMatchObject({ actual_end_at: at('09:41') })
      const third = await again.context().newPage()
      await third.clock.install({ time: NOW })
      await third.goto(`${service().url}/today?lesson=${day.early.id}`)
      await third.getByText('Actual time 08:00–09:41').waitFor()
      await expect.poll(() => third.getByLabel('Actual end').count()).toBe(0)
    })

    it('of a few minutes are recorded only after a question, and can be dropped for the planned ones', async () => {
      const question = large().getByRole('group', { name: 'How long did it take?' })
      await press('Lesson begins')
      await large().getByText('Began 10:15, until 11:45').waitFor()
      await page.clock.setFixedTime(`${DATE}T09:19:00Z`)
      await page.clock.fastForward(5_000)
      await press('Done')
      await question.getByText('90 minutes were planned, 4 minutes have passed.').waitFor()
      expect(await stored(day.running)).toMatchObject({ status: 'planned' })
      await question.getByRole('button', { name: 'Cancel' }).tap()
      await expect.poll(() => question.count()).toBe(0)
      await press('Done')
      await press('Actual time 10:15–10:19')
      await expect
        .poll(() => stored(day.running))
        .toMatchObject({ status: 'completed', actual_start_at: at('10:15'), actual_end_at: at('10:19') })
      await line('Tom Berg').getByRole('button').first().tap()
      await press('Undo “done”')
      await press('Done')
      await question.getByText('90 minutes were planned, 19 minutes have passed.').waitFor()
      await press('As planned 10:00–11:30')
      await expect
        .poll(() => stored(day.running))
        .toMatchObject({ status: 'completed', actual_start_at: null, actual_end_at: null })
    })

    it('are rejected if they end before they start, and need confirmation if far from the plan', async () => {
      const times = async (start: string, end: string) => {
        await page.getByLabel('Actual start').fill(start)
        await page.getByLabel('Actual end').fill(end)
      }
      await line('Lena Vogt').getByRole('button', { name: 'Done' }).tap()
      await line('Lena Vogt').getByRole('button').first().tap()
      await press('Correct the times')
      await times('04:00', '03:30')
      await press('Save')
      await large().getByText('The end must be after the start.').waitFor()
      await times('04:00', '09:30')
      await large().getByRole('button', { name: 'Save' }).dblclick()
      await large().getByText('Planned 08:00–09:30. Is 04:00–09:30 (330 min) right?').waitFor()
      await times('06:59', '09:30')
      await press('Save')
      await large().getByText('Is 06:59–09:30 (151 min) right?').waitFor()
      await expect.poll(() => stored(day.early)).toMatchObject({ actual_start_at: null })
      await press('Yes, save')
      await large().getByText('Actual time 06:59–09:30').waitFor()
      await expect
        .poll(() => stored(day.early))
        .toMatchObject({ actual_start_at: at('06:59'), actual_end_at: at('09:30') })
    })

    it('are shown beside the planned times on the lesson card and the day sheet of the office', async () => {
      await day.school.client.patch(`/appointments/${day.running.id}`, {
        status: 'completed',
        practised: 'Parking in reverse.',
        actual_start_at: at('10:05'),
        actual_end_at: at('11:47'),
      })
      const office = await open(`/?date=${DATE}&lesson=${day.running.id}`, { as: day.school })
      const card = office.getByRole('dialog')
      for (const text of ['10:00–11:30', '10:05–11:47', 'Parking in reverse.'])
        await card.getByText(text).first().waitFor()
      await office.goto(`${service().url}/day-sheet?day=${DATE}&instructor=${day.jonas.id}`)
      for (const text of ['10:00–11:30', 'Actual time 10:05–11:47', '1:42 h worked'])
        await office.getByText(text).first().waitFor()
    })
  })

  describe('the practised content of a lesson', () => {
    it('is entered after the start of the lesson and shown before the next one', async () => {
      await page.getByLabel('Practised').fill('Parking. Next: the motorway.')
      await press('Save')
      await expect
        .poll(async () => (await stored(day.running)).practised)
        .toBe('Parking. Next: the motorway.')
      await day.school.lesson({
        instructor_id: day.jonas.id,
        student_id: day.running.student_id,
        start_at: '2032-03-02 10:00',
        end_at: '2032-03-02 11:30',
      })
      await page.getByRole('button', { name: 'Next day' }).tap()
      await large().getByText('Last practised, Mon 1 Mar').waitFor()
      await large().getByText('Parking. Next: the motorway.').waitFor()
      await expect.poll(() => page.getByLabel('Practised', { exact: true }).count()).toBe(0)
    })
  })

  describe('notes', () => {
    it('survive when the app is closed before they are saved', async () => {
      await page.getByLabel('Notes').fill('Glasses')
      await page.getByLabel('Practised').fill('Parking')
      const again = await page.context().newPage()
      await page.close({ runBeforeUnload: false })
      await again.clock.install({ time: NOW })
      await again.goto(`${service().url}/today`)
      await expect.poll(() => again.getByLabel('Practised').inputValue()).toBe('Parking')
      await expect.poll(() => again.getByLabel('Notes').inputValue()).toBe('Glasses')
      await again.locator('section').first().getByRole('button', { name: 'Save' }).first().tap()
      await expect.poll(async () => (await stored(day.running)).notes).toBe('Glasses')
      expect((await stored(day.running)).practised).toBeNull()
    })

    it('are saved together with Done in one change', async () => {
      await page.getByLabel('Practised').fill('Parking')
      await page.getByLabel('Notes').fill('Glasses')
      await press('Done')
      await press('As planned 10:00–11:30')
      await expect
        .poll(() => stored(day.running))
        .toMatchObject({ status: 'completed', practised: 'Parking', notes: 'Glasses', version: 2 })
      await line('Tom Berg').getByRole('button').first().tap()
      await expect.poll(() => large().getByRole('button', { name: 'Save' }).count()).toBe(0)
    })

    it('that the office has changed concurrently are not overwritten by Done', async () => {
      await page.getByLabel('Notes').fill('Glasses')
      await day.school.client.patch(`/appointments/${day.running.id}`, {
        notes: 'Call her mother',
        practised: 'Parking',
      })
      await page.clock.fastForward(30_000)
      await expect.poll(() => page.getByLabel('Practised').inputValue()).toBe('Parking')
      await press('Done')
      await press('As planned 10:00–11:30')
      await expect.poll(() => stored(day.running)).toMatchObject({ status: 'completed' })
      expect((await stored(day.running)).notes).toBe('Call her mother')
    })

    it('keep text that is typed during a save', async () => {
      const notes = page.getByLabel('Notes')
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      await handleFirst(page, `**/api/v1/appointments/${day.running.id}`, async (route) => {
        await held
        await route.continue()
      })
      await notes.fill('Motorway')
      await press('Save')
      await notes.fill('Motorway next.')
      release()
      await expect.poll(async () => (await stored(day.running)).notes).toBe('Motorway')
      await expect.poll(() => notes.inputValue()).toBe('Motorway next.')
      await press('Save')
      await expect.poll(async () => (await stored(day.running)).notes).toBe('Motorway next.')
      await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    })
  })
})

const button = (name: string) => large().getByRole('button', { name, exact: true })

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
