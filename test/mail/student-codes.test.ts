import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { useOwnService } from '../support/app.ts'
import { CancellationOffice, NOW } from '../support/cancellation-office.ts'
import { must } from '../support/client.ts'
import type { Row } from '../support/factory.ts'
import { formOf, StudentBrowser } from '../support/student-browser.ts'
import { mailsIn } from './outbox.ts'

const from = { name: undefined, address: 'noreply@school.example' }
const service = useOwnService({
  mail: { host: '127.0.0.1', port: 9, tls: 'none', user: undefined, password: undefined, from },
})
let office: CancellationOffice
let lesson: Row
let browser: StudentBrowser

beforeAll(async () => {
  office = await CancellationOffice.open(service())
  await office.school.client.patch('/tenant', { student_actions: { confirm: true, proof: 'mail_code' } })
})
afterAll(() => service().setClock(undefined))
beforeEach(async () => {
  service().setClock(NOW)
  const email = `lena-${crypto.randomUUID()}@student.example`
  const student = await office.school.student({ email })
  lesson = await office.lessonAt('2030-05-08 08:00', { student_id: student.id })
  browser = await StudentBrowser.open(service(), office.school, student)
})
afterEach(async () => {
  await office.school.client.delete(`/appointments/${lesson.id}`)
})

/** Presses "send code". Returns the form for the code, and the code in the mail. */
async function requested() {
  const page = await browser.submit(lesson.id, 'send')
  expect(page.status).toBe(200)
  const mail = (await mailsIn(service())).at(-1)
  const { code } = JSON.parse(JSON.stringify(mail?.params)) as { code: string }
  return { form: formOf(page, 'prove'), code, mail, page }
}

it('a mailed code is accepted once as verification of the student', async () => {
  const { form, code, mail, page } = await requested()
  expect(code).toMatch(/^\d{6}$/)
  expect(page.text).not.toContain(code)
  expect(mail).toMatchObject({ template: 'student_code', to_name: 'Lena' })
  const verified = await browser.press(lesson.id, { ...form, code: ` ${code} ` })
  expect([verified.status, verified.headers.get('set-cookie')?.includes('HttpOnly')]).toEqual([303, true])
  expect((await browser.submit(lesson.id, 'confirm')).status).toBe(303)
  const again = await browser.forwardedTo(service()).press(lesson.id, { ...form, code })
  expect(again.status).toBe(403)
})

it("a mailed code is in the student's language", async () => {
  must(200, await office.school.client.patch(`/students/${String(lesson.student_id)}`, { language: 'ar' }))
  expect((await requested()).mail).toMatchObject({ params: { language: 'ar' } })
})

it('a code is rejected with 403 if it is wrong, expired, or for another link or address', async () => {
  const { form, code } = await requested()
  const wrong = await browser.press(lesson.id, { ...form, code: code === '000000' ? '000001' : '000000' })
  expect([wrong.status, formOf(wrong, 'prove').challenge]).toEqual([403, form.challenge])
  const nobody = await browser.press(lesson.id, { ...form, challenge: 'no.challenge', code })
  expect(nobody.status).toBe(403)
  service().setClock(new Date(NOW.getTime() + 15 * 60_000))
  expect((await browser.press(lesson.id, { ...form, code })).status).toBe(403)
  service().setClock(NOW)
  const other = await StudentBrowser.open(service(), office.school, {
    id: String(lesson.student_id),
  } as Row)
  expect((await other.press(lesson.id, { ...form, code })).status).toBe(403)
  await office.school.client.patch(`/students/${lesson.student_id}`, { email: 'other@student.example' })
  expect((await other.press(lesson.id, { ...form, code })).status).toBe(403)
  expect((await other.press(lesson.id, { act: 'prove', birth_date: '' })).status).toBe(403)
})

it('a sixth code to one address is rejected with 429', async () => {
  for (let count = 0; count < 5; count += 1) await requested()
  const refused = await browser.submit(lesson.id, 'send')
  expect([refused.status, refused.text.includes('role="alert"')]).toEqual([429, true])
})

it('a student without an email address cannot request a code', async () => {
  await office.school.client.patch(`/students/${lesson.student_id}`, { email: null })
  const page = await browser.look(lesson.id)
  expect([page.status, page.text.includes('<form')]).toEqual([200, false])
  const before = (await mailsIn(service())).length
  expect((await browser.press(lesson.id, { act: 'send' })).status).toBe(409)
  expect(await mailsIn(service())).toHaveLength(before)
})
