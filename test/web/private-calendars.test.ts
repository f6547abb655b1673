import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { must } from '../support/client.ts'
import { aSchool } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

for (const [device, options] of [
  ['desktop', {}],
  ['phone', PHONE],
] as const)
  it(`the office adds a private calendar, sees its times and fault on the board, and deletes it (${device})`, async () => {
    const school = await aSchool(service())
    const jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
    const page = await open(`/instructors?instructor=${jonas.id}`, { as: school, ...options })
    await page.getByText('Private calendars').click()
    await page.getByText('No calendar yet.').waitFor()
    const address = page.getByLabel('Address (ICS)')
    await address.fill('https://10.0.0.1/')
    await page.getByRole('button', { name: 'Add calendar' }).click()
    await page.getByText('in a private network').waitFor()
    await address.fill('webcal://203.0.113.7/secret.ics')
    await page.getByRole('button', { name: 'Add calendar' }).click()
    await page.getByText('It will be read in a moment.').waitFor()
    expect(await address.inputValue()).toBe('')
    const [made] = must(200, await school.client.get(`/instructors/${jonas.id}/busy-calendars`))
    expect(made).toMatchObject({ name: 'Private', url: '203.0.113.7' })
    const today = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    await sql`insert into busy_times (tenant_id, instructor_id, calendar_id, times)
      values (${school.tenantId}, ${jonas.id}, ${made.id}, ${`{["${today} 10:00","${today} 12:00")}`}::tsmultirange)`.execute(
      service().db,
    )
    await sql`update busy_calendars set failure = 'not_found', failing_since = now() where id = ${made.id}`.execute(
      service().db,
    )
    await page.getByText('There is no calendar at this address any more.').waitFor()
    const board = await open(`/?date=${today}`, { as: school, ...options })
    await board.getByText('Busy elsewhere').first().waitFor()
    if (device === 'desktop') await board.getByLabel('Private calendar cannot be read').first().waitFor()
    await page.getByRole('button', { name: 'Remove Private' }).click()
    await page.getByRole('button', { name: 'Remove Private' }).click()
    await page.getByText('No calendar yet.').waitFor()
  })
