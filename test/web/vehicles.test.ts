import type { Locator, Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import type { Vehicle } from '../../src/contract/vehicle.ts'
import { useService } from '../support/app.ts'
import { boxOf, useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2099-03-02'

let school: School

beforeEach(async () => {
  school = await aSchool(service())
})

const stored = async (): Promise<Vehicle[]> => (await school.client.get('/vehicles')).body
const aCar = async (name: string): Promise<Vehicle> =>
  (await school.client.post('/vehicles', { name, kind: 'car' })).body

it('a new vehicle is stored by Enter and by nothing before it; Escape drops it after a question', async () => {
  await school.instructor()
  const page = await open('/settings?chapter=vehicles', { as: school })
  const add = page.getByRole('button', { name: 'Add a vehicle' })
  const name = page.getByLabel('New vehicle: Name', { exact: true })
  const question = page.getByRole('dialog', { name: 'Discard what you have filled in?' })
  await add.click()
  await page.keyboard.press('Escape')
  await page.locator(':focus').and(add).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Golf')
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await page.getByRole('link', { name: 'Students' }).click()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await question.waitFor({ state: 'detached' })
  expect(await stored()).toEqual([])
  await name.press('Escape')
  await question.getByRole('button', { name: 'Discard' }).click()
  await add.click()
  await expect.poll(() => name.inputValue()).toBe('')
  await name.fill('Golf 3')
  await page.getByLabel('New vehicle: Licence plate').fill('B-FS 3')
  await page.keyboard.press('Enter')
  await expect.poll(stored).toMatchObject([{ name: 'Golf 3', kind: 'car', plate: 'B-FS 3' }])
  await page.getByRole('button', { name: 'Delete Golf 3' }).click()
  await expect.poll(stored).toEqual([])
})

it('a vehicle stores a gearbox, notes and an absence, and can be restored after its deletion', async () => {
  await school.instructor()
  await aCar('Golf')
  const page = await open('/settings?chapter=vehicles', { as: school })
  await page.getByRole('button', { name: 'Golf: Classes, gearbox, notes, workshop' }).press('Enter')
  await page.getByLabel('Gearbox', { exact: true }).selectOption({ label: 'Manual' })
  await page.getByLabel('Notes', { exact: true }).fill('Tankkarte im Handschuhfach')
  await page.getByRole('button', { name: 'Add time off' }).press('Enter')
  const { keyboard } = page
  for (const text of [DATE, '8', '2099-03-04', '12', 'Werkstatt']) {
    await keyboard.type(text)
    await keyboard.press('Tab')
  }
  await page.getByRole('button', { name: 'Golf: Save' }).click()
  const absences = [{ start_at: `${DATE} 08:00`, end_at: '2099-03-04 12:00', note: 'Werkstatt' }]
  const notes = 'Tankkarte im Handschuhfach'
  await expect.poll(stored).toMatchObject([{ gearbox: 'manual', notes, absences }])
  await page.getByText('History', { exact: true }).click()
  await page
    .getByText(/Werkstatt/)
    .last()
    .waitFor()
  await page.getByRole('button', { name: 'Delete Golf' }).click()
  await expect.poll(stored).toEqual([])
  await page.getByText('Deleted vehicles', { exact: true }).click()
  await page.getByRole('button', { name: 'Restore Golf' }).click()
  await expect.poll(stored).toMatchObject([{ name: 'Golf' }])
})

it('a vehicle stores the licence classes chosen in its form, and shows them after a reload', async () => {
  await school.instructor()
  await school.client.post('/vehicles', { name: 'Golf', kind: 'car', license_classes: ['B', 'B96'] })
  const page = await open('/settings?chapter=vehicles', { as: school })
  const details = page.getByRole('button', { name: 'Golf: Classes, gearbox, notes, workshop' })
  const classes = page.getByRole('button', { name: /^Remove class/ })
  const row = page.getByRole('listitem').filter({ has: details })
  await details.click()
  await expect.poll(() => classes.allInnerTexts()).toEqual(['B', 'B96'])
  await row.getByRole('combobox', { name: 'Classes' }).fill('be')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove class B96', exact: true }).click()
  await page.getByRole('button', { name: 'Golf: Save' }).click()
  await expect.poll(stored).toMatchObject([{ name: 'Golf', license_classes: ['B', 'BE'] }])
  await page.reload()
  await details.click()
  await expect.poll(() => classes.allInnerTexts()).toEqual(['B', 'BE'])
})

it('a vehicle needed by upcoming lessons cannot be deleted, and their blocks show its name', async () => {
  const golf = await aCar('Golf')
  const jonas = await school.instructor()
  const times = { start_at: `${DATE} 10:00`, end_at: `${DATE} 11:30` }
  await school.lesson({ instructor_id: jonas.id, title: 'Testfahrt', vehicle_ids: [golf.id], ...times })
  const page = await open('/settings?chapter=vehicles', { as: school })
  await page.getByRole('button', { name: 'Delete Golf' }).click()
  await page.getByText(/^Upcoming lessons still need/).waitFor()
  await expect.poll(() => stored()).toMatchObject([{ name: 'Golf' }])
  await page.goto(`${service().url}/?date=${DATE}`)
  await page.locator('.lesson-line', { hasText: 'Golf' }).waitFor()
})

it('a search for times finds a free vehicle, which the form books', async () => {
  const golf = await aCar('Golf')
  const polo = await aCar('Polo')
  const [jonas, mira] = [await school.instructor(), await school.instructor({ first_name: 'Mira' })]
  const times = { start_at: `${DATE} 00:00`, end_at: `${DATE} 23:00` }
  await school.lesson({ instructor_id: mira.id, vehicle_ids: [golf.id], ...times })
  const lena = await school.student({ preferred_instructor_id: jonas.id })
  const page = await open(`/?date=${DATE}`, { as: school })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('f')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Student' }).fill('Lena Vogt')
  await page.getByRole('option', { name: 'Lena Vogt' }).click()
  await dialog.getByLabel('Vehicle', { exact: true }).selectOption({ label: 'With a free vehicle' })
  await dialog.getByRole('button', { name: 'Leave out Polo' }).waitFor()
  await dialog.getByRole('button', { name: 'Book', exact: true }).click()
  const booked = async () => (await school.client.get(`/appointments?student_id=${lena.id}`)).body
  await expect.poll(booked).toMatchObject([{ vehicle_ids: [polo.id] }])
})

it('a booking proposes the usual vehicle of the instructor, and the lesson card shows it', async () => {
  const golf = await aCar('Golf')
  await aCar('Polo')
  const mira = await school.instructor({ first_name: 'Mira', last_name: 'Seidel', usual_vehicle_id: golf.id })
  await school.student({ preferred_instructor_id: mira.id })
  const page: Page = await open(`/?date=${DATE}`, { as: school })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('n')
  const dialog: Locator = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Student' }).click()
  await dialog.getByRole('combobox', { name: 'Student' }).fill('Lena Vogt')
  await page.getByRole('option', { name: 'Lena Vogt' }).click()
  await dialog.getByRole('button', { name: 'Leave out Golf' }).waitFor()
  await dialog.getByText('Possible', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Book', exact: true }).click()
  await page.locator('[data-lesson]').first().click()
  await page.getByRole('dialog').getByText('Golf', { exact: true }).waitFor()
})

it('a copy of a lesson a week later has the same vehicles and pick-up place', async () => {
  const golf = await aCar('Golf')
  const { id: instructor_id } = await school.instructor()
  const times = { start_at: `${DATE} 08:00`, end_at: `${DATE} 09:30` }
  const lesson = await school.lesson({
    instructor_id,
    vehicle_ids: [golf.id],
    pickup_place: 'Station',
    ...times,
  })
  const page = await open(`/?date=${DATE}&lesson=${lesson.id}`, { as: school })
  await page.getByRole('button', { name: 'Same again next week' }).click()
  await page.getByText(/^Booked/).waitFor()
  const { body } = await school.client.get('/appointments?from=2099-03-09&to=2099-03-09')
  expect(body).toMatchObject([{ vehicle_ids: [golf.id], pickup_place: 'Station' }])
})

it('Undo restores the vehicles and the pick-up place that a form has changed', async () => {
  const golf = await aCar('Golf')
  const { id: instructor_id } = await school.instructor()
  const times = { start_at: `${DATE} 08:00`, end_at: `${DATE} 09:30` }
  const before = { vehicle_ids: [golf.id], pickup_place: 'Station' }
  const lesson = await school.lesson({ instructor_id, ...before, ...times })
  const page = await open(`/?date=${DATE}&lesson=${lesson.id}`, { as: school })
  const dialog: Locator = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByRole('button', { name: 'Leave out Golf' }).click()
  await dialog.getByLabel('Pick-up place').fill('School')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^Saved/).waitFor()
  const now = async () => (await school.client.get(`/appointments/${lesson.id}`)).body
  await expect.poll(() => now()).toMatchObject({ vehicle_ids: [], pickup_place: 'School' })
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText(/^Undone/).waitFor()
  await expect.poll(() => now()).toMatchObject(before)
})

it('the vehicle view shows lessons and absences, and a click opens the form with the vehicle', async () => {
  const golf = await aCar('Golf')
  const absences = [{ start_at: `${DATE} 13:00`, end_at: `${DATE} 15:00`, note: 'Werkstatt' }]
  await school.client.post('/vehicles', { name: 'Tiguan', plate: 'B-FS 12', kind: 'car', absences })
  const jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  const at = (start: string, end: string) => ({ start_at: `${DATE} ${start}`, end_at: `${DATE} ${end}` })
  const lesson = (fields: object) => school.lesson({ instructor_id: jonas.id, ...fields })
  await lesson({ title: 'Testfahrt', vehicle_ids: [golf.id], ...at('10:00', '11:30') })
  await lesson({ title: 'Büro', ...at('12:00', '13:00') })
  const page = await open(`/?date=${DATE}`, { as: school })
  await page.getByRole('button', { name: 'Vehicles', exact: true }).click()
  for (const head of ['Golf', 'Tiguan · B-FS 12'])
    await page.locator('.column-text').getByText(head, { exact: true }).waitFor()
  await page.locator('.vacation-name').getByText('Werkstatt').waitFor()
  const blocks = page.locator('button.block')
  await expect.poll(() => blocks.allInnerTexts()).toEqual([expect.stringContaining('Jonas Brandt')])
  await blocks.click()
  await page.getByRole('dialog').getByText('Golf').first().waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)

  const column = page.locator('.board-day').first()
  const box = await boxOf(column)
  await column.click({ position: { x: box.width / 2, y: 100 } })
  await page.getByRole('dialog', { name: 'Book lesson' }).waitFor()
  await expect.poll(() => page.getByRole('dialog').getByText('Golf').count()).toBeGreaterThan(0)
  expect(new URL(page.url()).searchParams.get('view')).toBe('vehicles')
})

it('a school without vehicles has no vehicle view', async () => {
  const jonas = await school.instructor()
  const page = await open(`/?date=${DATE}&view=vehicles`, { as: school })
  await page.locator('.column-text').first().waitFor()
  await expect
    .poll(() => page.locator('.column-text').allInnerTexts())
    .toEqual([`${jonas.first_name} ${jonas.last_name}`])
  await expect.poll(() => page.getByRole('button', { name: 'Vehicles', exact: true }).count()).toBe(0)
})
