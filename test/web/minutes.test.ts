import { readFile } from 'node:fs/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'
import { pagesOfPdf } from '../support/pdf-text.ts'

const service = useService()
const open = useBrowser(service)

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

let school: School
let jonas: Row

async function drive(instructor: Row, day: string, start: string, end: string, fields = {}): Promise<void> {
  const { id: student_id } = await school.student()
  const times = { start_at: `2026-05-${day} ${start}`, end_at: `2026-05-${day} ${end}` }
  await school.lesson({ instructor_id: instructor.id, student_id, status: 'completed', ...times, ...fields })
}

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor({ number: '7' })
  const eva = await school.instructor({
    first_name: 'Eva',
    last_name: 'Adler',
    max_daily_units: 1,
    max_daily_override: 4,
  })
  await drive(jonas, '04', '06:00', '14:16')
  await drive(jonas, '05', '08:00', '09:30')
  await drive(jonas, '05', '10:00', '11:30', { status: 'planned' })
  await drive(eva, '04', '08:00', '09:30')
})

describe('the working time of a month', () => {
  it('shows the office every instructor, marks what is exceeded, and leads to the day', async () => {
    const page = await open('/instructors', { as: school })
    await page.getByRole('link', { name: 'Working time' }).click()
    await page.goto(`${service().url}/minutes?month=2026-05`)
    const months = page.getByRole('group')
    await months.filter({ hasText: 'Eva Adler' }).getByText('1:30 planned · 1:30 worked · 1 day').waitFor()
    const own = months.filter({ hasText: 'Jonas Brandt (7)' })
    await own.getByText('9:46 planned · 9:46 worked · 2 days').waitFor()
    await own.getByText('1 day over a limit').waitFor()
    await own.getByText('Jonas Brandt').click()
    const long = own.getByRole('row', { name: /4 May/ })
    expect(await long.getByRole('cell').allTextContents()).toEqual([
      ...['06:00–14:16', '8:16', '8:16', '8:16', '8:16', '0:00'],
      'Practical over 8:15Breaks too shortToo long without a break',
    ])
    await own.getByRole('row', { name: /5 May/ }).getByText('1 appointment without an outcome').waitFor()
    await months.filter({ hasText: 'Eva Adler' }).getByText('Eva Adler').click()
    await page.getByText('Daily override, booked by Anna Office').waitFor()
    await long.getByRole('link').click()
    await page.waitForURL(/\/\?date=2026-05-04/)
    await page.getByText('Lena Vogt').first().waitFor()
    await page.getByText('Eva Adler').waitFor({ state: 'detached' })
  })

  it('is downloaded as PDF and CSV, and empty in another month', async () => {
    const page = await open('/minutes?month=2026-05', { as: school })
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Print as PDF' }).click()
    const pdf = await download
    expect(pdf.suggestedFilename()).toBe('minutes-2026-05.pdf')
    expect(pagesOfPdf(await readFile(await pdf.path()))).toHaveLength(2)
    const csv = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    expect((await readFile(await (await csv).path(), 'utf8')).trim().split('\n')).toHaveLength(4)
    await page.getByRole('button', { name: 'Previous month' }).click()
    await page.getByText('April 2026').waitFor()
    await page.getByText('Nobody worked in this month.').waitFor()
    await page.getByRole('button', { name: 'Next month' }).click()
    await page.getByText('May 2026').waitFor()
  })

  it('shows an instructor only their own on the phone, and leads to their day', async () => {
    const user = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id: jonas.id })
    const phone = await enter(service(), { tenantId: school.tenantId, user })
    const page = await open('/today', { as: phone, ...PHONE })
    await page.getByRole('link', { name: 'Working time' }).click()
    await page.getByRole('heading', { name: 'Working time' }).waitFor()
    await page.goto(`${service().url}/minutes?month=2026-05`)
    await page.getByText('Practical over 8:15').waitFor()
    expect(await page.getByText('Eva Adler').count()).toBe(0)
    const { width } = PHONE.viewport
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    await page.getByRole('link', { name: /5 May/ }).click()
    await page.waitForURL(/\/today\?date=2026-05-05/)
  })
})
