import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { daysLater } from '../../src/domain/local-time.ts'
import { localToday } from '../../src/domain/time-zone.ts'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const tomorrow = daysLater(localToday(new Date(), 'Europe/Berlin'), 1)

let school: School
let jonas: { id: string }
let page: Page
/** The actions so far. */
let keys = 0
let clicks = 0

beforeEach(async () => {
  school = await aSchool(service())
  const templates = (await school.client.get('/license-class-templates')).body
  const b = templates.find(({ code }: { code: string }) => code === 'B')
  jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  const mira = await school.instructor({ first_name: 'Mira', last_name: 'Seidel' })
  const emma = await school.student({
    first_name: 'Emma',
    last_name: 'Kaya',
    license_class_template_id: b.id,
  })
  await school.student({ first_name: 'Lena', last_name: 'Vogt', preferred_instructor_id: mira.id })
  const times = { start_at: `${tomorrow} 10:00`, end_at: `${tomorrow} 11:30` }
  await school.lesson({ instructor_id: jonas.id, student_id: emma.id, ...times })
  page = await open(`/?date=${tomorrow}`, { as: school })
  await block().waitFor()
  keys = 0
  clicks = 0
})

const block = () => page.locator('[data-lesson]', { hasText: 'Emma Kaya' })
const form = () => page.getByRole('dialog')
const told = (text: RegExp) => page.getByText(text).first().waitFor()
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const marked = (name: string) => page.getByRole('option', { selected: true }).getByText(name).waitFor()
const focused = () => page.locator('input:focus').waitFor()

async function press(...struck: readonly string[]): Promise<void> {
  for (const key of struck) await page.keyboard.press(key)
  keys += struck.length
}

async function type(text: string): Promise<void> {
  await page.keyboard.type(text)
  keys += text.length
}

async function click(what: Locator): Promise<void> {
  await what.click()
  clicks += 1
}

describe('the number of keystrokes', () => {
  it('is at most nine to book a student with a class but no preferred instructor', {
    tags: 'promise',
  }, async () => {
    await press('n')
    await focused()
    await type('kay')
    await marked('Emma Kaya')
    await press('Enter')
    await form().getByText('Still needed').first().waitFor()
    await press('Enter')
    await type('m')
    await marked('Mira Seidel')
    await press('Enter')
    await form().getByText('Possible', { exact: true }).waitFor()
    await press('Enter')
    await told(/^Booked: Emma Kaya/)
    expect(keys).toBeLessThanOrEqual(9)
    await press('Control+z')
    await told(/^Undone: Emma Kaya/)
  })

  it('is at most six to book a student with a preferred instructor, by form or search', {
    tags: 'promise',
  }, async () => {
    for (const opening of ['n', 'f']) {
      keys = 0
      await press(opening)
      await focused()
      await type('vog')
      await marked('Lena Vogt')
      await press('Enter')
      await form().getByText('Possible', { exact: true }).waitFor()
      await press('Enter')
      await form().waitFor({ state: 'detached' })
      await told(/^Booked: Lena Vogt/)
      expect(keys).toBeLessThanOrEqual(6)
    }
  })

  it("is at most five to find a student's lesson and instructor", async () => {
    await press('/')
    await focused()
    await type('kaya')
    await page.getByText(/10:00–11:30 with Jonas Brandt/).waitFor()
    expect(keys).toBeLessThanOrEqual(5)
  })

  it('is at most eight to show the progress of a student', async () => {
    await press('/')
    await focused()
    await type('kay')
    await marked('Emma Kaya')
    await press('Tab', 'Tab', 'Tab', 'Enter')
    await form().locator('[data-progress]').waitFor()
    expect(keys).toBeLessThanOrEqual(8)
  })
})

describe('keystrokes before all data has loaded', () => {
  it('do not submit a lesson that lacks an instructor', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/appointments?student_id=*', (route) => held.then(() => route.continue()))
    await press('n')
    await focused()
    await type('kay')
    await marked('Emma Kaya')
    await press('Enter', 'Enter')
    release()
    await form().getByText('Still needed').first().waitFor()
    await form().getByText('Choose an instructor.').waitFor()
    await expect.poll(() => form().getByText('Not saved').count()).toBe(0)
  })
})

describe('the number of clicks', () => {
  it('is at most two to turn a rejected booking into a stored one', { tags: 'promise' }, async () => {
    await press('n')
    await focused()
    await type('vogt')
    await marked('Lena Vogt')
    await press('Enter')
    await form().getByRole('textbox', { name: 'Start', exact: true }).fill('10:30')
    await form().getByRole('combobox', { name: 'Instructor' }).fill('brandt')
    await press('Enter')
    await form().getByText('Not possible').waitFor()
    const nearest = form()
      .getByRole('button', { name: /\d\d:\d\d–\d\d:\d\d/ })
      .first()
    await nearest.waitFor()
    await click(nearest)
    await form().getByText('Possible', { exact: true }).waitFor()
    await click(button('Book'))
    await told(/^Booked: Lena Vogt/)
    expect(clicks).toBeLessThanOrEqual(2)
  })

  it('is at most five to cancel with a reason', async () => {
    await click(block())
    await click(form().getByRole('button', { name: 'Cancel lesson' }))
    await told(/^Cancelled: Emma Kaya/)
    await click(form().getByRole('button', { name: 'Edit' }))
    await click(form().getByLabel('Notes'))
    await page.keyboard.type('has a cold')
    await click(form().getByRole('button', { name: 'Save' }))
    await form().locator('dl').getByText('has a cold').waitFor()
    expect(clicks).toBeLessThanOrEqual(5)
    await page.keyboard.press('Escape')
    await form().waitFor({ state: 'detached' })
    await click(button(/^Undo:/))
    await told(/^Undone:/)
  })

  it('is two to print the day of one instructor and three for all instructors', async () => {
    await click(button('Day sheet: Jonas Brandt'))
    await page.getByRole('region', { name: 'Jonas Brandt' }).waitFor()
    await button('Print').waitFor()
    expect(clicks + 1).toBe(2)
    await page.goBack()
    await block().waitFor()
    clicks = 0
    await click(button('Print'))
    await click(page.getByRole('link', { name: 'Day sheets of all instructors' }))
    await page.getByRole('region', { name: 'Jonas Brandt' }).waitFor()
    await button('Print').waitFor()
    expect(clicks + 1).toBe(3)
  })

  it('is at most five to record an absence for tomorrow and cancel the affected lesson', async () => {
    await click(page.getByRole('link', { name: 'Instructors' }))
    await click(page.getByRole('link', { name: /Jonas Brandt/ }))
    await click(button('Add absence'))
    await page.locator('[aria-label="First day"]:focus').waitFor()
    const [, month, day] = tomorrow.split('-')
    await press('Control+a')
    await type(`${day}.${month}.`)
    await press('Tab', 'Escape')
    await page.getByText('1 upcoming lesson would no longer fit').scrollIntoViewIfNeeded()
    await click(button(/^Cancel lesson: .*Emma Kaya/))
    await told(/^Cancelled: Emma Kaya/)
    await click(button('Save'))
    await told(/^Saved: Jonas Brandt/)
    expect(clicks).toBeLessThanOrEqual(5)
    const { body } = await school.client.get(`/instructors/${jonas.id}`)
    expect(body.vacations).toMatchObject([{ start_date: tomorrow, end_date: tomorrow }])
  })
})
