import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
/** A Thursday. */
const DAY = '2032-05-06'
const FRIDAY = '2032-05-07'
const HOURS = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '08:00', end: '17:00' }))

let school: School
let jonas: Row
let page: Page
let clicks = 0
let keys = 0

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Klein', availability_windows: HOURS })
  clicks = 0
  keys = 0
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const row = ({ id }: Row) => page.locator(`[data-lesson-row="${id}"]`)
const stored = async ({ id }: Row) => (await school.client.get(`/appointments/${id}`)).body

async function click(what: Locator): Promise<void> {
  await what.click()
  clicks += 1
}

async function type(text: string): Promise<void> {
  await page.keyboard.type(text)
  keys += text.length
}

async function press(key: string): Promise<void> {
  await page.keyboard.press(key)
  keys += 1
}

async function book(day: string, hour: number, fields: object = {}): Promise<Row> {
  const student = await school.student({ first_name: 'Lena', last_name: `Kurz ${hour}` })
  const at = (one: number) => `${day} ${String(one).padStart(2, '0')}:00`
  const times = { start_at: at(hour), end_at: at(hour + 1) }
  return school.lesson({ instructor_id: jonas.id, student_id: student.id, ...times, ...fields })
}

const vehicle = async (name: string): Promise<Row> =>
  (await school.client.post('/vehicles', { name, kind: 'car' })).body

describe('a vehicle in the workshop', () => {
  it('gets its lessons of two days handled in three clicks and seven keys, and back in one', {
    tags: 'promise',
  }, async () => {
    const [golf, polo] = [await vehicle('Golf'), await vehicle('Polo')]
    const with_golf = { vehicle_ids: [golf.id] }
    const lessons = [
      await book(DAY, 9, with_golf),
      await book(DAY, 11, with_golf),
      await book(FRIDAY, 9, with_golf),
    ]
    page = await open(`/?date=${DAY}&view=vehicles`, { as: school })
    await click(button('Golf is away'))
    await page.locator('input:focus').waitFor()
    await type('07.05.')
    await press('Enter')
    await page.getByText('3 still undecided').waitFor()
    expect(await page.getByText('Substitute', { exact: true }).count()).toBe(0)
    await click(button('Accept all suggestions'))
    await page.getByText('All decided').waitFor()
    await click(button('Record absence'))
    await page.getByText('Recorded: 3 in another vehicle.').waitFor()
    expect({ clicks, keys }).toEqual({ clicks: 3, keys: 7 })
    for (const lesson of lessons) expect((await stored(lesson)).vehicle_ids).toEqual([polo.id])
    await click(button('Undo absence'))
    await page.getByText('3 still undecided').waitFor()
    for (const lesson of lessons) expect((await stored(lesson)).vehicle_ids).toEqual([golf.id])
    expect((await school.client.get(`/vehicles/${golf.id}`)).body.absences).toEqual([])
  })

  it('is taken out of use from the settings, with other vehicles for its lessons, and put back', async () => {
    const [golf, polo] = [await vehicle('Golf'), await vehicle('Polo')]
    const lesson = await book(DAY, 9, { vehicle_ids: [golf.id] })
    page = await open('/settings?chapter=vehicles', { as: school })
    await click(button('Golf: Classes, gearbox, notes, workshop'))
    await click(page.getByRole('link', { name: 'No longer used: decide on its lessons' }))
    await page.getByRole('heading', { name: 'Golf is no longer used' }).waitFor()
    await row(lesson).waitFor()
    await click(button('Accept all suggestions'))
    await click(button('Take out of use'))
    await page.getByText('Recorded: 1 in another vehicle.').waitFor()
    expect((await stored(lesson)).vehicle_ids).toEqual([polo.id])
    expect((await school.client.get(`/vehicles/${golf.id}`)).body.active).toBe(false)
    await click(button('Use it again'))
    await page.getByText('1 still undecided').waitFor()
    expect((await school.client.get(`/vehicles/${golf.id}`)).body.active).toBe(true)
  })

  it('leads from its switch to its lessons, and is taken out of use at once without any', async () => {
    const [golf, polo] = [await vehicle('Golf'), await vehicle('Polo')]
    const lesson = await book(DAY, 9, { vehicle_ids: [golf.id] })
    const isActive = async ({ id }: Row) => (await school.client.get(`/vehicles/${id}`)).body.active
    const use = (name: string) => page.getByLabel(`${name}: In use`, { exact: true })
    page = await open('/settings?chapter=vehicles', { as: school })
    await use('Polo').press(' ')
    await expect.poll(() => isActive(polo)).toBe(false)
    await use('Polo').press(' ')
    await expect.poll(() => isActive(polo)).toBe(true)
    await page.getByLabel('Golf: Licence plate').fill('B AB 1')
    await use('Golf').press(' ')
    await page.getByRole('heading', { name: 'Golf is no longer used' }).waitFor()
    await row(lesson).waitFor()
    expect((await school.client.get(`/vehicles/${golf.id}`)).body).toMatchObject({
      ...{ active: true, plate: 'B AB 1' },
    })
    await click(button('Accept all suggestions'))
    await click(button('Take out of use'))
    await page.getByText('Recorded: 1 in another vehicle.').waitFor()
    expect(await isActive(golf)).toBe(false)
  })

  it('marks the lessons that keep it on the board', async () => {
    const golf = await vehicle('Golf')
    const lesson = await book(DAY, 9, { vehicle_ids: [golf.id] })
    const absences = [{ start_at: `${DAY} 08:00`, end_at: `${DAY} 12:00` }]
    await school.client.patch(`/vehicles/${golf.id}`, { absences })
    page = await open(`/?date=${DAY}`, { as: school })
    await page.locator(`[data-lesson="${lesson.id}"]`).getByText('Golf is away').waitFor()
  })
})

describe('a day to be closed', () => {
  it('shows its lessons and handles them in two clicks and seven keys, from the board of that day', async () => {
    const lessons = [await book(DAY, 9), await book(DAY, 11)]
    page = await open(`/?date=${DAY}`, { as: school })
    await page.locator(`[data-lesson="${lessons[0]?.id}"]`).waitFor()
    await press('/')
    await page.getByRole('combobox').waitFor()
    await type('close')
    await page.getByRole('option', { name: 'Close the school' }).waitFor()
    await press('Enter')
    await page.getByText('2 still undecided').waitFor()
    await click(button('Accept all suggestions'))
    await click(button('Close the school'))
    await page.getByText('Recorded: 2 moved.').waitFor()
    expect({ clicks, keys }).toEqual({ clicks: 2, keys: 7 })
    expect((await school.client.get('/closures')).body).toMatchObject([{ start_date: DAY, end_date: DAY }])
    for (const lesson of lessons) expect((await stored(lesson)).start_at.slice(0, 10)).toBe(FRIDAY)
    await click(button('Open the days again'))
    await page.getByText('2 still undecided').waitFor()
    expect((await school.client.get('/closures')).body).toEqual([])
  })

  it('leads from the settings to its lessons with the typed note, and closes at once without lessons', async () => {
    const lesson = await book(DAY, 9)
    page = await open('/settings?chapter=days', { as: school })
    const form = page.getByRole('group', { name: 'Closures' })
    const fill = async (day: string) => {
      await form.getByLabel('First day').fill(day)
      await form.getByLabel('First day').press('Tab')
      await form.getByLabel('Reason').fill('Works outing')
      await form.getByRole('button', { name: 'Add closure', exact: true }).click()
    }
    await fill('13.05.2032')
    await form.getByText('Works outing').waitFor()
    await fill('06.05.2032')
    await row(lesson).waitFor()
    expect(await page.getByLabel('Reason', { exact: true }).inputValue()).toBe('Works outing')
    expect((await school.client.get('/closures')).body).toHaveLength(1)
  })
})

describe('a lower limit', () => {
  it('names one lesson of a day that has one too many, and stores it with the decision', async () => {
    const lessons = [await book(DAY, 8), await book(DAY, 10), await book(DAY, 12)]
    page = await open(`/instructors?instructor=${jonas.id}`, { as: school })
    await page.getByLabel('Units a day').first().fill('3')
    await page.getByText('1 upcoming lesson').first().waitFor()
    await click(button('Decide on these lessons together'))
    await row(lessons[2] as Row).waitFor()
    await expect.poll(() => page.locator('[data-lesson-row]').count()).toBe(1)
    await click(button('Accept all suggestions'))
    await click(button('Save with decisions'))
    await page.getByText('Recorded: 1 moved.').waitFor()
    expect((await school.client.get(`/instructors/${jonas.id}`)).body.max_daily_units).toBe(3)
    await click(button('Undo change'))
    await page.getByText('1 still undecided').waitFor()
    expect((await school.client.get(`/instructors/${jonas.id}`)).body.max_daily_units).toBe(null)
  })
})

describe('new hours from a date', () => {
  it('take three clicks and eight keys beside the changed days, and end the present ones', async () => {
    page = await open(`/instructors?instructor=${jonas.id}`, { as: school })
    await click(button('New hours from…'))
    await page.getByRole('textbox', { name: 'New hours from' }).waitFor()
    await type('01.01.33')
    await click(button('Begin'))
    await page.getByRole('combobox', { name: 'Hours to show' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: /^Remove Monday/ }).count()).toBe(1)
    await page.getByRole('button', { name: 'Remove Friday 08:00–17:00' }).click()
    await click(button('Save'))
    const windows = async () =>
      (await school.client.get(`/instructors/${jonas.id}`)).body.availability_windows
    await expect.poll(async () => (await windows()).length).toBe(9)
    const ending = HOURS.map((one) => ({ ...one, valid_from: null, valid_to: '2032-12-31' }))
    const beginning = HOURS.slice(0, 4).map((one) => ({ ...one, valid_from: '2033-01-01', valid_to: null }))
    expect(await windows()).toEqual(expect.arrayContaining([...ending, ...beginning]))
    expect({ clicks, keys }).toEqual({ clicks: 3, keys: 8 })
  })
})
