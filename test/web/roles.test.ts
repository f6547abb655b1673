import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import type { UserRole } from '../../src/contract/auth.ts'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { checkTable } from '../support/check-each.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'

let school: School
let jonas: Row

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  await school.student()
})

async function at(path: string, role: 'office' | 'instructor'): Promise<Page> {
  const own = role === 'instructor' ? { instructor_id: jonas.id } : {}
  const user = await aUser(service(), school.tenantId, { role, ...own })
  return open(path, { as: await enter(service(), { tenantId: school.tenantId, user }) })
}

/** Changes the user's role. Sessions are read again every five seconds, and the page polls every four. */
async function becomes(role: UserRole): Promise<void> {
  const own = role === 'instructor' ? jonas.id : null
  await sql`update users set role = ${role}, instructor_id = ${own} where id = ${school.user.id}`.execute(
    service().db,
  )
}

const told = (page: Page, role: string) => page.getByText(`You now have the role “${role}”.`)

describe('the navigation by role', () => {
  it('shows an instructor that a page is for the office, with a link to their own day', async () => {
    const page = await at('/today', 'instructor')
    await checkTable(['/students', '/instructors', '/changes', '/settings', '/day-sheet'], async (path) => {
      await page.goto(`${service().url}${path}`)
      await page.getByText('This page is for the office.').waitFor()
      await page.getByRole('link', { name: 'My day' }).click()
      await page.getByRole('button', { name: 'Next day' }).waitFor()
    })
  })

  it('shows an office user that the settings are for the owner, and omits them from the menu', async () => {
    const page = await at('/settings', 'office')
    await page.getByText('This page is for the owner.').waitFor()
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'Log out' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Settings' }).count()).toBe(0)
  })

  it('redirects an office user from the day of an instructor to the board', async () => {
    const page = await at('/today', 'office')
    await page.getByRole('button', { name: 'Book lesson' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
  })

  it('offers an instructor no controls or keyboard shortcuts of the office', {
    tags: 'promise',
  }, async () => {
    const page = await at('/today', 'instructor')
    await page.getByRole('button', { name: 'Next day' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.press('n')
    const names = await page.getByRole('banner').getByRole('button').all()
    expect(names).toHaveLength(1)
    // A dialog loads on demand: it would be there before the code and the lessons of the next day.
    await page.getByRole('button', { name: 'Next day' }).click()
    await page.getByText('You have no lessons on this day.').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})

describe('a user whose role changes', () => {
  it('sees a message, keeps typed input until Continue, and then sees the start page of the new role', async () => {
    const page = await open(`/?date=${DATE}`, { as: school })
    await page.getByRole('button', { name: 'Book lesson' }).click()
    await page.getByRole('dialog').getByLabel('Notes').fill('From the railway station.')
    await becomes('instructor')
    await told(page, 'Instructor').waitFor({ timeout: 20_000 })
    await expect
      .poll(() => page.getByRole('dialog').getByLabel('Notes').inputValue())
      .toBe('From the railway station.')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Next day' }).waitFor()
    expect([new URL(page.url()).pathname, await page.getByRole('dialog').count()]).toEqual(['/today', 0])
  })

  it('from instructor to office sees the board and polls its changes', async () => {
    await becomes('instructor')
    const page = await open('/today', { as: school })
    await page.getByRole('button', { name: 'Next day' }).waitFor()
    await becomes('office')
    // As on a phone that is picked up again.
    await expect
      .poll(
        async () => {
          await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
          return told(page, 'Office').isVisible()
        },
        { timeout: 20_000, interval: 1000 },
      )
      .toBe(true)
    const following = page.waitForRequest((request) => request.url().includes('/changes/since?cursor='))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Book lesson' }).waitFor()
    await following
  })
})
