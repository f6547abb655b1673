import { expect, it } from 'vitest'
import type { Appointment } from '../../src/contract/appointment.ts'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)

it('students join a class on its card, and those who were there are marked', async () => {
  const school = await aSchool(service())
  const { id: instructor_id } = await school.instructor()
  const lena = await school.student()
  const theory = { instructor_id, lesson_type_id: school.lessonTypes.THEORY_BASIC, seats: 12 }
  const coming = { start_at: '2099-03-02 18:00', end_at: '2099-03-02 19:30' }
  const { id } = await school.lesson({ ...theory, ...coming })
  const had = { start_at: '2020-03-02 18:00', end_at: '2020-03-02 19:30' }
  const attendees = [{ student_id: lena.id }]
  const past = await school.lesson({ ...theory, attendees, ...had })
  const stored = async (one: string): Promise<Appointment['attendees']> =>
    (await school.client.get(`/appointments/${one}`)).body.attendees
  const page = await open('/?date=2099-03-02', { as: school })
  await page.locator(`[data-lesson="${id}"]`).click()
  const group = page.getByRole('region', { name: 'Attendees' })
  await group.getByText('0 of 12 seats taken').waitFor()
  await group.getByRole('combobox', { name: 'Attendees' }).fill('Lena')
  await page.getByRole('option', { name: 'Lena Vogt' }).click()
  await group.getByText('1 of 12 seats taken').waitFor()
  await expect.poll(() => stored(id)).toEqual([{ student_id: lena.id, attended: null }])
  await page.locator(`[data-lesson="${id}"]`).getByText('1/12').waitFor()
  await group.getByRole('button', { name: 'Take out Lena Vogt' }).click()
  await expect.poll(() => stored(id)).toEqual([])
  const later = await open('/?date=2020-03-02', { as: school })
  await later.locator(`[data-lesson="${past.id}"]`).click()
  const attendance = later.getByRole('region', { name: 'Attendees' })
  await attendance.getByRole('button', { name: 'Lena Vogt', exact: true }).click()
  await expect.poll(() => stored(past.id)).toEqual([{ student_id: lena.id, attended: true }])
})
