import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { queueMessages } from '../../src/db/messages/messages.ts'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'
import { StudentBrowser } from '../support/student-browser.ts'

const service = useService()
const open = useBrowser(service)

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const TIMES = { start_at: '2099-03-02 08:00', end_at: '2099-03-02 09:30' } as const

let school: School
let jonas: Row
let lena: Row
let lesson: Row
let student: StudentBrowser

beforeEach(async () => {
  school = await aSchool(service())
  await school.client.patch('/tenant', {
    student_actions: { confirm: true, cancel: true, wish: true, proof: 'none' },
  })
  jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  lena = await school.student({ first_name: 'Lena', last_name: 'Vogt', phone: '+49 170 1234567' })
  lesson = await school.lesson({ instructor_id: jonas.id, student_id: lena.id, ...TIMES })
  student = await StudentBrowser.open(service(), school, lena)
})

const link = (page: Page) => page.getByRole('link', { name: /Inbox|new entr/ })
const fresh = (page: Page) => page.getByRole('region', { name: 'Since you last looked' })

describe('news from a student', () => {
  it('shows in the office without a reload, with what to do, and is marked as seen by looking', {
    tags: 'promise',
  }, async () => {
    const mara = await school.student({ first_name: 'Mara', last_name: 'Lindt' })
    await school.client.post(`/students/${mara.id}/wishes`, { minutes: 90 })
    const page = await open('/?date=2099-03-02', { as: school })
    await page.getByText('Lena Vogt').waitFor()
    expect(await link(page).textContent()).toBe(' Inbox')
    await student.submit(lesson.id, 'cancel')
    await page.getByTitle('1 new entry').waitFor()
    await link(page).click()
    const entry = fresh(page).getByRole('listitem')
    await entry.getByText(/^Lena Vogt cancelled: Übungsfahrt .*, .*2 Mar.*, Jonas Brandt\.$/).waitFor()
    expect(await entry.getByRole('link', { name: '+49 170 1234567' }).getAttribute('href')).toBe(
      'tel:+491701234567',
    )
    await page.getByTitle('1 new entry').waitFor({ state: 'detached' })
    await entry.getByRole('button', { name: 'Who could come?' }).click()
    await page
      .getByRole('dialog')
      .getByRole('checkbox', { name: /Mara Lindt/ })
      .waitFor()
    await page.keyboard.press('Escape')
    await entry.getByRole('link', { name: 'Open the lesson' }).click()
    await page.getByRole('dialog').getByText('Lena Vogt').first().waitFor()
    await page.goto(`${service().url}/inbox`)
    await page
      .getByRole('region', { name: 'Earlier' })
      .getByText(/^Lena Vogt cancelled/)
      .waitFor()
  })

  it('leads from a wish to the student, and does not count a confirmation', async () => {
    await student.pressWish({
      act: 'wish',
      weekday: '2',
      time_from: '14:00',
      time_to: '18:00',
      minutes: '90',
    })
    await student.submit(lesson.id, 'confirm')
    const page = await open('/inbox', { as: school, ...PHONE })
    await fresh(page)
      .getByText(/^Lena Vogt confirmed: /)
      .waitFor()
    await fresh(page).getByText('Lena Vogt would like lessons: Tuesday, 14:00–18:00, 90 min.').waitFor()
    await fresh(page).getByRole('link', { name: 'Open the student' }).tap()
    await page.getByRole('dialog').getByText('Lena Vogt').first().waitFor()
  })

  it("reaches the lesson's instructor on the phone, who can call and open the lesson", async () => {
    const { tenantId } = school
    const user = await aUser(service(), tenantId, { role: 'instructor', instructor_id: jonas.id })
    await student.submit(lesson.id, 'cancel')
    const phone = await open('/today', { ...PHONE, as: await enter(service(), { tenantId, user }) })
    await phone.getByRole('link', { name: '1 new entry' }).tap()
    const entry = fresh(phone).getByRole('listitem')
    await entry.getByText(/^Lena Vogt cancelled: /).waitFor()
    expect(await entry.getByRole('button', { name: 'Who could come?' }).count()).toBe(0)
    await entry.getByRole('link', { name: '+49 170 1234567' }).waitFor()
    await entry.getByRole('link', { name: 'Open the lesson' }).tap()
    await phone.getByRole('heading', { name: 'Lena Vogt' }).waitFor()
  })
})

it('an undelivered message is in the inbox, and is sent again', async () => {
  const now = new Date()
  await queueMessages(service().db, school.tenantId, now, [
    {
      kind: 'cancelled',
      student_id: lena.id,
      lessons: [{ appointment_id: lesson.id, instructor_id: jonas.id, ...TIMES, was: null }],
      channel: 'mail',
      to_address: null,
      send_at: now,
      worth_until: new Date('2099-03-02T07:00:00Z'),
    },
  ])
  const page = await open('/inbox', { as: school })
  const entry = page.getByRole('listitem').filter({ hasText: 'Not delivered' })
  await entry
    .getByText(
      /^Not delivered: Cancellation to Lena Vogt, .*2 Mar.* \(no e-mail address or phone number\)\.$/,
    )
    .waitFor()
  await entry.getByRole('button', { name: 'Send again' }).click()
  await entry.waitFor({ state: 'detached' })
  const [message] = (await school.client.get('/messages')).body
  expect(message).toMatchObject({ kind: 'cancelled', state: 'waiting' })
})
