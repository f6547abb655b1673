import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)

/** Lessons without a break from Friday evening to Monday morning. Monday's week is loaded from Saturday on. */
const NIGHTS = [
  ['2032-02-27 18:00', '2032-02-28 18:00'],
  ['2032-02-28 18:00', '2032-02-29 18:00'],
  ['2032-02-29 18:00', '2032-03-01 08:00'],
]

it('the form gives the same verdict as the service on a stretch that began in the previous week', async () => {
  const school = await aSchool(service())
  const { id } = await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
  for (const [start_at, end_at] of NIGHTS) await school.lesson({ instructor_id: id, start_at, end_at })
  await school.client.patch(`/instructors/${id}`, { max_continuous_minutes: 360 })
  const page = await open(`/?date=2032-03-01&view=week&instructor=${id}`, { as: school })
  await page.locator('[data-lesson]').first().waitFor()
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Start').fill('8')
  await page.keyboard.press('Tab')
  const minutes = 63.5 * 60
  await dialog.getByText(`That would be ${minutes} min without a break (18:00–09:30)`).waitFor()
  const answer = await school.book({
    instructor_id: id,
    start_at: '2032-03-01 08:00',
    end_at: '2032-03-01 09:30',
  })
  expect(answer.body).toMatchObject({
    code: 'continuous_minutes_exceeded',
    params: { minutes, start_at: '2032-02-27 18:00' },
  })
})
