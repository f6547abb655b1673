import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)

it('the owner enables student actions and chooses the required proof', async () => {
  const school = await aSchool(service())
  const page = await open('/settings?chapter=students', { as: school })
  const group = page.getByRole('group', { name: 'What students may do on their page' })
  await group.getByRole('switch', { name: 'Confirm lessons' }).click()
  await group.getByRole('combobox', { name: 'Identity check in addition to the link' }).fill('code')
  await page.getByRole('option', { name: 'Code by e-mail' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const read = async () => (await school.client.get('/tenant')).body.student_actions
  await expect.poll(read).toMatchObject({ confirm: true, cancel: false, wish: false, proof: 'mail_code' })
})

/** Books a lesson and opens its student's page on a phone without scripts. */
async function aStudentsPage(school: School) {
  const student = await school.student({ birth_date: '2008-04-12' })
  const lesson = await school.lesson({
    instructor_id: (await school.instructor()).id,
    student_id: student.id,
    start_at: '2099-03-02 08:00',
    end_at: '2099-03-02 09:30',
  })
  const { url } = (await school.client.post(`/students/${student.id}/link`)).body
  const page = await open('/login', { javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  await page.goto(`${url}?lang=en`)
  return { lesson, page }
}

it('a student without JavaScript confirms a lesson, which the lesson card shows, and cancels it', async () => {
  const school = await aSchool(service())
  await school.client.patch('/tenant', {
    student_actions: { confirm: true, cancel: true },
    phone: '+49 30 5550100',
    cancellation_policy: [{ categories: null, notice: { hours: 24 }, fee_percent: 80 }],
  })
  const { lesson, page } = await aStudentsPage(school)
  await page.getByRole('link', { name: 'Confirm lesson' }).click()
  await page.getByLabel('Your date of birth').fill('2008-04-13')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('alert').getByText('Tries left: 9').waitFor()
  await page.getByLabel('Your date of birth').fill('2008-04-12')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Cancelling now is free of charge.').waitFor()
  await page.getByRole('button', { name: 'Confirm lesson' }).click()
  await page.getByRole('status').getByText('confirmed').waitFor()
  const card = await open(`/?date=2099-03-02&lesson=${lesson.id}`, { as: school })
  await card.getByRole('dialog').getByText('confirmed by the student').waitFor()
  await page.getByRole('button', { name: 'Cancel lesson' }).click()
  await page.getByRole('status').getByText('cancelled').waitFor()
  await expect.poll(() => page.getByRole('button').count()).toBe(0)
  const stored = async () => (await school.client.get(`/appointments/${lesson.id}`)).body
  expect(await stored()).toMatchObject({ status: 'cancelled', cancellation: { by: 'student' } })
})

it('a student without JavaScript moves a lesson to a free time', async () => {
  const school = await aSchool(service())
  await school.client.patch('/tenant', { students_may_move: true })
  const { lesson, page } = await aStudentsPage(school)
  await page.getByRole('link', { name: 'Another time' }).click()
  await page.getByLabel('Your date of birth').fill('2008-04-12')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Show free times' }).click()
  const time = page.getByRole('radio').nth(3)
  const start_at = await time.getAttribute('value')
  await time.check()
  await page.getByRole('button', { name: 'Move the lesson' }).click()
  await page.getByRole('button', { name: 'Show free times' }).waitFor()
  await page.getByText(String(start_at).slice(11)).waitFor()
  expect((await school.client.get(`/appointments/${lesson.id}`)).body).toMatchObject({ start_at, version: 2 })
})

it('a student without JavaScript sends a wish for times and withdraws it', async () => {
  const school = await aSchool(service())
  await school.client.patch('/tenant', { student_actions: { wish: true } })
  const student = await school.student({ birth_date: '2008-04-12' })
  const { url } = (await school.client.post(`/students/${student.id}/link`)).body
  const page = await open('/login', { javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  await page.goto(`${url}?lang=en`)
  await page.getByRole('link', { name: 'Ask for times' }).click()
  await page.getByLabel('Your date of birth').fill('2008-04-12')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Wednesday').check()
  await page.getByLabel('Friday').check()
  await page.getByLabel('Not before').fill('14:00')
  await page.getByLabel('Duration').selectOption('135 minutes')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Wednesday and Friday').waitFor()
  const stored = async () => (await school.client.get(`/students/${student.id}/wishes`)).body
  expect(await stored()).toMatchObject([{ weekdays: [3, 5], time_from: '14:00', minutes: 135 }])
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await expect.poll(stored).toEqual([])
})

it('a student without JavaScript accepts an offer shown on their page', async () => {
  const school = await aSchool(service())
  const student = await school.student({ birth_date: '2008-04-12' })
  const times = { start_at: '2099-03-02 08:00', end_at: '2099-03-02 09:30' }
  const { body: offer } = await school.client.post('/offers', {
    instructor_id: (await school.instructor()).id,
    lesson_type_id: school.lessonTypes.PRACTICE,
    student_ids: [student.id],
    ...times,
  })
  const { url } = (await school.client.post(`/students/${student.id}/link`)).body
  const page = await open('/login', { javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  await page.goto(`${url}?lang=en`)
  await page.getByRole('heading', { name: 'Lesson available' }).waitFor()
  await page.getByRole('link', { name: 'Accept and book' }).click()
  await page.getByLabel('Your date of birth').fill('2008-04-12')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Accept and book' }).click()
  await page.getByRole('heading', { name: 'Booked' }).waitFor()
  await page.getByRole('link', { name: 'Back to all lessons' }).click()
  await page.getByText('08:00–09:30').waitFor()
  expect(await page.getByRole('heading', { name: 'Lesson available' }).count()).toBe(0)
  const stored = (await school.client.get(`/offers/${offer.id}`)).body
  expect(stored).toMatchObject({ state: 'taken', taken_by: student.id })
})

it('the owner lets students book within bounds, which the form checks', async () => {
  const school = await aSchool(service())
  const page = await open('/settings?chapter=students', { as: school })
  const group = page.getByRole('group', { name: 'Moving and booking by students' })
  await group.getByRole('combobox', { name: 'Students may' }).fill('and book')
  await page.getByRole('option', { name: 'move and book lessons' }).click()
  await group.getByLabel('Notice in hours').fill('48')
  await group.getByLabel('At most ahead, in days').fill('2')
  await group.getByText('This is no longer than the notice').waitFor()
  await group.getByLabel('At most ahead, in days').fill('21')
  await group.getByLabel('Latest end').fill('18:00')
  await group.getByLabel('Most upcoming lessons').fill('2')
  await group.getByRole('combobox', { name: 'Lesson types' }).fill('Überland')
  await page.getByRole('option').first().click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const read = async () => (await school.client.get('/tenant')).body.student_booking
  await expect.poll(read).toEqual({
    mode: 'book',
    notice_hours: 48,
    horizon_days: 21,
    time_from: '07:00',
    time_to: '18:00',
    lessons_ahead: 2,
    lesson_type_ids: [school.lessonTypes.RURAL],
    no_gaps: true,
  })
})

it('a student without JavaScript books a lesson', async () => {
  const school = await aSchool(service())
  await school.client.patch('/tenant', { student_booking: { mode: 'book' } })
  const { lesson, page } = await aStudentsPage(school)
  await page.getByRole('link', { name: 'Book a lesson' }).click()
  await page.getByLabel('Your date of birth').fill('2008-04-12')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Show free times' }).click()
  await page.getByRole('radio', { name: /\d:\d/ }).nth(3).check()
  await page.getByRole('button', { name: 'Book a lesson' }).click()
  await page.getByRole('status').getByText('The lesson is booked for you.').waitFor()
  const { body } = await school.client.get(`/appointments?student_id=${lesson.student_id}`)
  expect(body).toHaveLength(2)
  await page.getByRole('link', { name: 'Back to all lessons' }).click()
  await expect.poll(() => page.getByRole('listitem').filter({ hasText: 'with Jonas' }).count()).toBe(2)
})
