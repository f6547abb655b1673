import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)

let school: School
let karl: Row

beforeEach(async () => {
  school = await aSchool(service())
  karl = await school.instructor({ first_name: 'Karl', last_name: 'Krüger' })
  for (const day of ['02', '05'])
    await school.lesson({
      instructor_id: karl.id,
      title: `On the ${day}`,
      start_at: `2032-11-${day} 10:00`,
      end_at: `2032-11-${day} 11:00`,
    })
})

/** Opens the absence from the 2nd to the 6th of November on the 1st. */
async function absence(): Promise<Page> {
  const page = await open('/icon.svg', { as: school })
  await page.clock.setFixedTime('2032-11-01T09:00:00Z')
  await page.goto(`${service().url}/absence?instructor=${karl.id}&day=2032-11-02&until=2032-11-06`)
  return page
}

const row = (page: Page, day: string) => page.locator('[data-lesson-row]', { hasText: `On the ${day}` })

describe('the form of an absence', () => {
  it('keeps the last day while another first day is typed', async () => {
    const page = await absence()
    await row(page, '05').waitFor()
    await page.getByLabel('First day', { exact: true }).click()
    // Its first part means the third of January.
    await page.keyboard.type('3/11', { delay: 30 })
    await page.keyboard.press('Tab')
    expect(await page.getByLabel('Last day', { exact: true }).inputValue()).toContain('06')
    await row(page, '02').waitFor({ state: 'detached' })
    await row(page, '05').waitFor()
  })

  it('does not take a text that is no time for a whole day', async () => {
    const page = await absence()
    await row(page, '05').waitFor()
    const time = page.getByLabel('From time', { exact: true })
    await time.click()
    await page.keyboard.type('14:75')
    await page.keyboard.press('Tab')
    await page.getByText('There is no such time.').waitFor()
    await row(page, '05').waitFor({ state: 'detached' })
    await time.click()
    await page.keyboard.type('1430')
    await page.keyboard.press('Tab')
    await row(page, '05').waitFor()
  })
})
