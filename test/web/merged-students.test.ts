import { beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { useBrowser } from '../support/browser.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { aDrive, sign } from '../support/signing.ts'

const service = useService()
const open = useBrowser(service)

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

let school: School
let instructor: Row
let lena: Row
let double: Row

beforeEach(async () => {
  school = await aSchool(service())
  instructor = await school.instructor()
  lena = await school.student({
    ...{ first_name: 'Lena', last_name: 'Vogt', email: 'lena@reader.example', phone: '0170 1234567' },
  })
  double = await school.student({
    ...{ first_name: 'Lena', last_name: 'Voigt', phone: '+49 170 1234567', notes: 'From the fair.' },
  })
})

const lesson = (student: Row, from: string, to: string) =>
  school.lesson({
    ...{ instructor_id: instructor.id, student_id: student.id },
    ...{ start_at: `2032-03-02 ${from}`, end_at: `2032-03-02 ${to}` },
  })
const get = (path: string) => school.client.get(path)

it('a double is hinted at, compared field by field, merged and split again by undo', {
  tags: 'promise',
}, async () => {
  await lesson(double, '08:00', '09:30')
  must(201, await school.client.post(`/students/${double.id}/wishes`, { minutes: 90 }))
  const page = await open('/students', { as: school })
  await page.getByText('Possibly the same as Lena Voigt').waitFor()
  await page.getByText('Possibly the same as Lena Vogt', { exact: true }).waitFor()
  await page.getByRole('list').getByRole('button', { name: /Vogt/ }).first().click()
  const card = page.getByRole('dialog', { name: 'Lena Vogt' })
  await card.getByText(/^Possibly the same as Lena Voigt\. .*same phone number/).waitFor()
  await card.getByRole('button', { name: 'Compare' }).click()
  const form = page.getByRole('dialog', { name: 'Merge Lena Vogt with a duplicate' })
  await form.getByText('1 lesson', { exact: true }).waitFor()
  await form.getByText('1 wish', { exact: true }).waitFor()
  const of = (name: string) => form.getByRole('group', { name, exact: true })
  expect(await of('First name').count()).toBe(0)
  expect(await of('E-mail').getByRole('radio', { name: 'lena@reader.example' }).isChecked()).toBe(true)
  expect(await of('Notes').getByRole('radio', { name: 'From the fair.' }).isChecked()).toBe(true)
  await of('Last name').getByRole('radio', { name: 'Voigt' }).check()
  await form.getByRole('button', { name: 'Merge', exact: true }).click()
  await page.getByText('Merged: Lena Voigt').first().waitFor()
  await page.getByRole('dialog', { name: 'Lena Voigt' }).waitFor()
  expect(must(200, await get(`/students/${lena.id}`))).toMatchObject({
    ...{ last_name: 'Voigt', email: 'lena@reader.example', phone: '0170 1234567', notes: 'From the fair.' },
  })
  expect((await get(`/students/${double.id}`)).status).toBe(404)
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click()
  await page
    .getByText(/^Undone/)
    .first()
    .waitFor()
  expect(must(200, await get(`/students/${double.id}`))).toMatchObject({ last_name: 'Voigt' })
  expect(must(200, await get(`/students/${lena.id}`))).toMatchObject({ last_name: 'Vogt', notes: null })
  await page.getByText('Possibly the same as Lena Voigt').first().waitFor()
})

it('lessons that overlap are named, and the merge waits until one is cancelled, on a phone in German', async () => {
  await lesson(lena, '08:00', '09:30')
  const colleague = await school.instructor({ first_name: 'Mia', last_name: 'Brandt' })
  const times = { start_at: '2032-03-02 09:00', end_at: '2032-03-02 10:30' }
  const { id } = await school.lesson({ instructor_id: colleague.id, student_id: double.id, ...times })
  const page = await open(`/students?student=${lena.id}`, { ...PHONE, as: school, locale: 'de-DE' })
  const card = page.getByRole('dialog', { name: 'Lena Vogt' })
  await card.getByRole('button', { name: 'Doppelten Eintrag zusammenführen …' }).tap()
  const form = page.getByRole('dialog', { name: 'Lena Vogt mit doppeltem Eintrag zusammenführen' })
  await form.getByRole('combobox', { name: 'Doppelter Eintrag' }).fill('voigt')
  await page.getByRole('option', { name: /Lena Voigt/ }).tap()
  await form.getByText('Diese Termine überschneiden sich').waitFor()
  await form.getByRole('link', { name: /9:00.*Mia Brandt/ }).waitFor()
  const act = form.getByRole('button', { name: 'Zusammenführen', exact: true })
  expect(await act.isDisabled()).toBe(true)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  must(200, await school.client.post(`/appointments/${id}/cancel`, { by: 'student' }))
  await form.getByText('Diese Termine überschneiden sich').waitFor({ state: 'detached' })
  await act.tap()
  await page.getByText('Zusammengeführt: Lena Vogt').first().waitFor()
  expect((await get(`/students/${double.id}`)).status).toBe(404)
})

it('the student who has signed is kept, and two who both have signed stay two', async () => {
  const drive = (student: Row, day: string) =>
    aDrive(
      school,
      { instructor_id: instructor.id, student_id: student.id },
      { start_at: `${day} 08:00`, end_at: `${day} 09:30` },
    )
  must(201, await sign(school, await drive(double, '2026-05-04')))
  const page = await open(`/students?student=${lena.id}`, { as: school })
  await page.getByRole('dialog').getByRole('button', { name: 'Compare' }).click()
  const form = page.getByRole('dialog', { name: /^Merge / })
  const act = form.getByRole('button', { name: 'Merge', exact: true })
  await act.click()
  await form.getByText(/^The duplicate has signatures/).waitFor()
  const own = await drive(lena, '2026-05-05')
  must(201, await sign(school, own))
  await act.click()
  await form.getByText(/^Both have signatures/).waitFor()
  await service().db.deleteFrom('signatures').where('student_id', '=', lena.id).execute()
  await form.getByRole('button', { name: 'Keep the other one instead' }).click()
  await page.getByRole('dialog', { name: 'Merge Lena Voigt with a duplicate' }).waitFor()
  await act.click()
  await page.getByText('Merged: Lena Voigt').first().waitFor()
  await page.getByRole('dialog', { name: 'Lena Voigt' }).waitFor()
  expect((await get(`/students/${lena.id}`)).status).toBe(404)
})
