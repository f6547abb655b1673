import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Vehicle } from '../../src/contract/vehicle.ts'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
/** A Monday. */
const DATE = '2099-03-02'

let school: School
let golf: Vehicle
let polo: Vehicle
let lena: Row
let page: Page

const aCar = async (name: string): Promise<Vehicle> =>
  (await school.client.post('/vehicles', { name, kind: 'car' })).body

beforeEach(async () => {
  school = await aSchool(service())
  golf = await aCar('Golf')
  polo = await aCar('Polo')
  lena = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
})

const dialog = () => page.getByRole('dialog')
const booked = async (): Promise<Row[]> =>
  (await school.client.get(`/appointments?student_id=${lena.id}`)).body

async function search(): Promise<void> {
  page = await open(`/?date=${DATE}`, { as: school })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('f')
  await dialog().getByRole('combobox', { name: 'Student' }).fill('Lena Vogt')
  await page.getByRole('option', { name: 'Lena Vogt' }).click()
  await dialog().getByLabel('Vehicle', { exact: true }).selectOption({ label: 'With a free vehicle' })
}

/** Makes somebody else use a vehicle. */
async function use(vehicle: Vehicle, start_at: string, end_at: string): Promise<void> {
  const { id: instructor_id } = await school.instructor({ first_name: 'Other' })
  await school.client.patch(`/instructors/${instructor_id}`, { active: true })
  await school.lesson({ instructor_id, vehicle_ids: [vehicle.id], start_at, end_at })
  await school.client.patch(`/instructors/${instructor_id}`, { active: false })
}

describe('a search with a free vehicle', () => {
  it('books each kept time with the vehicle found for it', async () => {
    const windows = [{ weekday: 1, start: '08:00', end: '20:00' }]
    await school.instructor({ first_name: 'Jonas', required_break_minutes: 0, availability_windows: windows })
    // Golf is free until eleven, then only Polo.
    await use(golf, `${DATE} 11:00`, `${DATE} 23:00`)
    await use(polo, `${DATE} 00:00`, `${DATE} 11:00`)
    await search()
    await dialog().getByRole('button', { name: 'Leave out Golf' }).waitFor()
    await dialog().getByRole('radio', { name: /08:00/, checked: true }).focus()
    for (const key of ['Space', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key)
    await dialog()
      .getByRole('radio', { name: /11:00–12:30/, checked: true })
      .waitFor()
    await dialog().getByRole('button', { name: 'Book 2 lessons' }).click()
    await expect.poll(async () => (await booked()).length).toBe(2)
    const byStart = new Map((await booked()).map(({ start_at, vehicle_ids }) => [start_at, vehicle_ids]))
    expect(byStart.get(`${DATE} 08:00`)).toEqual([golf.id])
    expect(byStart.get(`${DATE} 11:00`)).toEqual([polo.id])
  })

  it('keeps the vehicle of a time in a week that has not been read', async () => {
    const windows = [{ weekday: 1, start: '08:00', end: '20:00' }]
    const jonas = await school.instructor({
      first_name: 'Jonas',
      usual_vehicle_id: golf.id,
      availability_windows: windows,
      vacations: [{ start_date: DATE, end_date: '2099-03-20', note: null }],
    })
    await use(golf, '2099-03-23 00:00', '2099-03-23 23:00')
    await search()
    await dialog().getByRole('button', { name: 'Leave out Polo' }).waitFor()
    await page.waitForLoadState('networkidle')
    await dialog().getByRole('button', { name: 'Book', exact: true }).click()
    await expect.poll(booked).toMatchObject([{ instructor_id: jonas.id, vehicle_ids: [polo.id] }])
  })
})

it('an instructor picked for a refused time brings along the usual vehicle', async () => {
  const mira = await school.instructor({ first_name: 'Mira', last_name: 'Seidel', usual_vehicle_id: golf.id })
  const jonas = await school.instructor({
    first_name: 'Jonas',
    last_name: 'Brandt',
    usual_vehicle_id: polo.id,
  })
  const times = { start_at: `${DATE} 10:00`, end_at: `${DATE} 11:30` }
  await school.lesson({ instructor_id: mira.id, title: 'Büro', vehicle_ids: [golf.id], ...times })
  await school.client.patch(`/students/${lena.id}`, { preferred_instructor_id: mira.id })
  page = await open(`/?date=${DATE}`, { as: school })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('n')
  await dialog().getByRole('combobox', { name: 'Student' }).fill('Lena Vogt')
  await page.getByRole('option', { name: 'Lena Vogt' }).click()
  await dialog().getByRole('button', { name: 'Leave out Golf' }).waitFor()
  await dialog().getByLabel('Start', { exact: true }).fill('1000')
  await dialog().getByText('Not possible').waitFor()
  await dialog().getByRole('button', { name: /Jonas/ }).first().click()
  await dialog().getByRole('button', { name: 'Leave out Polo' }).waitFor()
  await dialog().getByRole('button', { name: 'Book', exact: true }).click()
  await expect.poll(booked).toMatchObject([{ instructor_id: jonas.id, vehicle_ids: [polo.id] }])
})
