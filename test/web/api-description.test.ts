import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { PAGE_TIMEOUT } from '../support/chromium.ts'

const service = useService()
const open = useBrowser(service)

it('the description of the API is searched by words, and its recipes open operations on the same page', async () => {
  const page = await open('/docs')
  const operations = page.locator('.opblock-summary-path')
  // Swagger UI computes for 5 s with a core of its own before it shows anything.
  await page.getByRole('heading', { name: 'Recipes' }).waitFor({ timeout: 1.5 * PAGE_TIMEOUT })
  await page.getByPlaceholder('Filter by tag').fill('BOOK several')
  await expect.poll(() => operations.allInnerTexts()).toEqual([expect.stringContaining('batch')])
  await page.getByPlaceholder('Filter by tag').fill('')
  await expect.poll(() => operations.count()).toBe(0)
  await page.getByRole('link', { name: 'book it' }).click()
  await page.locator('#operations-appointments-bookAppointment').getByText('Execute').waitFor()
  expect(page.context().pages()).toHaveLength(1)
  expect(page.url()).toMatch(/\/docs#\/appointments\/bookAppointment$/)
})
