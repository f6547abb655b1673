import { describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool, type Row } from '../support/factory.ts'
import { formOf, StudentBrowser } from '../support/student-browser.ts'
import { BIRTH, useActingStudent } from '../support/use-acting-student.ts'

const service = useService()
const acting = useActingStudent(service)
const WISH = { act: 'wish', weekday: '3', time_from: '14:00', time_to: '18:00', minutes: '90' }

async function stored(student = acting().office.student): Promise<Row[]> {
  return (await acting().office.school.client.get(`/students/${student.id}/wishes`)).body
}

/** Opens a browser in which the student has passed the verification on the page of wishes. The student has no wish yet. */
async function wishing() {
  await acting().allow({ wish: true })
  for (const { id } of await stored())
    await acting().office.school.client.delete(`/students/${acting().office.student.id}/wishes/${id}`)
  const browser = await acting().opened()
  const verified = await browser.pressWish({ act: 'prove', ...BIRTH })
  expect(verified.status).toBe(303)
  return browser
}

describe('wishes on the page of a student', () => {
  it('are off in a new school: the list of lessons does not link to their page, which returns 404', async () => {
    const school = await aSchool(service())
    expect((await school.client.get('/tenant')).body.student_actions.wish).toBe(false)
    await school.client.patch('/tenant', { student_actions: { confirm: true, proof: 'none' } })
    const student = await school.student()
    const { body: wish } = await school.client.post(`/students/${student.id}/wishes`, { minutes: 90 })
    const browser = await StudentBrowser.open(service(), school, student)
    const { status, text } = await browser.list()
    expect([status, text.includes('/wishes')]).toEqual([200, false])
    expect((await browser.lookAtWishes()).status).toBe(404)
    for (const form of [WISH, { act: 'withdraw', wish: wish.id, version: '1' }])
      expect((await browser.pressWish(form)).status).toBe(404)
    expect((await school.client.get(`/students/${student.id}/wishes`)).body).toEqual([wish])
  })

  it('are added with the student as actor, and can be withdrawn', async () => {
    const browser = await wishing()
    expect((await browser.list()).text).toContain('/wishes?lang=de')
    expect((await browser.pressWish(WISH)).status).toBe(303)
    const [wish] = await stored()
    expect(wish).toMatchObject({ weekdays: [3], time_from: '14:00', time_to: '18:00', minutes: 90 })
    const page = await browser.lookAtWishes()
    expect(page.text).toContain('<strong>Mittwoch</strong>')
    expect(page.text).toContain('14:00–18:00')
    const { body } = await acting().office.school.client.get(`/changes?resource_id=${wish?.id}`)
    expect(body).toMatchObject([{ actor: { kind: 'student', id: acting().office.student.id } }])
    const form = formOf(page, 'withdraw')
    const twice = await Promise.all([browser.pressWish(form), browser.pressWish(form)])
    expect(twice.map(({ status }) => status)).toEqual([303, 303])
    expect(await stored()).toEqual([])
  })

  it('are stored once for two concurrent submissions', async () => {
    const browser = await wishing()
    const any = { act: 'wish', time_from: '', time_to: '', minutes: '45' }
    const twice = await Promise.all([browser.pressWish(any), browser.pressWish(any)])
    expect(twice.map(({ status }) => status)).toEqual([303, 303])
    const blank = { weekdays: null, time_from: null, time_to: null, minutes: 45, lesson_type_id: null }
    expect(await stored()).toMatchObject([blank])
  })

  it.each([
    { weekday: '8' },
    { time_from: '18:00', time_to: '14:00' },
    { time_from: '17:00' },
    { time_from: '25:00' },
    { minutes: '44' },
    { minutes: '' },
  ])('are rejected with 400 for %o', async (wrong) => {
    const browser = await wishing()
    const answer = await browser.pressWish({ ...WISH, ...wrong })
    expect([answer.status, answer.text.includes('role="alert"')]).toEqual([400, true])
    expect(await stored()).toEqual([])
  })

  it('are limited to 20, and the next is rejected with 409', async () => {
    const browser = await wishing()
    const { school, student } = acting().office
    for (let count = 0; count < 20; count += 1)
      expect((await school.client.post(`/students/${student.id}/wishes`, { minutes: 90 })).status).toBe(201)
    const answer = await browser.pressWish(WISH)
    expect([answer.status, answer.text.includes('role="alert"')]).toEqual([409, true])
    expect(await stored()).toHaveLength(20)
  })

  it('are neither shown nor accepted without the verification (S110)', async () => {
    const browser = await wishing()
    await browser.pressWish(WISH)
    const other = browser.forwardedTo(service())
    const page = await other.lookAtWishes()
    expect([page.status, page.text.includes('14:00')]).toEqual([200, false])
    expect(page.text).toContain('type="date"')
    const [wish] = await stored()
    const withdrawal = { act: 'withdraw', wish: String(wish?.id), version: '1' }
    for (const form of [{ ...WISH, minutes: '45' }, withdrawal])
      expect((await other.pressWish(form)).status).toBe(403)
    expect(await stored()).toMatchObject([{ id: wish?.id, minutes: 90 }])
  })

  it('of another student or school cannot be withdrawn', async () => {
    const browser = await wishing()
    const { school } = acting().office
    const foreign = await aSchool(service())
    for (const [{ client }, student] of [
      [school, await school.student()],
      [foreign, await foreign.student()],
    ] as const) {
      const { body } = await client.post(`/students/${student.id}/wishes`, { minutes: 90 })
      await browser.pressWish({ act: 'withdraw', wish: body.id, version: '1' })
      expect((await client.get(`/students/${student.id}/wishes`)).body).toMatchObject([{ id: body.id }])
    }
    expect((await browser.pressWish({ act: 'withdraw', wish: 'no-id', version: '1' })).status).toBe(404)
  })

  it('return 404 if the school does not allow them, and after the link is replaced', async () => {
    const browser = await wishing()
    await acting().allow({ wish: false })
    expect((await browser.list()).text).not.toContain('/wishes')
    expect((await browser.lookAtWishes()).status).toBe(404)
    expect((await browser.pressWish(WISH)).status).toBe(404)
    await acting().allow({ wish: true })
    await acting().opened()
    expect((await browser.pressWish(WISH)).status).toBe(404)
    expect(await stored()).toEqual([])
  })
})
