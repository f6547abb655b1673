import { readFile } from 'node:fs/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { must } from '../support/client.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'
import { templateOf } from '../support/trainer.ts'

declare const getComputedStyle: (element: unknown) => { readonly fill: string }

const service = useService()
const open = useBrowser(service)
const MAY = '/numbers?from=2026-05-01&to=2026-05-31'
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

let school: School
let eva: Row

beforeEach(async () => {
  school = await aSchool(service())
  const availability_windows = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '08:00', end: '16:00' }))
  eva = await school.instructor({ first_name: 'Eva', last_name: 'Adler', availability_windows })
  const license_class_template_id = await templateOf(school, 'B')
  const { id: student_id } = await school.student({
    license_class_template_id,
    preferred_instructor_id: eva.id,
  })
  const [enrolment] = must(200, await school.client.get(`/students/${student_id}/enrolments`))
  must(200, await school.client.patch(`/enrolments/${enrolment.id}`, { begins_on: '2026-03-02' }))
  const drive = (day: string, fields = {}) =>
    school.lesson({
      ...{ instructor_id: eva.id, student_id, status: 'completed' },
      ...{ start_at: `2026-05-${day} 08:00`, end_at: `2026-05-${day} 10:00`, ...fields },
    })
  await drive('04')
  await drive('05')
  await drive('06', { status: 'no_show' })
  await drive('12', { lesson_type_id: school.lessonTypes.THEORY_EXAM, exam_result: { passed: true } })
})

describe('the numbers of a school', () => {
  it('show the use of working hours and lead to the lessons behind it, and their file', {
    tags: 'promise',
  }, async () => {
    const page = await open('/instructors', { as: school })
    await page.getByRole('link', { name: 'Numbers' }).click()
    await page.goto(`${service().url}${MAY}`)
    const use = page.getByRole('region', { name: 'Use of working hours' })
    await use.getByText('10%', { exact: true }).first().waitFor()
    await use.getByText('Table').click()
    await use.getByRole('link', { name: 'Eva Adler, W19: 4 h of 40 h (10%)' }).click()
    await page.getByRole('heading', { name: 'Hours worked' }).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(3)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    const file = await readFile(await (await download).path(), 'utf8')
    expect(file.trim().split('\r\n')).toHaveLength(3)
    await page.getByRole('link', { name: 'Back to the numbers' }).click()
    await page.getByText('May 2026').waitFor()
    await page
      .getByRole('region', { name: 'Missed and cancelled' })
      .locator('svg text', { hasText: 'No-show' })
      .waitFor()
    await page
      .getByRole('region', { name: 'Passed at the first attempt' })
      .locator('svg text', { hasText: '100% (1 of 1)' })
      .waitFor()
    await page
      .getByRole('region', { name: 'From enrolment to test' })
      .locator('svg text', { hasText: '71 days' })
      .waitFor()
  })

  it('follow the days that another user closes', async () => {
    const page = await open(MAY, { as: school })
    const use = page.getByRole('region', { name: 'Use of working hours' })
    await use.getByText('Table').click()
    await use.getByRole('link', { name: 'Eva Adler, W19: 4 h of 40 h (10%)' }).waitFor()
    const closed = { start_date: '2026-05-07', end_date: '2026-05-08', note: null }
    must(201, await school.client.post('/closures', closed))
    await use.getByRole('link', { name: 'Eva Adler, W19: 4 h of 24 h (17%)' }).waitFor()
  })

  it('list the students to call, and book from the list', async () => {
    const page = await open(MAY, { as: school })
    const owed = page.getByRole('region', { name: 'Special drives missing before the test' })
    await owed.getByText('Lena Vogt').waitFor()
    await owed.getByRole('button', { name: 'Lena Vogt: Book lesson' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('input[value*="Vogt"]').first().waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')
    await page
      .getByRole('region', { name: 'No lesson in three weeks' })
      .getByText(/last one on 12 May/)
      .waitFor()
  })

  it('step through months, quarters, years and other days, beside the period before', async () => {
    const page = await open(MAY, { as: school })
    await page.getByText('May 2026').waitFor()
    await page.getByLabel('Period', { exact: true }).selectOption({ label: 'Quarter' })
    await page.getByText('Q2 2026').waitFor()
    await page.getByRole('button', { name: 'Previous period' }).click()
    await page.getByText('Q1 2026').waitFor()
    await page.getByLabel('Period', { exact: true }).selectOption({ label: 'Other days' })
    await page.getByLabel('To', { exact: true }).fill('2027-06-01')
    await page.getByText('At most 366 days, and the start before the end').waitFor()
    await page.getByLabel('To', { exact: true }).fill('2026-05-04')
    await page.waitForURL(/to=2026-05-04/)
    await page.getByText('Completed appointments').locator('..').getByText('before: 0').waitFor()
  })

  it('have their words and arrows in one line each on a phone, in German too', async () => {
    const page = await open(MAY, { as: school, ...PHONE, locale: 'de-DE' })
    const book = page.getByRole('button', { name: 'Lena Vogt: Fahrstunde buchen' }).first()
    await book.waitFor()
    // The longest name of a month.
    await page.goto(`${service().url}/numbers?from=2026-09-01&to=2026-09-30`)
    await book.waitFor()
    expect(await book.evaluate((button) => button.scrollWidth - button.clientWidth)).toBe(0)
    const boxes = [
      page.getByLabel('Voriger Zeitraum'),
      page.getByText('September 2026'),
      page.getByLabel('Nächster Zeitraum'),
    ]
    const [before, month, after] = await Promise.all(boxes.map((one) => one.boundingBox()))
    if (!before || !month || !after) throw new Error('the period is not shown')
    expect(after.y).toBe(before.y)
    expect(before.x + before.width).toBeLessThanOrEqual(month.x)
    expect(month.x + month.width).toBeLessThanOrEqual(after.x)
  })

  it('of a year with thirty instructors are one printed page without links, light in the dark too', async () => {
    const availability_windows = [{ weekday: 1, start: '08:00', end: '16:00' }]
    for (let number = 0; number < 29; number += 1)
      await school.instructor({ first_name: 'Maximilian', last_name: `Nr. ${number}`, availability_windows })
    const page = await open('/numbers?from=2026-01-01&to=2026-12-31', { as: school, colorScheme: 'dark' })
    const use = page.getByRole('region', { name: 'Use of working hours' })
    await use.locator('svg [data-level=none]').first().waitFor()
    await page.getByRole('link', { name: 'Open as a list' }).first().waitFor()
    const printed = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    expect(printed.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('link', { name: 'Open as a list' }).count()).toBe(0)
    const closed = use.locator('svg [data-level=none] rect').first()
    expect(await closed.evaluate((rect) => getComputedStyle(rect).fill)).toBe('rgb(241, 243, 245)')
  })

  it('name no week beyond the edge of the plot', async () => {
    const page = await open('/numbers?from=2026-01-01&to=2026-12-31', { as: school })
    const plot = page.getByRole('img', { name: 'Use of working hours' })
    const last = await plot.locator('text', { hasText: /^W\d/ }).last().boundingBox()
    const edges = await plot.boundingBox()
    if (!last || !edges) throw new Error('the plot is not shown')
    expect(last.x + last.width).toBeLessThanOrEqual(edges.x + edges.width)
  })

  it('fit a phone, and are not for the office', async () => {
    const page = await open(MAY, { as: school, ...PHONE })
    await page.getByText('Use of working hours').first().waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    const user = await aUser(service(), school.tenantId, { role: 'office' })
    const office = await enter(service(), { tenantId: school.tenantId, user })
    const other = await open(MAY, { as: office })
    await other.getByText('This page is for the owner.').waitFor()
  })
})

it('the command bar leads to working time, fees, changes and numbers', async () => {
  const page = await open('/', { as: school })
  for (const [words, address] of [
    ['payroll', /\/minutes/],
    ['fees', /\/students\?.*missed/],
    ['who changed', /\/changes/],
    ['statistics', /\/numbers/],
  ] as const) {
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByRole('dialog').getByRole('combobox').fill(words.replace('who changed', 'audit'))
    await page.keyboard.press('Enter')
    await page.waitForURL(address)
  }
})
