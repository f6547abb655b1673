import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const DATE = '2032-03-01'
/** The time on the clocks of the service and the page, after the lesson. */
const NOW = `${DATE}T15:00:00Z`

let school: School
let lesson: Row
let page: Page

beforeEach(async () => {
  service().setClock(new Date(NOW))
  school = await aSchool(service())
  const { id: instructor_id } = await school.instructor()
  const { id: student_id } = await school.student({ first_name: 'Emma', last_name: 'Kaya' })
  const times = { start_at: `${DATE} 10:00`, end_at: `${DATE} 11:30` }
  lesson = await school.lesson({ instructor_id, student_id, ...times })
})

afterEach(() => service().setClock(undefined))

async function openCard(): Promise<void> {
  page = await open('/icon.svg', { as: school })
  await page.clock.setFixedTime(NOW)
  await page.goto(`${service().url}/?date=${DATE}&lesson=${lesson.id}`)
}

const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const stored = async () => (await school.client.get(`/appointments/${lesson.id}`)).body

it('planning a cancelled lesson again is undone with its party, reason, time and fee', async () => {
  const given = { by: 'student', reason: 'illness', note: 'overslept', charge: true }
  const { cancellation } = must(
    200,
    await school.client.post(`/appointments/${lesson.id}/cancel`, {
      ...given,
      at: '2032-03-01T08:00:00.000Z',
    }),
  )
  await openCard()
  await press('Reinstate')
  await expect.poll(stored).toMatchObject({ status: 'planned', cancellation: null })
  await press('Undo')
  await page.getByText(/^Undone: /).waitFor()
  expect(await stored()).toMatchObject({ status: 'cancelled', cancellation })
})

it('a cancellation of a no-show is undone to a no-show', async () => {
  await school.client.patch(`/appointments/${lesson.id}`, { status: 'no_show' })
  await openCard()
  await press('Cancel with reason and fee…')
  await page
    .getByRole('dialog', { name: 'Cancel lesson' })
    .getByRole('button', { name: 'Record cancellation' })
    .click()
  await page.getByText(/^Cancelled: Emma Kaya/).waitFor()
  await press('Undo')
  await page.getByText(/^Undone: /).waitFor()
  expect(await stored()).toMatchObject({ status: 'no_show', cancellation: null })
})
