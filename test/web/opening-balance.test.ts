import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'
import { aTrainer } from '../support/trainer.ts'

const service = useService()
const open = useBrowser(service)

let school: School
let id: string

beforeEach(async () => {
  school = await aSchool(service())
  id = await (await aTrainer(school)).learner()
})

const path = () => `/students/${id}/opening-balance`
const stored = async () => (await school.client.get(path())).body
const entry = (units: number) => ({
  lesson_type_id: school.lessonTypes.RURAL,
  units,
  date: '2026-03-31',
  source: 'Fahrschule Süd',
})
const cardOf = async (): Promise<Locator> => {
  const page: Page = await open(`/students?student=${id}`, { as: school })
  const card = page.getByRole('dialog')
  await card.getByText('Units brought along').click()
  return card
}

describe('the opening balance of a student', () => {
  it('is entered on the card by keyboard and shown separately in the progress', async () => {
    const card = await cardOf()
    await card.getByRole('button', { name: 'Add units' }).press('Enter')
    await card.getByLabel('Units', { exact: true }).fill('3')
    await card.getByLabel('As of').fill('2026-03-31')
    await card.page().keyboard.press('Tab')
    await card.getByLabel('Source').fill('Fahrschule Süd')
    await card.page().keyboard.press('Enter')
    await expect.poll(stored).toMatchObject([{ units: 3, date: '2026-03-31', source: 'Fahrschule Süd' }])
    await card.getByText(/^3 of them from before/).waitFor()
    await card.getByText(/^Last changed by Anna Office/).waitFor()
  })

  it('can be changed and removed, and its changes are listed in the history', async () => {
    await school.client.put(path(), [entry(2)])
    const card = await cardOf()
    await card.getByLabel('Units', { exact: true }).fill('4')
    await card.getByRole('button', { name: 'Save' }).click()
    await expect.poll(stored).toMatchObject([{ units: 4 }])
    await card.getByRole('button', { name: /^Remove / }).click()
    await card.getByRole('button', { name: 'Save' }).click()
    await expect.poll(stored).toEqual([])
    await card.getByText('History', { exact: true }).click()
    await card
      .getByText(/4 u .*Fahrschule Süd, 31 March 2026/)
      .first()
      .waitFor()
  })

  it('cannot be stored without a source', async () => {
    const card = await cardOf()
    await card.getByRole('button', { name: 'Add units' }).click()
    await card.getByLabel('Units', { exact: true }).fill('3')
    await expect.poll(() => card.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  })

  it("is shown separately on the student's own page", async () => {
    await school.client.put(path(), [entry(2)])
    const { body } = await school.client.post(`/students/${id}/link`)
    const page = await open(new URL(body.url).pathname)
    await page.getByText('(2 of them from before)').waitFor()
  })
})
