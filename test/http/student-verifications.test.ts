import { describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { NOW, START } from '../support/cancellation-office.ts'
import { erase } from '../support/erasure.ts'
import { aSchool } from '../support/factory.ts'
import { formOf } from '../support/student-browser.ts'
import { BIRTH, useActingStudent } from '../support/use-acting-student.ts'

const service = useService()
const acting = useActingStudent(service)

describe('the verification of a student', () => {
  it('is required in every browser with the link, except the one that gave it (S110)', async () => {
    const browser = await acting().verified()
    const [confirm, cancel] = ['confirm', 'cancel'].map(async (act) =>
      formOf(await browser.look(acting().lesson.id), act),
    )
    const other = browser.forwardedTo(service())
    const page = await other.look(acting().lesson.id)
    expect(page.text).toContain('type="date"')
    expect(page.text).not.toMatch(/value="(confirm|cancel)"/)
    for (const form of [await confirm, await cancel])
      expect((await other.press(acting().lesson.id, form ?? {})).status).toBe(403)
    expect(await acting().stored()).toMatchObject({ status: 'planned', confirmed_at: null })
  })

  it('is a cookie for the path of the link, HttpOnly, Secure and SameSite=Strict (S43)', async () => {
    const browser = await acting().opened()
    const { headers } = await browser.submit(acting().lesson.id, 'prove', BIRTH)
    const cookie = headers.get('set-cookie') ?? ''
    expect(cookie).toContain(`Path=${browser.path.slice(1)};`)
    expect(cookie).toMatch(/Max-Age=900;.*HttpOnly; Secure; SameSite=Strict/)
    expect(headers.get('location')).toBe('?lang=de')
    expect(cookie).not.toContain(acting().office.student.id)
  })

  it('expires after 15 minutes, with a new link, and when the school requires another method', async () => {
    const browser = await acting().verified()
    const isAsked = async (one = browser) =>
      (await one.look(acting().lesson.id)).text.includes('name="birth_date"')
    expect(await isAsked()).toBe(false)
    service().setClock(new Date(NOW.getTime() + 15 * 60_000))
    expect(await isAsked()).toBe(true)
    service().setClock(NOW)
    await acting().allow({ proof: 'mail_code' })
    const form = { act: 'confirm', version: '1' }
    expect((await browser.press(acting().lesson.id, form)).status).toBe(403)
    await acting().allow({ proof: 'birth_date' })
    await acting().opened()
    expect((await browser.look(acting().lesson.id)).status).toBe(404)
    expect((await browser.press(acting().lesson.id, form)).status).toBe(404)
  })

  it('does not open lessons of other students or schools', async () => {
    const other = await acting().office.school.student(BIRTH)
    const [browser, theirs] = [await acting().verified(), await acting().opened(other)]
    const foreign = await aSchool(service())
    const booked = {
      instructor_id: (await foreign.instructor()).id,
      student_id: (await foreign.student()).id,
    }
    const away = await foreign.lesson({ ...booked, start_at: START, end_at: '2030-05-08 09:30' })
    const form = { act: 'cancel', version: '1', fee: '0' }
    await acting().allow({ proof: 'none' })
    for (const [one, id] of [
      [theirs, acting().lesson.id],
      [browser, away.id],
      [browser, 'no-id'],
    ] as const) {
      expect((await one.look(id)).status).toBe(404)
      expect((await one.press(id, form)).status).toBe(404)
    }
    expect(await acting().stored()).toMatchObject({ status: 'planned' })
  })

  it('allows ten wrong attempts in all, even concurrent ones, until there is a new link (S110)', async () => {
    const browser = await acting().opened()
    const page = await browser.look(acting().lesson.id)
    const guess = (day: number) =>
      browser.press(acting().lesson.id, {
        ...formOf(page, 'prove'),
        birth_date: `2008-05-${String(day).padStart(2, '0')}`,
      })
    const first = await guess(1)
    expect([first.status, first.text.includes('Verbleibende Versuche: 9')]).toEqual([403, true])
    const many = await Promise.all(Array.from({ length: 12 }, (_, day) => guess(day + 2)))
    expect(many.filter(({ status }) => status === 403)).toHaveLength(8)
    expect((await browser.look(acting().lesson.id)).text).not.toContain('<form')
    const locked = await browser.press(acting().lesson.id, { act: 'prove', ...BIRTH })
    expect([locked.status, locked.text.includes('neuen Link')]).toEqual([429, true])
    expect((await (await acting().opened()).submit(acting().lesson.id, 'prove', BIRTH)).status).toBe(303)
  })

  it('counts wrong attempts before and after a right one, which itself does not count (S110)', async () => {
    const browser = await acting().opened()
    for (const birth_date of ['2008-04-13', '', '12.04.2008'])
      expect((await browser.submit(acting().lesson.id, 'prove', { birth_date })).status).toBe(403)
    expect((await browser.submit(acting().lesson.id, 'prove', BIRTH)).status).toBe(303)
    const other = browser.forwardedTo(service())
    const wrong = await other.submit(acting().lesson.id, 'prove', { birth_date: '2008-04-13' })
    expect(wrong.text).toContain('Verbleibende Versuche: 6')
  })

  it('is impossible without a date of birth, and the page asks the student to call', async () => {
    const nobody = await acting().office.school.student()
    const { id } = await acting().office.lessonAt('2030-05-09 08:00', { student_id: nobody.id })
    const browser = await acting().opened(nobody)
    const page = await browser.look(id)
    expect([page.status, page.text.includes('rufen Sie an')]).toEqual([200, true])
    expect(page.text).not.toContain('<form')
    const tried = await browser.press(id, { act: 'prove', birth_date: '' })
    expect([tried.status, tried.headers.get('set-cookie')]).toEqual([409, null])
  })

  it('is still required in a browser with a login of the office', async () => {
    const browser = await acting().opened()
    const headers = acting().office.school.client.headers
    const answer = await browser.press(acting().lesson.id, { act: 'cancel', version: '1', fee: '0' }, headers)
    expect(answer.status).toBe(403)
    expect(await acting().stored()).toMatchObject({ status: 'planned' })
  })

  it('leaves no name in the history once the student is erased', async () => {
    const { school } = acting().office
    const student = await school.student({ ...BIRTH, first_name: 'Zeisig', last_name: 'Zeisig' })
    const { id } = await acting().office.lessonAt('2030-05-09 08:00', { student_id: student.id })
    const browser = await acting().opened(student)
    await browser.submit(id, 'prove', BIRTH)
    await browser.submit(id, 'confirm')
    const history = async () => (await school.client.get(`/appointments/${id}/history`)).text
    expect(await history()).toContain('Zeisig')
    await school.client.delete(`/students/${student.id}`)
    expect(await erase(service(), school.tenantId, student.id)).toBe('erased')
    expect(await history()).not.toContain('Zeisig')
    expect((await browser.look(id)).status).toBe(404)
  })
})
