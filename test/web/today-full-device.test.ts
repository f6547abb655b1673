import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { goOffline, useBrowser } from '../support/browser.ts'
import type { Row } from '../support/factory.ts'
import { aDay, type Day, onPhone } from './instructors-day.ts'

const service = useService()
const open = useBrowser(service)

let day: Omit<Day, 'page'>
let page: Page

beforeEach(async () => {
  day = await aDay(service())
  page = await onPhone(service(), open, day)
  await page.getByLabel('Notes').fill('Glasses')
  // An entry that still has room, so that the device holds an older outbox.
  await line('Lena Vogt').getByRole('button', { name: 'Done' }).click()
  await expect.poll(() => stored(day.early)).toMatchObject({ status: 'completed', version: 2 })
  await fillStorage()
})

/** Makes the browser abort what the page stores from now on, as it does when the device is full. */
async function fillStorage(): Promise<void> {
  await page.evaluate(`(() => {
    const { put } = IDBObjectStore.prototype
    IDBObjectStore.prototype.put = function (...given) {
      const asked = put.apply(this, given)
      this.transaction.abort()
      return asked
    }
  })()`)
}

const large = () => page.locator('section').first()
const line = (name: string) => page.getByRole('listitem').filter({ hasText: name })
const press = (name: string) => large().getByRole('button', { name, exact: true }).click()
const stored = async ({ id }: Row) => (await day.school.client.get(`/appointments/${id}`)).body

describe('on a phone whose storage is full', () => {
  it('an outcome is still sent, with its notes', async () => {
    await press('Done')
    await press('As planned 10:00–11:30')
    await expect.poll(() => stored(day.running)).toMatchObject({ status: 'completed', notes: 'Glasses' })
    await line('Tom Berg').getByRole('button').first().click()
    await expect.poll(() => large().getByRole('button', { name: 'Save' }).count()).toBe(0)
  })

  it('entries made while offline are shown until they are sent, and notes stay a draft', async () => {
    await goOffline(page)
    await press('No-show')
    await line('Lena Vogt').getByRole('button', { name: 'Undo “done”' }).click()
    await page.getByText(/^2 entries will be sent/).waitFor()
    await large().getByText('no-show').waitFor()
    await large().getByRole('button', { name: 'Save' }).waitFor()
    await page.context().setOffline(false)
    await page.clock.fastForward(30_000)
    await expect.poll(() => stored(day.running)).toMatchObject({ status: 'no_show', notes: 'Glasses' })
    await expect.poll(() => stored(day.early)).toMatchObject({ status: 'planned', version: 3 })
    await page.getByText(/entr(y|ies) will be sent/).waitFor({ state: 'detached' })
  })
})
