import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { queueMessages } from '../../src/db/messages/messages.ts'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { readInbox } from '../support/read-inbox.ts'

const service = useService()
const open = useBrowser(service)
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

let school: School
let jonas: Row
let lena: Row

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  lena = await school.student({ first_name: 'Lena', last_name: 'Vogt', phone: '+49 170 1234567' })
})

/** Cancels a lesson of a student without consent, so that the office is asked to call. */
async function cancelled(student: Row, day: string): Promise<void> {
  const times = { start_at: `${day} 08:00`, end_at: `${day} 09:30` } as const
  const { id } = await school.lesson({ instructor_id: jonas.id, student_id: student.id, ...times })
  must(200, await school.client.post(`/appointments/${id}/cancel`, { by: 'school' }))
  const now = new Date()
  const lesson = { appointment_id: id, instructor_id: jonas.id, ...times, was: null }
  const call = { kind: 'cancelled', student_id: student.id, lessons: [lesson], channel: 'call' } as const
  const worth_until = new Date(`${day}T07:00:00Z`)
  await queueMessages(service().db, school.tenantId, now, [
    { ...call, to_address: null, send_at: now, worth_until },
  ])
}

const callOf = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

it.each([
  ['desktop', {}],
  ['phone', PHONE],
])('the office calls a student who gets no messages, and says so (%s)', async (_, look) => {
  const emma = await school.student({ first_name: 'Emma', last_name: 'Kaya', phone: '+49 170 7654321' })
  await cancelled(lena, day(2))
  await cancelled(emma, day(3))
  const page = await open('/inbox', { as: school, ...look })
  const lenas = callOf(page, 'Lena Vogt')
  await lenas.getByRole('link', { name: '+49 170 1234567' }).waitFor()
  expect(await lenas.getByRole('link', { name: '+49 170 1234567' }).getAttribute('href')).toBe(
    'tel:+491701234567',
  )
  expect(await lenas.getByRole('button', { name: 'Send again' }).count()).toBe(0)
  await lenas.getByRole('button', { name: 'Told by phone' }).click()
  await lenas.waitFor({ state: 'detached' })
  await callOf(page, 'Emma Kaya').getByRole('button', { name: 'Told by phone' }).waitFor()
  await page.reload()
  await callOf(page, 'Emma Kaya').waitFor()
  expect(await lenas.count()).toBe(0)
  const { entries } = await readInbox(school.client)
  expect(entries.map(({ kind, student_id }) => [kind, student_id])).toEqual([
    ['message_undelivered', emma.id],
  ])
})

it('a call that could not be stored stays, with what to do', async () => {
  await cancelled(lena, day(2))
  const page = await open('/inbox', { as: school })
  const entry = callOf(page, 'Lena Vogt')
  await page.route('**/told', (route) => route.abort())
  await entry.getByRole('button', { name: 'Told by phone' }).click()
  await entry.getByText('Not saved').waitFor()
  await page.unroute('**/told')
  await entry.getByRole('button', { name: 'Told by phone' }).click()
  await entry.waitFor({ state: 'detached' })
})
