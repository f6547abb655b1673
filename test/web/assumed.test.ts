import { expect, it } from 'vitest'
import { daysLater, mondayOf } from '../../src/domain/local-time.ts'
import { localToday } from '../../src/domain/time-zone.ts'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const MONDAY = daysLater(mondayOf(localToday(new Date(), 'Europe/Berlin')), 14)

it('times found for a lesson affected by an unsaved absence exclude the absent instructor on that day', async () => {
  const school = await aSchool(service(), { locale: 'en' })
  const availability_windows = [1, 2].map((weekday) => ({ weekday, start: '08:00', end: '12:00' }))
  const jonas = await school.instructor({ availability_windows })
  await school.instructor({ first_name: 'Mira', last_name: 'Seidel', availability_windows })
  const lena = await school.student({ preferred_instructor_id: jonas.id })
  const { id } = await school.lesson({
    instructor_id: jonas.id,
    student_id: lena.id,
    start_at: `${MONDAY} 08:00`,
    end_at: `${MONDAY} 09:30`,
  })
  const page = await open(`/instructors?instructor=${jonas.id}`, { as: school })
  const dialog = page.getByRole('dialog').first()
  await dialog.getByRole('button', { name: 'Add absence' }).click()
  const typed = MONDAY.split('-').reverse().join('/')
  for (const name of ['First day', 'Last day']) {
    await dialog.getByLabel(name).last().fill(typed)
    await page.keyboard.press('Tab')
  }
  await dialog.getByText('1 upcoming lesson would no longer fit').waitFor()
  await dialog.getByRole('button', { name: /^Move/ }).click()
  const editing = page.getByRole('dialog', { name: 'Edit lesson' })
  await editing.getByText(/Jonas Brandt is away/).waitFor()
  await editing
    .getByRole('button', { name: /Find (a|another) time/ })
    .first()
    .click()
  const times = editing.getByRole('radio')
  await times.first().waitFor()
  const listed = await times.evaluateAll((all) => all.map((one) => one.closest('label')?.textContent ?? ''))
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const onMonday = listed.filter((text) => text.includes(day.format(new Date(MONDAY))))
  expect(onMonday.filter((text) => text.includes('Jonas'))).toEqual([])
  expect(listed.some((text) => text.includes('Jonas'))).toBe(true)
  await editing.getByRole('button', { name: 'Save' }).click()
  await editing.waitFor({ state: 'detached' })
  await dialog.getByText('would no longer fit').waitFor({ state: 'detached' })
  const moved = (await school.client.get(`/appointments/${id}`)).body
  expect([moved.start_at.slice(0, 10), moved.instructor_id]).not.toEqual([MONDAY, jonas.id])
  expect((await school.client.get(`/instructors/${jonas.id}`)).body.vacations).toEqual([])
})
