import { describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { NOW } from '../support/cancellation-office.ts'
import { aSchool } from '../support/factory.ts'
import { formOf } from '../support/student-browser.ts'
import { BIRTH, useActingStudent } from '../support/use-acting-student.ts'

const service = useService()
const acting = useActingStudent(service)

describe('the settings for student actions', () => {
  it('are off by default, and can be changed one by one', async () => {
    const { client } = await aSchool(service())
    const off = { confirm: false, cancel: false, wish: false, sign: false, proof: 'birth_date' }
    expect((await client.get('/tenant')).body.student_actions).toEqual(off)
    const { body } = await client.patch('/tenant', { student_actions: { cancel: true } })
    expect(body.student_actions).toEqual({ ...off, cancel: true })
    for (const wrong of [{ proof: 'password' }, { cancel: 1 }, { move: true }, null])
      expect((await client.patch('/tenant', { student_actions: wrong })).status).toBe(400)
  })

  it('control what the page of a lesson offers and accepts', async () => {
    const browser = await acting().verified()
    const forms = {
      confirm: formOf(await browser.look(acting().lesson.id), 'confirm'),
      cancel: formOf(await browser.look(acting().lesson.id), 'cancel'),
    }
    expect((await browser.list()).text.match(/\/lessons\//g)).toHaveLength(2)
    await acting().allow({ confirm: false })
    expect((await browser.look(acting().lesson.id)).text).not.toContain('value="confirm"')
    expect((await browser.press(acting().lesson.id, forms.confirm)).status).toBe(404)
    await acting().allow({ confirm: true, cancel: false })
    expect((await browser.look(acting().lesson.id)).text).not.toContain('value="cancel"')
    expect((await browser.press(acting().lesson.id, forms.cancel)).status).toBe(404)
    await acting().allow({ confirm: false })
    expect((await browser.list()).text).not.toContain('/lessons/')
    expect((await browser.look(acting().lesson.id)).status).toBe(404)
    expect(await acting().stored()).toMatchObject({ status: 'planned', confirmed_at: null, version: 1 })
  })
})

describe('confirming a lesson', () => {
  it('is logged with the student as actor, and shown on the page', async () => {
    const browser = await acting().verified()
    expect((await browser.submit(acting().lesson.id, 'confirm')).status).toBe(303)
    expect((await browser.look(acting().lesson.id)).text).toContain('bestätigt')
    expect((await browser.list()).text).toContain('bestätigt')
    const confirmed_at = NOW.toISOString()
    expect(await acting().stored()).toMatchObject({ status: 'planned', confirmed_at, version: 2 })
    const [change] = (await acting().office.school.client.get(`/appointments/${acting().lesson.id}/history`))
      .body
    expect(change).toMatchObject({
      actor: { kind: 'student', id: acting().office.student.id },
      before: { confirmed_at: null },
      after: { confirmed_at },
    })
  })

  it('is stored once for two concurrent submissions', async () => {
    const browser = await acting().verified()
    const form = formOf(await browser.look(acting().lesson.id), 'confirm')
    const twice = await Promise.all([
      browser.press(acting().lesson.id, form),
      browser.press(acting().lesson.id, form),
    ])
    expect(twice.map(({ status }) => status)).toEqual([303, 303])
    expect(await acting().stored()).toMatchObject({ version: 2 })
  })

  it('can be undone by the office', async () => {
    const browser = await acting().verified()
    await browser.submit(acting().lesson.id, 'confirm')
    const [{ set_id }] = (
      await acting().office.school.client.get(`/appointments/${acting().lesson.id}/history`)
    ).body
    const undo = await acting().office.school.client.post(`/changes/sets/${set_id}/undo`)
    expect(undo.body).toMatchObject({ undone: [acting().lesson.id], refused: [] })
    expect(await acting().stored()).toMatchObject({ confirmed_at: null })
  })

  it.each([
    ['moves', { start_at: '2030-05-08 10:00', end_at: '2030-05-08 11:30' }],
    ['is cancelled', { status: 'cancelled' }],
    ['gets another student', { student_id: null }],
  ])('is reset when the lesson %s, and restored by an undo', async (_, change) => {
    const browser = await acting().verified()
    await browser.submit(acting().lesson.id, 'confirm')
    await acting().office.school.client.patch(`/appointments/${acting().lesson.id}`, { notes: 'x' })
    const { confirmed_at } = await acting().stored()
    expect(confirmed_at).toBe(NOW.toISOString())
    const moved = await acting().office.school.client.patch(`/appointments/${acting().lesson.id}`, change)
    expect(moved.body.confirmed_at, moved.text).toBeNull()
    const [{ set_id }] = (
      await acting().office.school.client.get(`/appointments/${acting().lesson.id}/history`)
    ).body
    await acting().office.school.client.post(`/changes/sets/${set_id}/undo`)
    expect(await acting().stored()).toMatchObject({ status: 'planned', confirmed_at })
  })
})

describe('cancelling a lesson', () => {
  it('is free of charge with enough notice, and the page shows that beforehand', async () => {
    const browser = await acting().verified()
    expect((await browser.look(acting().lesson.id)).text).toContain('kostenlos')
    expect((await browser.submit(acting().lesson.id, 'cancel')).status).toBe(303)
    const page = await browser.look(acting().lesson.id)
    expect([page.status, page.text.includes('abgesagt')]).toEqual([200, true])
    expect(page.text).not.toContain('<form')
    const cancellation = {
      by: 'student',
      reason: null,
      note: null,
      is_late: false,
      fee_percent: 0,
      charged: false,
    }
    expect(await acting().stored()).toMatchObject({ status: 'cancelled', cancellation })
    const [change] = (await acting().office.school.client.get(`/appointments/${acting().lesson.id}/history`))
      .body
    expect(change).toMatchObject({ actor: { kind: 'student', id: acting().office.student.id } })
    await acting().office.school.client.post(`/changes/sets/${change.set_id}/undo`)
    expect(await acting().stored()).toMatchObject({ status: 'planned', cancellation: null })
  })

  it('shows the fee of a late cancellation beforehand, and records it', async () => {
    const browser = await acting().verified('2030-05-07T06:00:01.000Z')
    expect((await browser.look(acting().lesson.id)).text).toMatch(/80\s%/)
    await browser.submit(acting().lesson.id, 'cancel')
    service().setClock(NOW)
    const cancellation = { by: 'student', is_late: true, fee_percent: 80, charged: true }
    expect(await acting().stored()).toMatchObject({ cancellation })
  })

  it('asks again with 409 if the fee has changed since it was shown', async () => {
    const browser = await acting().verified('2030-05-07T05:59:00.000Z')
    const form = formOf(await browser.look(acting().lesson.id), 'cancel')
    service().setClock(new Date('2030-05-07T06:00:01.000Z'))
    const again = await browser.press(acting().lesson.id, form)
    expect(again.status).toBe(409)
    expect(again.text).toMatch(/80\s%/)
    expect(again.text).toContain('role="alert"')
    expect(again.text).not.toContain('abgesagt')
    await browser.press(acting().lesson.id, formOf(again, 'cancel'))
    service().setClock(NOW)
    expect(await acting().stored()).toMatchObject({ cancellation: { fee_percent: 80 } })
  })

  it('asks again with 409 if the lesson has been moved since it was shown', async () => {
    const browser = await acting().verified()
    const form = formOf(await browser.look(acting().lesson.id), 'cancel')
    const times = { start_at: '2030-05-08 10:00', end_at: '2030-05-08 11:30' }
    await acting().office.school.client.patch(`/appointments/${acting().lesson.id}`, times)
    const again = await browser.press(acting().lesson.id, form)
    expect([again.status, again.text.includes('10:00–11:30')]).toEqual([409, true])
    expect(await acting().stored()).toMatchObject({ status: 'planned', ...times })
  })

  it('is stored once for two concurrent submissions', async () => {
    const browser = await acting().verified()
    const form = formOf(await browser.look(acting().lesson.id), 'cancel')
    const twice = await Promise.all([
      browser.press(acting().lesson.id, form),
      browser.press(acting().lesson.id, form),
    ])
    expect(twice.map(({ status }) => status)).toEqual([303, 303])
    expect(await acting().stored()).toMatchObject({ status: 'cancelled', version: 2 })
  })

  it('returns 409 once the lesson has begun, and 404 once it has ended', async () => {
    await acting().allow({ proof: 'none' })
    const browser = await acting().opened()
    const form = formOf(await browser.look(acting().lesson.id), 'cancel')
    service().setClock(new Date('2030-05-08T06:00:00.000Z'))
    expect((await browser.look(acting().lesson.id)).text).toContain('hat schon begonnen')
    expect((await browser.press(acting().lesson.id, form)).status).toBe(409)
    service().setClock(new Date('2030-05-08T07:30:00.000Z'))
    expect((await browser.press(acting().lesson.id, form)).status).toBe(404)
    service().setClock(NOW)
    expect(await acting().stored()).toMatchObject({ status: 'planned', version: 1 })
  })
})

describe('the page of a lesson', () => {
  it('changes nothing on GET', async () => {
    await acting().allow({ proof: 'none' })
    const browser = await acting().opened()
    for (const more of ['', '?act=confirm&version=1', '?act=cancel&version=1&fee=0'])
      expect((await browser.look(`${acting().lesson.id}${more}`)).status).toBe(200)
    expect(await acting().stored()).toMatchObject({ status: 'planned', confirmed_at: null, version: 1 })
  })

  it.each(['cross-site', 'same-site'])('rejects a %s form with 403', async (site) => {
    const browser = await acting().verified()
    const form = formOf(await browser.look(acting().lesson.id), 'cancel')
    expect((await browser.press(acting().lesson.id, form, { 'sec-fetch-site': site })).status).toBe(403)
    expect(await acting().stored()).toMatchObject({ status: 'planned' })
  })

  it('accepts 30 submissions from one link, and returns 429 for the next', async () => {
    await acting().allow({ proof: 'none' })
    const browser = await acting().opened()
    const press = () => browser.press(acting().lesson.id, { act: 'confirm', version: '1' })
    for (let count = 0; count < 30; count += 1) expect((await press()).status).toBe(303)
    const refused = await press()
    expect([refused.status, refused.text.includes('Zu viele Versuche')]).toEqual([429, true])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('returns 404 for a group lesson, and once the student is deleted', async () => {
    const student = await acting().office.school.student(BIRTH)
    const theory = { lesson_type_id: acting().office.school.lessonTypes.THEORY_BASIC, student_id: undefined }
    const attendees = [{ student_id: student.id }]
    const group = await acting().office.lessonAt('2030-05-09 12:00', { ...theory, attendees })
    const own = await acting().office.lessonAt('2030-05-09 15:00', { student_id: student.id })
    const browser = await acting().opened(student)
    const page = await browser.list()
    expect(page.text).toContain(`/lessons/${own.id}`)
    expect(page.text).not.toContain(`/lessons/${group.id}`)
    expect((await browser.look(group.id)).status).toBe(404)
    await acting().office.school.client.delete(`/students/${student.id}`)
    expect((await browser.look(own.id)).status).toBe(404)
    expect((await browser.press(own.id, { act: 'cancel', version: '1', fee: '0' })).status).toBe(404)
  })

  it.each(['en', 'tr', 'ar', 'ru'])('is available in %s, without scripts', async (language) => {
    const browser = await acting().verified()
    const { text, headers } = await browser.look(`${acting().lesson.id}?lang=${language}`)
    expect(text).toContain(`<html lang="${language}"`)
    expect(text).toContain(`action="?lang=${language}"`)
    expect(text).not.toMatch(/<script|style="|\son\w+="/)
    expect(headers.get('content-security-policy')).toContain("form-action 'self'")
    expect(headers.get('cache-control')).toBe('private, no-store')
  })
})
