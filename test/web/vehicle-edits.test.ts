import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Vehicle } from '../../src/contract/vehicle.ts'
import { useService } from '../support/app.ts'
import { handleFirst, logInAt, useBrowser } from '../support/browser.ts'
import { must } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)

let school: School
let golf: Vehicle
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  await school.instructor()
  golf = must(201, await school.client.post('/vehicles', { name: 'Golf', kind: 'car' }))
  page = await open('/settings', { as: school })
})

const stored = async (): Promise<Vehicle[]> => (await school.client.get('/vehicles')).body
const field = (name: string, of = 'Golf') => page.getByLabel(`${of}: ${name}`, { exact: true })
const notes = () => page.getByLabel('Notes', { exact: true })

async function typeNotes(): Promise<void> {
  await page.getByRole('button', { name: 'Golf: Classes, gearbox, notes, workshop' }).click()
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
})
