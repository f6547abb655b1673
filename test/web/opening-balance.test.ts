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
  const card = page.getByRole('dialog', { name: 'Vogt' })
  await card.getByText('Prior units').click()
  return card
}
const formOver = (card: Locator) => card.page().getByRole('dialog', { name: 'Prior units' })

describe('the opening balance of a student', () => {
  it('is entered by keyboard and shown separately in the progress', async () => {
    const card = await cardOf()
    await card.getByRole('button', { name: 'Add units' }).press('Enter')
    const form = formOver(card)
    await form.getByLabel('Units', { exact: true }).fill('3')
    await form.getByLabel('As of').fill('2026-03-31')
    await card.page().keyboard.press('Tab')
    await form.getByLabel('Source').fill('Fahrschule Süd')
    await card.page().keyboard.press('Enter')
    await expect.poll(stored).toMatchObject([{ units: 3, date: '2026-03-31', source: 'Fahrschule Süd' }])
    await card.getByText(/^3 of them from before/).waitFor()
    await card.getByText(/^Last changed by Anna Office/).waitFor()
    await expect.poll(() => focusedText(card.page())).toBe('Add units')
  })

  it('can be changed and removed, and its changes are listed in the history', async () => {
    await school.client.put(path(), [entry(2)])
    const card = await cardOf()
    await card.getByRole('button', { name: 'Edit: Prior units' }).click()
    const form = formOver(card)
    await form.getByLabel('Units', { exact: true }).fill('4')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect.poll(stored).toMatchObject([{ units: 4 }])
    await card.getByText(/^4 u .*Fahrschule Süd, 31 March 2026$/).waitFor()
    await card.getByRole('button', { name: 'Edit: Prior units' }).click()
    await form.getByRole('button', { name: /^Remove / }).click()
    await form.getByRole('button', { name: 'Save' }).click()
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
    const form = formOver(card)
    await form.getByLabel('Units', { exact: true }).fill('3')
    await expect.poll(() => form.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  })

  it('is not lost by Escape or a click beside the form while it is being entered', async () => {
    const card = await cardOf()
    await card.getByRole('button', { name: 'Add units' }).click()
    const units = formOver(card).getByLabel('Units', { exact: true })
    await units.fill('3')
    await card.page().mouse.click(5, 5)
    await card.page().keyboard.press('Escape')
    await card.page().getByRole('button', { name: 'Keep editing' }).click()
    expect(await units.inputValue()).toBe('3')
    await card.page().keyboard.press('Escape')
    await card.page().getByRole('button', { name: 'Discard' }).click()
    await formOver(card).waitFor({ state: 'detached' })
    await card.waitFor()
    expect(await stored()).toEqual([])
  })

  it('keeps what is typed when another user changes it, and shows their entries before they are replaced', async () => {
    await school.client.put(path(), [entry(2)])
    const card = await cardOf()
    await card.getByRole('button', { name: 'Edit: Prior units' }).click()
    const form = formOver(card)
    await form.getByLabel('Units', { exact: true }).fill('4')
    await school.client.put(path(), [entry(5)])
    await form.getByRole('button', { name: /^Save/ }).click()
    await form.getByText(/^5 u .*Fahrschule Süd, 31 March 2026$/).waitFor()
    expect(await stored()).toMatchObject([{ units: 5 }])
    expect(await form.getByLabel('Units', { exact: true }).inputValue()).toBe('4')
    await form.getByRole('button', { name: 'Save my changes' }).click()
    await expect.poll(stored).toMatchObject([{ units: 4 }])
  })

  it("is shown separately on the student's own page", async () => {
    await school.client.put(path(), [entry(2)])
    const { body } = await school.client.post(`/students/${id}/link`)
    const page = await open(new URL(body.url).pathname)
    await page.getByText('(2 of them from before)').waitFor()
  })
})

function focusedText(page: Page): Promise<string> {
  return page.evaluate('document.activeElement.textContent')
}
