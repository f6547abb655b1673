import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { must } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)

let school: School
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  await school.instructor()
  page = await open('/settings?chapter=days', { as: school })
  await page.getByRole('heading', { level: 1 }).waitFor()
})

const closures = async () => (await school.client.get('/closures')).body

describe('closed days in the settings', () => {
  it('can be added and removed, and are stored immediately', async () => {
    await page.getByLabel('Reason').fill('Betriebsferien')
    await page.getByRole('button', { name: 'Add closure' }).click()
    await expect.poll(closures).toMatchObject([{ note: 'Betriebsferien' }])
    await page.getByText('Betriebsferien').waitFor()
    await page.getByRole('button', { name: /^Remove closure/ }).click()
    await expect.poll(closures).toEqual([])
  })

  it('keep the last day of a closure while its first day is typed', async () => {
    await page.clock.setFixedTime('2032-11-01T09:00:00Z')
    await page.reload()
    const last = page.getByLabel('Last day', { exact: true })
    await last.click()
    await page.keyboard.type('2032-12-05')
    await page.keyboard.press('Tab')
    await page.getByLabel('First day', { exact: true }).click()
    // Its first part means the third of January.
    await page.keyboard.type('3/12', { delay: 30 })
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Add closure' }).click()
    await expect.poll(closures).toMatchObject([{ start_date: '2032-12-03', end_date: '2032-12-05' }])
  })

  it('are removed once by a double click', async () => {
    for (const day of ['2032-12-03', '2032-12-10'])
      must(201, await school.client.post('/closures', { start_date: day, end_date: day, note: null }))
    const removals: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'DELETE') removals.push(request.url())
    })
    const remove = page.getByRole('button', { name: /^Remove closure/ })
    await expect.poll(() => remove.count()).toBe(2)
    await remove.first().dblclick()
    await expect.poll(() => remove.count()).toBe(1)
    expect(removals).toHaveLength(1)
    expect(await closures()).toMatchObject([{ start_date: '2032-12-10' }])
  })

  it('name the region for public holidays in the language of the app', async () => {
    const region = page.getByRole('combobox', { name: 'State or region' })
    await region.fill('bavar')
    await region.press('Enter')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(async () => (await school.client.get('/tenant')).body.region).toBe('DE-BY')
    const german = await open('/settings?chapter=days', { as: school, locale: 'de-DE' })
    await expect.poll(() => german.getByLabel('Bundesland oder Region').inputValue()).toBe('Bayern')
  })
})
