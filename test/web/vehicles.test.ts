import type { Locator, Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import type { Vehicle } from '../../src/contract/vehicle.ts'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
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

it('vehicles are added, named and deleted in the settings', async () => {
  await school.instructor()
  const page = await open('/settings', { as: school })
  await page.getByRole('button', { name: 'Add a vehicle' }).click()
  const name = page.getByLabel('New vehicle: Name', { exact: true })
  await name.fill('Golf 3')
  await name.press('Tab')
  await expect.poll(stored).toMatchObject([{ name: 'Golf 3', kind: 'car', active: true }])
  await page.getByRole('button', { name: 'Delete Golf 3' }).click()
  await expect.poll(stored).toEqual([])
})

it('a booking proposes the usual vehicle of the instructor, and the card names it', async () => {
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
  await page.getByText('Golf', { exact: true }).waitFor()
})

it('a lesson that is repeated a week later has the same vehicles and pick-up place', async () => {
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

it('an undo gives a lesson the vehicles and the pick-up place that a form has changed', async () => {
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
  expect(await now()).toMatchObject({ vehicle_ids: [], pickup_place: 'School' })
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText(/^Undone/).waitFor()
  expect(await now()).toMatchObject(before)
})
