import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, aUser, enter } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const NOW = '2032-03-01T07:15:00Z'

it.each([
  ['a desktop', { width: 1440, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
])('an owner who also teaches has the board and their own day on %s', async (_, viewport) => {
  const school = await aSchool(service())
  const jonas = await school.instructor()
  const mira = await school.instructor({ first_name: 'Mira', last_name: 'Seidel' })
  const times = { start_at: '2032-03-01 08:00', end_at: '2032-03-01 09:30' }
  const student = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
  const own = { instructor_id: jonas.id, student_id: student.id, ...times }
  const lesson = await school.lesson(own)
  await school.lesson({ instructor_id: mira.id, title: 'Of another', ...times })
  const user = await aUser(service(), school.tenantId, { role: 'owner', instructor_id: jonas.id })
  const as = await enter(service(), { tenantId: school.tenantId, user })
  const page = await open('/icon.svg', { as, viewport })
  await page.clock.install({ time: NOW })
  await page.goto(service().url)
  await page.getByRole('link', { name: 'My day' }).click()
  await page.getByRole('heading', { name: 'Lena Vogt' }).waitFor()
  await expect.poll(() => page.getByText('Of another').count()).toBe(0)
  await page.getByRole('button', { name: 'Done' }).first().click()
  await page.getByRole('button', { name: /^As planned/ }).click()
  await expect
    .poll(async () => (await school.client.get(`/appointments/${lesson.id}`)).body.status)
    .toBe('completed')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('link', { name: 'Days off and hours' }).click()
  await page.getByRole('heading', { name: 'Days off and hours' }).waitFor()
  await page.getByRole('link', { name: 'Board' }).click()
  await page.getByText('Mira Seidel').first().waitFor()
})
