import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)

it('the owner corrects the time zone once no lesson is at a time that it skips', async () => {
  const school = await aSchool(service())
  const { id: instructor_id } = await school.instructor()
  const times = { start_at: '2099-03-29 01:15', end_at: '2099-03-29 04:00' }
  const lesson = await school.lesson({ instructor_id, ...times })
  const page = await open('/settings?chapter=school', { as: school })
  const group = page.getByRole('group', { name: 'Time zone' })
  const correct = group.getByRole('button', { name: 'Correct the time zone' })
  expect(await correct.isDisabled()).toBe(true)
  await group.getByRole('combobox', { name: "The school's zone" }).fill('London')
  await page.getByRole('option', { name: 'Europe/London' }).click()
  await correct.click()
  await group.getByText('The time of a lesson does not exist there').waitFor()
  await group.getByText(/29.*2099, 01:15/).waitFor()
  await school.client.delete(`/appointments/${lesson.id}`)
  await correct.click()
  await page.getByText('The time zone is Europe/London now.').waitFor()
  expect((await school.client.get('/tenant')).body.timezone).toBe('Europe/London')
  await expect.poll(() => correct.isDisabled()).toBe(true)
})
