import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Vehicle } from '../../src/contract/vehicle.ts'
import { useService } from '../support/app.ts'
import { handleFirst, logInAt, useBrowser } from '../support/browser.ts'
import { must } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2099-03-02'

let school: School
let golf: Vehicle
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  await school.instructor()
  golf = must(201, await school.client.post('/vehicles', { name: 'Golf', kind: 'car' }))
  page = await open('/settings?chapter=vehicles', { as: school })
})

const stored = async (): Promise<Vehicle[]> => (await school.client.get('/vehicles')).body
const field = (name: string, of = 'Golf') => page.getByLabel(`${of}: ${name}`, { exact: true })
const notes = () => page.getByLabel('Notes', { exact: true })

const details = () => page.getByRole('button', { name: 'Golf: Classes, gearbox, notes, workshop' })

async function typeNotes(): Promise<void> {
  await details().click()
  await notes().fill('Tankkarte')
}

describe('typed details of a vehicle', () => {
  it('stay when the vehicle changes, and are saved with the change', async () => {
    await typeNotes()
    must(200, await school.client.patch(`/vehicles/${golf.id}`, { plate: 'B AB 1', gearbox: 'manual' }))
    await expect.poll(() => field('Licence plate').inputValue()).toBe('B AB 1')
    await field('In use').press(' ')
    await expect.poll(stored).toMatchObject([{ active: false }])
    await expect.poll(() => page.getByLabel('Gearbox', { exact: true }).inputValue()).toBe('manual')
    await expect.poll(() => notes().inputValue()).toBe('Tankkarte')
    await page.getByRole('button', { name: 'Golf: Save' }).click()
    await expect
      .poll(stored)
      .toMatchObject([{ notes: 'Tankkarte', plate: 'B AB 1', gearbox: 'manual', active: false }])
  })

  it('are still there when the details are closed and opened again', async () => {
    await typeNotes()
    await details().click()
    await notes().waitFor({ state: 'hidden' })
    await details().click()
    await expect.poll(() => notes().inputValue()).toBe('Tankkarte')
  })

  it('are not lost by leaving the page or by a logout in another tab', async () => {
    await typeNotes()
    await page.getByRole('link', { name: 'Board' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const sibling = await page.context().newPage()
    await sibling.goto(`${service().url}/students`)
    await sibling.getByRole('button', { name: 'Menu' }).click()
    await sibling.getByRole('button', { name: 'Log out' }).click()
    await page.getByText('You logged out in another tab.').waitFor()
    await logInAt(page, school)
    await notes().click()
    await expect.poll(() => notes().inputValue()).toBe('Tankkarte')
    await page.getByRole('button', { name: 'Golf: Save' }).click()
    await expect.poll(stored).toMatchObject([{ notes: 'Tankkarte' }])
    await page.getByRole('link', { name: 'Board' }).click()
    await page.locator('.column-head').first().waitFor()
  })
})

describe('the row of a vehicle', () => {
  it('keeps a name that could not be saved, and saves it on the next blur', async () => {
    await handleFirst(page, '**/api/v1/vehicles/*', (route) => route.abort())
    await field('Name').fill('Polo')
    await field('Name').press('Tab')
    await page.getByText('The service cannot be reached.').waitFor()
    expect(await field('Name').inputValue()).toBe('Polo')
    await field('Name').focus()
    await field('Name').press('Tab')
    await expect.poll(stored).toMatchObject([{ name: 'Polo' }])
    await page.getByText('The service cannot be reached.').waitFor({ state: 'detached' })
  })

  it('saves two changes made one right after the other', async () => {
    const answers: number[] = []
    page.on('response', (answer) => {
      if (answer.request().method() === 'PATCH') answers.push(answer.status())
    })
    const go = Promise.withResolvers<void>()
    await handleFirst(page, '**/api/v1/vehicles/*', async (route) => {
      await go.promise
      await route.continue()
    })
    await field('Licence plate').fill('B AB 1')
    await field('In use').press(' ')
    go.resolve()
    await expect.poll(stored).toMatchObject([{ plate: 'B AB 1', active: false }])
    await expect.poll(() => answers).toEqual([200, 200])
  })

  it('saves a change although somebody else has changed another field', async () => {
    await field('Name').waitFor()
    await page.context().route('**/api/v1/changes/since?*', (route) => route.abort())
    must(200, await school.client.patch(`/vehicles/${golf.id}`, { plate: 'B AB 1' }))
    await field('Name').fill('Polo')
    await field('Name').press('Tab')
    await expect.poll(stored).toMatchObject([{ name: 'Polo', plate: 'B AB 1' }])
  })
})

describe.each([
  ['vehicles', 'Golf', 'Upcoming lessons still need the vehicle.'],
  ['locations', 'North', 'Instructors, vehicles or upcoming lessons still belong to this branch.'],
] as const)('the list of %s', (path, name, text) => {
  it('shows only the newest failure', async () => {
    const { id } = must(201, await school.client.post('/locations', { name: 'North' }))
    const { id: instructor_id } = await school.instructor({ location_id: id })
    const times = { start_at: `${DATE} 10:00`, end_at: `${DATE} 11:30` }
    await school.lesson({ instructor_id, title: 'Testfahrt', vehicle_ids: [golf.id], ...times })
    await page.route(`**/api/v1/${path}/*`, (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    if (path === 'locations') await page.getByRole('link', { name: 'Branches', exact: true }).click()
    await field('Name', name).fill('Other')
    await field('Name', name).press('Tab')
    await page.getByText('The service cannot be reached.').waitFor()
    await page.getByRole('button', { name: `Delete ${name}` }).click()
    await page.getByText(text).waitFor()
    await page.getByText('The service cannot be reached.').waitFor({ state: 'detached' })
  })
})
