import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'
import { loginOf, statusWith } from '../support/session.ts'

const service = useService()
const open = useBrowser(service)

let school: School

beforeEach(async () => {
  school = await aSchool(service())
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const told = (page: Page, words: string) => page.getByText(words).first().waitFor()

describe("a user's sessions", () => {
  it('are listed, and can be ended one by one or all except the current one', async () => {
    const others = [await loginOf(service(), school.user), await loginOf(service(), school.user)]
    const page = await open('/account', { as: school })
    await told(page, 'This session')
    await button(page, 'End A program').first().click()
    await told(page, 'Session ended.')
    await expect.poll(() => alive(others)).toBe(1)
    await button(page, 'End all others').click()
    await told(page, 'All other sessions ended.')
    await expect.poll(() => alive(others)).toBe(0)
    await expect.poll(() => button(page, 'End all others').count()).toBe(0)
    await page.reload()
    await told(page, 'This session')
  })
})

async function alive(sessions: readonly Awaited<ReturnType<typeof loginOf>>[]): Promise<number> {
  const statuses = await Promise.all(sessions.map(({ client, token }) => statusWith(client, token)))
  return statuses.filter((status) => status === 200).length
}
