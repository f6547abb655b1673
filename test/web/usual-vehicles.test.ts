import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Appointment } from '../../src/contract/appointment.ts'
import type { Vehicle } from '../../src/contract/vehicle.ts'
import { useService } from '../support/app.ts'
import { boxOf, dragWithMouse, useBrowser } from '../support/browser.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
/** A Monday. */
const DATE = '2032-03-01'
const WINDOWS = [1, 2].map((weekday) => ({ weekday, start: '08:00', end: '20:00' }))

let school: School
let golf: Vehicle
let polo: Vehicle
let jonas: Row
let mira: Row
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  golf = await aVehicle('Golf')
  polo = await aVehicle('Polo')
  const common = { required_break_minutes: 0, license_classes: ['B', 'BE'], availability_windows: WINDOWS }
  const [jonasCar, miraCar] = [{ usual_vehicle_id: golf.id }, { usual_vehicle_id: polo.id }]
  jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt', ...common, ...jonasCar })
  mira = await school.instructor({ first_name: 'Mira', last_name: 'Seidel', ...common, ...miraCar })
})

const aVehicle = async (name: string, fields: object = {}): Promise<Vehicle> =>
  (await school.client.post('/vehicles', { name, kind: 'car', ...fields })).body
const at = (start: string, end: string) => ({ start_at: `${DATE} ${start}`, end_at: `${DATE} ${end}` })
const dialog = () => page.getByRole('dialog')
const left = (name: string) => dialog().getByRole('button', { name: `Leave out ${name}`, exact: true })
const block = (text = 'Testfahrt') => page.locator('[data-lesson]', { hasText: text })

async function aStudent(code: string, fields: object = {}): Promise<Row> {
  const templates: Row[] = (await school.client.get('/license-class-templates')).body
  const license_class_template_id = templates.find((one) => one.code === code)?.id
  return school.student({ first_name: 'Lena', last_name: 'Vogt', license_class_template_id, ...fields })
}

async function board(): Promise<void> {
  page = await open(`/?date=${DATE}`, { as: school })
  await page.locator('.column-head', { hasText: 'Mira' }).waitFor()
}

/** Opens the form of a lesson, or the search for a time, for Lena. */
async function form(key: 'n' | 'f'): Promise<void> {
  await page.keyboard.press(key)
  await dialog().getByRole('combobox', { name: 'Student' }).fill('Lena Vogt')
  await page.getByRole('option', { name: 'Lena Vogt' }).click()
}

describe('a lesson moved to another instructor', () => {
  let lesson: Row
  const stored = async (): Promise<Appointment> =>
    (await school.client.get(`/appointments/${lesson.id}`)).body

  beforeEach(async () => {
    const times = at('10:00', '11:30')
    lesson = await school.lesson({
      instructor_id: jonas.id,
      title: 'Testfahrt',
      vehicle_ids: [golf.id],
      ...times,
    })
  })

  /** Holds the lesson over the column of Mira, a quarter hour later. Returns the drop. */
  async function holdOverMira(): Promise<() => Promise<void>> {
    const from = await boxOf(block())
    const head = await boxOf(page.locator('.column-head', { hasText: 'Mira' }))
    const start = { x: from.x + 40, y: from.y + 10 }
    const to = { x: head.x + head.width / 2, y: start.y + from.height / 6 }
    const { drop } = await dragWithMouse(page, start, to)
    await page.locator('[data-held]').waitFor()
    return drop
  }

  it('has the vehicle of the other one, and gets its own back by Undo', async () => {
    await board()
    await (await holdOverMira())()
    await page.getByText(/^Moved: Testfahrt.*Mira Seidel · Polo/).waitFor()
    await expect.poll(stored).toMatchObject({ instructor_id: mira.id, vehicle_ids: [polo.id] })
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect.poll(stored).toMatchObject({ instructor_id: jonas.id, vehicle_ids: [golf.id] })
  })

  it('is held red where the vehicle of the other one is away, and the column shows no zone there', async () => {
    await school.client.patch(`/vehicles/${polo.id}`, { absences: [at('08:00', '20:00')] })
    await board()
    const drop = await holdOverMira()
    await page.locator('[data-held][data-refused]', { hasText: 'Polo' }).waitFor()
    const zones = page.locator('.board-day').last()
    await expect.poll(() => zones.evaluate((day) => day.style.getPropertyValue('--drop-zones'))).toBe('none')
    await drop()
    await page.getByText(/^Not moved: .*Polo/).waitFor()
    expect(await stored()).toMatchObject({ instructor_id: jonas.id, vehicle_ids: [golf.id] })
  })

  it('has the vehicle of the other one after Alt+arrow keys and in the form', async () => {
    await board()
    await block().focus()
    await page.keyboard.press('Alt+ArrowRight')
    await expect.poll(stored).toMatchObject({ instructor_id: mira.id, vehicle_ids: [polo.id] })
    await page.keyboard.press('Enter')
    await dialog().getByRole('button', { name: 'Edit' }).click()
    await left('Polo').waitFor()
    const instructor = dialog().getByRole('combobox', { name: 'Instructor' })
    await instructor.fill('Jonas')
    await page.getByRole('option', { name: /Jonas Brandt/ }).click()
    await left('Golf').waitFor()
    await dialog().getByRole('button', { name: 'Save' }).click()
    await expect.poll(stored).toMatchObject({ instructor_id: jonas.id, vehicle_ids: [golf.id] })
  })

  it('keeps a vehicle that was chosen by hand', async () => {
    const van = await aVehicle('Van')
    await school.client.patch(`/appointments/${lesson.id}`, { vehicle_ids: [van.id] })
    await board()
    await (await holdOverMira())()
    await expect.poll(stored).toMatchObject({ instructor_id: mira.id, vehicle_ids: [van.id] })
  })
})

describe('a search for times', () => {
  it('offers no time at which the usual vehicle is taken, and books several with the car of each', async () => {
    const lena = await aStudent('B')
    const use = (vehicle: Vehicle, start: string, end: string) =>
      school.client.patch(`/vehicles/${vehicle.id}`, { absences: [at(start, end)] })
    await use(golf, '08:00', '17:00')
    await use(polo, '09:30', '23:00')
    await board()
    await form('f')
    await dialog().getByRole('radio', { name: /08:00/, checked: true }).waitFor()
    await left('Polo').waitFor()
    const monday = /^Mon,? 1 Mar/
    await expect.poll(() => dialog().getByRole('radio', { name: monday }).count()).toBe(3)
    await dialog()
      .getByRole('radio', { name: /17:00.*Jonas/ })
      .waitFor()
    await dialog().getByRole('radio', { checked: true }).focus()
    for (const key of ['Space', 'ArrowDown']) await page.keyboard.press(key)
    await dialog().getByRole('button', { name: 'Book 2 lessons' }).click()
    const booked = async (): Promise<Appointment[]> =>
      (await school.client.get(`/appointments?student_id=${lena.id}`)).body
    await expect.poll(async () => (await booked()).length).toBe(2)
    expect((await booked()).map(({ instructor_id, vehicle_ids }) => [instructor_id, vehicle_ids])).toEqual([
      [mira.id, [polo.id]],
      [jonas.id, [golf.id]],
    ])
  })
})

describe('a new lesson', () => {
  it('of theory on twelve Mondays has no vehicle', async () => {
    await board()
    await page.keyboard.press('n')
    await dialog().getByRole('combobox', { name: 'Instructor' }).fill('Jonas')
    await page.getByRole('option', { name: /Jonas Brandt/ }).click()
    await left('Golf').waitFor()
    await dialog().getByLabel('Type', { exact: true }).fill('Grundstoff')
    await page.getByRole('option', { name: /Grundstoff/ }).click()
    await expect.poll(() => left('Golf').count()).toBe(0)
    await dialog().getByRole('switch', { name: 'Repeat weekly' }).click()
    await dialog().getByText('12 of 12 topics have a date').waitFor()
    await dialog().getByRole('button', { name: 'Book 12 lessons' }).click()
    const booked = async (): Promise<Appointment[]> => (await school.client.get('/appointments')).body
    await expect
      .poll(async () => (await booked()).map(({ vehicle_ids }) => vehicle_ids.length))
      .toEqual(Array.from({ length: 12 }, () => 0))
  })

  it('of class BE has the only trailer; with two, the form warns until one is chosen', async () => {
    await aVehicle('Hänger 1', { kind: 'trailer' })
    await aStudent('BE', { preferred_instructor_id: jonas.id })
    await board()
    await form('n')
    await left('Golf').waitFor()
    await left('Hänger 1').waitFor()
    await dialog().getByText('Possible', { exact: true }).waitFor()
    await aVehicle('Hänger 2', { kind: 'trailer' })
    await page.reload()
    await page.locator('.column-head', { hasText: 'Mira' }).waitFor()
    await form('n')
    const missing = dialog().getByText(/Class BE needs a trailer/)
    await missing.waitFor()
    await dialog().getByRole('combobox', { name: 'Vehicles' }).click()
    await page.getByRole('option', { name: 'Hänger 2' }).click()
    await expect.poll(() => missing.count()).toBe(0)
    await dialog().getByRole('combobox', { name: 'Instructor' }).fill('Mira')
    await page.getByRole('option', { name: /Mira Seidel/ }).click()
    for (const name of ['Polo', 'Hänger 2']) await left(name).waitFor()
  })
})
