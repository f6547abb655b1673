import { expect, it } from 'vitest'
import { MessageOffice } from '../mail/message-office.ts'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { must } from '../support/client.ts'
import { aSchool } from '../support/factory.ts'
import { startMailServer } from '../support/mail-server.ts'
import { templateOf } from '../support/trainer.ts'

const service = useService()
const open = useBrowser(service)
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true }
const NOW = new Date('2032-05-06T06:00:00Z')

it('the owner sets a weekly question, a student answers it in two taps from the mail, and the planned week counts both', async () => {
  service().setClock(NOW)
  const school = await aSchool(service(), { locale: 'en' })
  must(200, await school.client.patch('/tenant', { student_actions: { proof: 'none' } }))
  const instructor = await school.instructor({ license_classes: ['B'] })
  const license_class_template_id = await templateOf(school, 'B')
  const fields = { email: 'lena@reader.example', messages_consent: true, license_class_template_id }
  const student = await school.student(fields)
  must(201, await school.client.post(`/students/${student.id}/wishes`, { minutes: 90, weekdays: [2] }))

  const page = await open('/settings?chapter=messages', { as: school })
  await page.clock.setFixedTime(NOW)
  const group = page.getByRole('group', { name: 'Weekly question' })
  await group.getByRole('combobox', { name: 'Ask every' }).fill('thu')
  await page.getByRole('option', { name: 'Thursday' }).click()
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await group.getByText('Also switch on the message').waitFor()
  expect(await save.isDisabled()).toBe(true)
  await group.getByLabel('At').fill('17')
  await page.getByRole('switch', { name: 'Weekly question when students can come' }).click()
  const chapters = page.getByRole('navigation', { name: 'Chapters of the settings' })
  await chapters.getByRole('link', { name: 'Student’s page' }).click()
  await page.getByRole('switch', { name: 'Ask for times' }).click()
  await chapters.getByRole('link', { name: 'Messages' }).click()
  await group.getByText('Also switch on the message').waitFor({ state: 'detached' })
  await save.click()
  const round = async () => (await school.client.get('/tenant')).body.availability_round
  await expect.poll(round).toEqual({ weekday: 4, time: '17:00' })

  const server = await startMailServer()
  const office = new MessageOffice(service(), { school, instructor, student, now: NOW })
  await office.moveFar('2032-05-06T15:00:00Z')
  office.hire(server)
  const [mail] = await server.receives(1)
  await office.close()
  await server.close()
  const phone = await open('/login', { ...PHONE, javaScriptEnabled: false })
  await phone.setContent(mail?.parsed.html || '')
  await phone.getByRole('link', { name: 'Answer now' }).tap()
  await phone.getByRole('button', { name: 'As I wished' }).first().tap()
  await phone.getByText('Your answer · Lessons: 1 · As I wished').waitFor()
  const answer = await office.school.client.get(`/students/${student.id}/availability/2032-05-10`)
  expect(answer.body).toMatchObject({ lessons: 1, windows: null })

  const board = await open('/?view=plan&date=2032-05-10', { as: office.school })
  await board.getByText('1 student asked, 1 answered').waitFor()
})
