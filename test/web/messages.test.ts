import { expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { boxOf, useBrowser } from '../support/browser.ts'
import { aSchool } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)

it('the owner enables messages and sets the hours of reminders and the quiet hours', async () => {
  const school = await aSchool(service())
  const page = await open('/settings?chapter=messages', { as: school })
  const group = page.getByRole('group', { name: 'Messages' })
  const [first, second] = [group.getByRole('switch').nth(0), group.getByRole('switch').nth(1)]
  const [above, below] = [await boxOf(first.locator('..')), await boxOf(second.locator('..'))]
  expect(below.y - above.y - above.height).toBeGreaterThanOrEqual(8)
  await group.getByRole('switch', { name: 'Confirmation' }).click()
  await group.getByLabel('Reminder, hours before').fill('48 2')
  await group.getByLabel('Quiet from').fill('21:00')
  await group.getByLabel('Quiet until').fill('07:00')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const read = async () => (await school.client.get('/tenant')).body.messages
  await expect.poll(read).toMatchObject({
    booked: true,
    moved: false,
    reminder_hours: [48, 2],
    quiet: { from: '21:00', to: '07:00' },
  })
})

it('the student form stores consent to messages, and the lesson card shows the delivery state', async () => {
  const school = await aSchool(service())
  await school.client.patch('/tenant', { messages: { booked: true } })
  const instructor = await school.instructor()
  const student = await school.student()
  const page = await open(`/students?student=${student.id}`, { as: school })
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByRole('switch', { name: 'Agrees to messages about lessons' }).click()
  const channel = page.getByRole('dialog').getByRole('combobox', { name: 'Messages by' })
  await channel.fill('SMS')
  await page.getByRole('option', { name: 'SMS or messenger (webhook of the school)' }).click()
  const language = page.getByRole('dialog').getByRole('combobox', { name: 'Language' })
  await expect.poll(() => language.getAttribute('placeholder')).toBe('German')
  await language.fill('Turk')
  await page.getByRole('option', { name: 'Turkish' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const consent = async () => (await school.client.get(`/students/${student.id}`)).body.messages_consent
  await expect.poll(consent).toBe(true)
  expect((await school.client.get(`/students/${student.id}`)).body.message_channel).toBe('webhook')
  expect((await school.client.get(`/students/${student.id}`)).body.language).toBe('tr')
  await expect.poll(() => page.getByText('Turkish').isVisible()).toBe(true)
  const lesson = await school.lesson({
    instructor_id: instructor.id,
    student_id: student.id,
    start_at: '2099-03-02 08:00',
    end_at: '2099-03-02 09:30',
  })
  await page.goto(`${service().url}/?date=2099-03-02&lesson=${lesson.id}`)
  const card = page.getByRole('dialog')
  await card.getByText('Messages', { exact: true }).press('Enter')
  await card.getByText('Confirmation · waiting', { exact: true }).waitFor()
  // Without an address the office is asked to call, a week before the lesson.
  await card.getByText(/^23 February 2099, 08:00 · call$/).waitFor()
})
