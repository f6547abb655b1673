import { expect, it } from 'vitest'
import type { Appointment } from '../../src/contract/appointment.ts'
import { useService } from '../support/app.ts'
import { goOffline, useBrowser } from '../support/browser.ts'
import { aDay, DATE, onPhone } from './instructors-day.ts'

const service = useService()
const open = useBrowser(service)

it('an instructor records the attendance of a class on the phone, also while offline', async () => {
  const day = await aDay(service())
  const { school } = day
  const [mia, ole] = [
    await school.student({ first_name: 'Mia', last_name: 'Lang' }),
    await school.student({ first_name: 'Ole', last_name: 'Kurz' }),
  ]
  const { id } = await school.lesson({
    instructor_id: day.jonas.id,
    lesson_type_id: school.lessonTypes.THEORY_BASIC,
    attendees: [{ student_id: mia.id }, { student_id: ole.id }],
    topic: 'Thema 3',
    start_at: `${DATE} 06:00`,
    end_at: `${DATE} 07:30`,
  })
  const stored = async () => {
    const { attendees }: Appointment = (await school.client.get(`/appointments/${id}`)).body
    return Object.fromEntries(attendees.map(({ student_id, attended }) => [student_id, attended]))
  }
  const page = await onPhone(service(), open, day, { viewport: { width: 375, height: 700 } })
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Theorieunterricht' })
    .getByRole('button')
    .first()
    .click()
  await page.getByText(/Thema 3/).waitFor()
  const attendance = page.getByRole('region', { name: 'Attendance' })
  await attendance.getByText('0 of 2 present').waitFor()
  await attendance.getByRole('button', { name: 'All present' }).click()
  await expect.poll(stored).toEqual({ [mia.id]: true, [ole.id]: true })
  await goOffline(page)
  await attendance.getByRole('button', { name: 'Ole Kurz' }).dblclick({ delay: 60 })
  await attendance.getByText('1 of 2 present').waitFor()
  await page.getByText('1 entry will be sent').waitFor()
  await page.context().setOffline(false)
  await expect.poll(stored).toEqual({ [mia.id]: true, [ole.id]: false })
  const box = await attendance.getByRole('button', { name: 'Mia Lang' }).boundingBox()
  expect(box?.height).toBeGreaterThanOrEqual(44)
})
