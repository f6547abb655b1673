import axe, { type Result } from 'axe-core'
import ical from 'node-ical'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { Client } from '../support/client.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
/** A date that is in the future, and near enough to be in a feed. */
const DATE = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)

let school: School
let jonas: Row
let lena: Row
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
  await school.client.patch('/tenant', {
    phone: '+49 30 5550100',
    cancellation_terms: 'Call 48 hours before.',
  })
  jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  const templates = (await school.client.get('/license-class-templates')).body
  const { id } = templates.find(({ code }: { code: string }) => code === 'B')
  lena = await school.student({ first_name: 'Lena', last_name: 'Vogt', license_class_template_id: id })
  const times = { start_at: `${DATE} 08:00`, end_at: `${DATE} 09:30` }
  await school.lesson({ instructor_id: jonas.id, student_id: lena.id, ...times })
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const address = () => page.getByLabel('Link', { exact: true })
const get = (url: string) => new Client(service()).get(`/${url.slice(service().url.length)}`)

describe("a student's page", () => {
  it('can be shared by the office, opened by the student, and revoked', { tags: 'promise' }, async () => {
    page = await open(`/students?student=${lena.id}`, { as: school })
    await page.getByText('Page for the student').click()
    await page.getByText('There is no link.').waitFor()
    await button('Create a link').dblclick()
    const url = await address().inputValue()
    await page.getByText('never used').waitFor()
    const student = await open('/icon.svg', { ...PHONE, locale: 'en-GB' })
    await student.goto(url)
    await student.getByRole('heading', { name: 'Driving lessons of Lena' }).waitFor()
    await student.getByText('08:00–09:30').waitFor()
    await student.getByText('0 of 5 done').waitFor()
    await student.getByRole('link', { name: 'العربية' }).tap()
    await student.getByRole('heading', { name: 'دروس القيادة: Lena' }).waitFor()
    await button('End the link').click()
    await page.getByText('stop working for everyone who has it').waitFor()
    await button('Cancel').click()
    await button('End the link').click()
    await button('End the link').click()
    await page.getByText('There is no link.').waitFor()
    await expect.poll(() => address().count()).toBe(0)
    await student.reload()
    await student.getByRole('heading', { name: 'هذه الصفحة غير موجودة' }).waitFor()
  })

  it('fits a 320 px screen and has no axe violations in light and dark mode and in Arabic', async () => {
    const { url } = (await school.client.post(`/students/${lena.id}/link`)).body
    const student = await open('/icon.svg', { viewport: { width: 320, height: 640 }, bypassCSP: true })
    await student.context().addInitScript(axe.source)
    for (const path of [url, `${url}?lang=ar`, `${url}?lang=ru`, `${service().url}/s/nothing`]) {
      await student.goto(path)
      await expect.poll(() => student.evaluate('document.documentElement.scrollWidth')).toBe(320)
      for (const colorScheme of ['light', 'dark'] as const) {
        await student.emulateMedia({ colorScheme })
        const faults = await student.evaluate<Result[]>('axe.run().then(({ violations }) => violations)')
        expect(faults.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)])).toEqual([])
      }
    }
  })

  it('is styled under its own content security policy and sends no further requests', async () => {
    const { url } = (await school.client.post(`/students/${lena.id}/link`)).body
    const student = await open('/icon.svg', PHONE)
    const asked: string[] = []
    student.on('request', (request) => asked.push(request.url()))
    await student.goto(url)
    expect(
      await student.evaluate("getComputedStyle(document.querySelector('.lessons li')).borderRadius"),
    ).toBe('4px')
    expect(asked).toEqual([url])
  })
})

describe('a calendar feed', () => {
  it('can be created on the instructor card with busy times only and leaves no unsaved changes', async () => {
    page = await open(`/instructors?instructor=${jonas.id}`, { as: school })
    await page.getByText('Calendar link').click()
    await page.getByLabel('What can be seen').selectOption('Only busy times')
    await button('Create a link').click()
    const { text } = await get(await address().inputValue())
    const events = Object.values(ical.sync.parseICS(text)).filter((one) => one?.type === 'VEVENT')
    expect(events.map((event) => event && 'summary' in event && event.summary)).toEqual(['Belegt'])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('can be created and renewed by the instructor on a phone, and its link is shown only once', async () => {
    const user = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id: jonas.id })
    const as = await enter(service(), { tenantId: school.tenantId, user })
    page = await open('/today', { ...PHONE, as })
    await page.getByText('In my calendar').tap()
    await button('Create a link').tap()
    const first = await address().inputValue()
    await expect
      .poll(() => page.getByRole('link', { name: 'Open in the calendar' }).getAttribute('href'))
      .toBe(first.replace('http:', 'webcal:'))
    await button('Create a new link').tap()
    await page.getByText('The existing link will stop working.').waitFor()
    await button('Create a new link').tap()
    await expect.poll(() => address().inputValue()).not.toBe(first)
    const second = await address().inputValue()
    expect([(await get(first)).status, (await get(second)).status]).toEqual([404, 200])
    await page.reload()
    await page.getByText('In my calendar').tap()
    await page.getByText('last used').waitFor()
    await expect.poll(() => address().count()).toBe(0)
  })

  it('shows a connection error while offline and can be created afterwards', async () => {
    page = await open(`/instructors?instructor=${jonas.id}`, { as: school })
    await page.getByText('Calendar link').click()
    await page.getByText('There is no link.').waitFor()
    await page.context().setOffline(true)
    await button('Create a link').click()
    await page
      .getByRole('alert')
      .getByText(/cannot be reached|no connection/i)
      .waitFor()
    await page.context().setOffline(false)
    await button('Create a link').click()
    expect((await get(await address().inputValue())).status).toBe(200)
  })
})
