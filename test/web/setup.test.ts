import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { boxOf, useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)

let school: School
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
})

const dialog = () => page.getByRole('dialog').last()
const steps = () => page.getByRole('navigation', { name: 'Getting started' })

/** Paints over a day with one stroke, between two fractions of its height. */
async function paint(weekday: number, from: number, to: number): Promise<void> {
  const column = page.locator(`[data-weekday="${weekday}"]`)
  await column.scrollIntoViewIfNeeded()
  const { x, y, height } = await boxOf(column)
  await page.mouse.move(x + 10, y + height * from + 3)
  await page.mouse.down()
  await page.mouse.move(x + 10, y + height * to - 3, { steps: 4 })
  await page.mouse.up()
}

describe('an empty school', () => {
  it('is guided from its working hours to its first lesson', { tags: 'promise' }, async () => {
    page = await open('/', { as: school })
    await page.getByText('There are no instructors yet.').waitFor()
    await steps().getByRole('link', { name: 'Usual working hours' }).click()
    await page.getByText('Bookable at any time').waitFor()
    await paint(1, 2 / 16, 11 / 16)
    await page.getByRole('button', { name: 'Tu–Fr' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved: Fahrschule Test').waitFor()

    await steps().getByRole('link', { name: 'First instructor' }).click()
    await dialog().getByLabel('First name').fill('Jonas')
    await dialog().getByLabel('Last name').fill('Brandt')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved: Jonas Brandt').waitFor()

    await steps().getByRole('link', { name: 'First student' }).click()
    await dialog().getByLabel('First name').fill('Lena')
    await dialog().getByLabel('Last name').fill('Vogt')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog', { name: 'Lena Vogt' }).waitFor()
    await page.reload()
    await page.getByRole('dialog', { name: 'Lena Vogt' }).waitFor()
    await page.keyboard.press('Escape')
    await steps().getByRole('link', { name: 'First lesson' }).click()
    await page.getByRole('dialog', { name: 'Book lesson' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Book lesson' }).waitFor({ state: 'detached' })
    await steps().getByRole('link', { name: 'First lesson' }).waitFor()
    const { id: instructor_id } = (await school.client.get('/instructors')).body[0]
    await school.lesson({ instructor_id, start_at: '2099-03-02 09:00', end_at: '2099-03-02 10:30' })
    await steps().waitFor({ state: 'detached' })

    const [jonas] = (await school.client.get('/instructors')).body
    const hours = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '08:00', end: '17:00' }))
    expect(jonas.availability_windows).toEqual(hours)
  })

  it('has buttons to add the first instructor and the first student', async () => {
    page = await open('/', { as: school })
    await page.getByRole('main').getByRole('button', { name: 'New instructor' }).click()
    await page.getByRole('dialog', { name: 'New instructor' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('There are no instructors yet.').waitFor()
    await page.getByRole('link', { name: 'Students', exact: true }).click()
    await page.getByRole('button', { name: 'New student' }).click()
    await page.getByRole('dialog', { name: 'New student' }).waitFor()
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('There are no students yet.').waitFor()
  })
})

describe('the settings', () => {
  const reopen = async () => {
    page = await open('/', { as: school })
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
  }
  const chapter = (name: string) =>
    page.getByRole('navigation', { name: 'Chapters' }).getByRole('link', { name, exact: true }).click()

  it('store a new name, language and limit, and the page shows them immediately', async () => {
    await reopen()
    await page.getByLabel('Name').first().fill('   ')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Name: must not be empty.').waitFor()
    await page.getByLabel('Name').first().fill('Fahrschule Süd')
    await page.getByRole('combobox', { name: 'Language' }).click()
    await page.getByRole('option', { name: 'English' }).click()
    await chapter('Instructors')
    await page.getByLabel('Units a day').fill('8')
    await page.getByRole('button', { name: 'Save', exact: true }).dblclick()
    await page.getByRole('banner').getByText('Fahrschule Süd').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
    const { body } = await school.client.get('/tenant')
    expect(body).toMatchObject({ name: 'Fahrschule Süd', locale: 'en', default_max_daily_units: 8 })
    await page.getByRole('link', { name: 'Changes' }).click()
    await page.getByText('German → English').waitFor()
  })

  it('are not overwritten by a stale form, which keeps its input', async () => {
    await reopen()
    await page.getByLabel('Name').first().fill('Fahrschule Süd')
    await school.client.patch('/tenant', { default_max_daily_units: 7 })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Somebody else has changed').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved: Fahrschule Süd').waitFor()
    await expect.poll(() => page.getByLabel('Units a day').inputValue()).toBe('7')
    const { body } = await school.client.get('/tenant')
    expect(body).toMatchObject({ name: 'Fahrschule Süd', default_max_daily_units: 7 })
  })

  it('keep what another owner has changed in the same group when a stale form is saved again', async () => {
    await reopen()
    await chapter('Messages')
    await page.getByRole('switch', { name: 'Confirmation' }).press(' ')
    await chapter('Student’s page')
    await page.getByRole('switch', { name: 'Cancel lessons' }).press(' ')
    const [quiet, cancel] = [{ from: '20:00', to: '08:00' }, true]
    await school.client.patch('/tenant', { messages: { quiet }, student_actions: { wish: true } })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(/^Somebody else has changed these settings/).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(/^Saved/).waitFor()
    expect((await school.client.get('/tenant')).body).toMatchObject({
      messages: { booked: true, quiet },
      student_actions: { cancel, wish: true },
    })
    await expect.poll(() => page.getByLabel('Quiet from').inputValue()).toBe('20:00')
  })

  it('keep input that is typed during a save', async () => {
    await reopen()
    const saving = Promise.withResolvers<void>()
    await page.route('**/api/v1/tenant', async (route) => {
      await saving.promise
      await route.continue()
    })
    await page.getByLabel('Name').first().fill('Fahrschule Süd')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await chapter('Instructors')
    await page.getByLabel('Units a day').fill('7')
    saving.resolve()
    await page.getByText('Saved: Fahrschule Süd').waitFor()
    await expect.poll(() => page.getByLabel('Units a day').inputValue()).toBe('7')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect
      .poll(async () => (await school.client.get('/tenant')).body)
      .toMatchObject({ name: 'Fahrschule Süd', default_max_daily_units: 7 })
  })

  it('take the place of the school as a town or the link of a map, and the changes show old and new values', async () => {
    await reopen()
    const place = page.getByRole('combobox', { name: 'Place of the school' })
    const save = async () => {
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect.poll(() => page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
    }
    const stored = async () => (await school.client.get('/tenant')).body
    await expect.poll(() => place.inputValue()).toBe('near Berlin (52.5, 13.37)')
    await place.fill('Atlantis')
    await page.getByText(/^No town with this name/).waitFor()
    await place.fill('achen')
    await page.getByRole('option', { name: 'Aachen', exact: true }).click()
    await save()
    expect(await stored()).toMatchObject({ latitude: 50.78, longitude: 6.08 })
    await expect.poll(() => place.inputValue()).toBe('Aachen')
    await place.fill('https://www.openstreetmap.org/#map=13/50.7/13.37')
    await place.press('Enter')
    await save()
    expect(await stored()).toMatchObject({ latitude: 50.7, longitude: 13.37 })
    await page.getByRole('link', { name: 'Changes' }).click()
    await page.getByText('Latitude: 52.5° → 50.78°').waitFor()
  })

  it('have chapters with addresses and a search that leads to a field, and show the chapter of a fault', async () => {
    await reopen()
    await page.getByLabel('Name').first().fill('')
    await chapter('Vehicles')
    await page.getByRole('button', { name: 'Add a vehicle' }).waitFor()
    await page.waitForURL('**/settings?chapter=vehicles')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const focused = page.locator(':focus')
    await focused.and(page.getByLabel('Name').first()).waitFor()
    const search = page.getByRole('searchbox', { name: 'Find a setting' })
    for (const [typed, label] of [
      ['quite from', 'Quiet from'],
      ['numbers 168', 'Reminder, hours before'],
    ] as const) {
      await search.fill(typed)
      await search.press('Enter')
      await focused.and(page.getByLabel(label, { exact: true })).waitFor()
      await page.waitForURL('**/settings?chapter=messages')
    }
    await search.fill('payslip')
    await page.getByText('No setting found.').waitFor()
    await search.fill('')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('link', { name: 'All settings' }).click()
    await chapter('Cancellations and fees')
    await page.getByRole('button', { name: 'Add a rule' }).waitFor()
  })

  it('mark the fields of messages that cannot be saved', async () => {
    await reopen()
    await chapter('Messages')
    const hours = page.getByLabel('Reminder, hours before')
    const save = page.getByRole('button', { name: 'Save', exact: true })
    for (const text of ['24 h, 2 h', '1.5', '1 2 3 4 5 6', '169']) {
      await hours.fill(text)
      await page.getByText('Whole numbers from 1 to 168, at most 5 of them. Example: 24, 2').waitFor()
      await expect.poll(() => save.isDisabled()).toBe(true)
    }
    await hours.fill('24, 2')
    await page.getByLabel('Quiet from').fill('20:00')
    await page.getByText('must not be empty.').waitFor()
    await expect.poll(() => page.getByLabel('Quiet until').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Quiet until').fill('08:00')
    await page.getByText('must not be empty.').waitFor({ state: 'detached' })
    await save.click()
    const quiet = { from: '20:00', to: '08:00' }
    await expect
      .poll(async () => (await school.client.get('/tenant')).body.messages)
      .toMatchObject({ reminder_hours: [24, 2], quiet })
  })

  it('ask before discarding unsaved input', async () => {
    await reopen()
    await page.getByLabel('Name').first().fill('Fahrschule Süd')
    await page.goBack()
    await dialog().getByRole('button', { name: 'Keep editing' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => page.getByLabel('Name').first().inputValue()).toBe('Fahrschule Süd')
    await page.getByRole('link', { name: 'Board' }).click()
    await dialog().getByRole('button', { name: 'Discard' }).click()
    await page.getByText('There are no instructors yet.').waitFor()
  })
})

describe('the editor of weekly hours', () => {
  it('explains an empty week, and copies one day to another or to all workdays', {}, async () => {
    const { id } = await school.instructor()
    page = await open(`/instructors?instructor=${id}`, { as: school })
    await dialog().getByText('Bookable at any time').waitFor()
    await paint(2, 4 / 16, 8 / 16)
    await dialog().getByText('Bookable at any time').waitFor({ state: 'detached' })
    await dialog().getByRole('button', { name: 'also on Saturday' }).click()
    await dialog().getByLabel('from').first().waitFor()
    await dialog().getByRole('button', { name: 'Mo–Fr' }).click()
    await dialog().getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved: Jonas Brandt').waitFor()
    const { body } = await school.client.get(`/instructors/${id}`)
    expect(body.availability_windows).toEqual(
      [1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, start: '10:00', end: '14:00' })),
    )
  })
})

describe('the board', () => {
  it('restores the last view, instructor and columns, but not the date', {}, async () => {
    const [ada, ben] = [
      await school.instructor({ first_name: 'Ada', last_name: 'Zuse' }),
      await school.instructor({ first_name: 'Ben', last_name: 'Adam' }),
    ]
    page = await open('/', { as: school })
    await page.getByRole('button', { name: 'Week', exact: true }).click()
    await page.getByRole('toolbar').getByRole('combobox').selectOption({ label: 'Ben Adam' })
    await page.waitForURL(new RegExp(`instructor=${ben.id}`))
    await page.goto(`${service().url}/`)
    await page.waitForURL(new RegExp(`instructor=${ben.id}`))
    expect(new URL(page.url()).searchParams.has('date')).toBe(false)
    await page.getByRole('button', { name: 'Day', exact: true }).click()
    await page.waitForURL((url) => !url.searchParams.has('view'))
    await page.goto(`${service().url}/?instructor=${ada.id}`)
    await page.locator('.column-name').first().waitFor()
    await expect
      .poll(() => page.locator('.column-name').allInnerTexts())
      .toEqual([expect.stringContaining('Ada Zuse'), expect.stringContaining('Ben Adam')])
  })
})
