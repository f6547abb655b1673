import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { useMessageOffice } from './message-office.ts'

const service = useService()
const office = useMessageOffice(service)
/** On the school's clock 13:30, in quiet hours that begin before a session of the tests ends. */
const IN_QUIET = '2099-03-01T12:30:00Z'
const AFTER_GRACE = '2099-03-01T12:31:00Z'
const quiet = { from: '13:10', to: '07:00' }
let server: MailServer

beforeEach(async () => {
  server = await startMailServer()
})

afterEach(async () => {
  await office().close()
  await server.close()
})

const at = (start: string, end: string) => ({ start_at: `2099-03-02 ${start}`, end_at: `2099-03-02 ${end}` })
const states = async () => (await office().settled()).map(({ kind, state, reason }) => [kind, state, reason])

describe('news in the quiet hours of a lesson early the next morning', () => {
  it('is sent at once if the lesson is cancelled', async () => {
    await office().send({ cancelled: true, quiet })
    const { id } = await office().lesson(at('06:30', '08:00'))
    office().moveClock(IN_QUIET)
    await office().school.client.post(`/appointments/${id}/cancel`, { by: 'school' })
    office().moveClock(AFTER_GRACE)
    office().hire(server)
    await server.receives(1)
    expect(await states()).toEqual([['cancelled', 'sent', null]])
  })

  it('is sent at once if the lesson is moved to a later day', async () => {
    await office().send({ moved: true, quiet })
    const { id } = await office().lesson(at('06:30', '08:00'))
    office().moveClock(IN_QUIET)
    await office().school.client.patch(`/appointments/${id}`, {
      start_at: '2099-03-05 10:00',
      end_at: '2099-03-05 11:30',
    })
    office().moveClock(AFTER_GRACE)
    office().hire(server)
    await server.receives(1)
    expect(await states()).toEqual([['moved', 'sent', null]])
  })

  it('waits until the morning if the lesson begins more than two hours after the quiet hours', async () => {
    await office().send({ cancelled: true, quiet })
    const { id } = await office().lesson(at('09:15', '10:00'))
    office().moveClock(IN_QUIET)
    await office().school.client.post(`/appointments/${id}/cancel`, { by: 'school' })
    expect(await office().messages()).toMatchObject([
      { state: 'waiting', send_at: '2099-03-02T06:00:00.000Z' },
    ])
  })

  it('leaves at once with the other lessons of an absence', async () => {
    await office().send({ cancelled: true, quiet })
    const lessons = [await office().lesson(at('06:30', '08:00')), await office().lesson(at('16:00', '17:00'))]
    office().moveClock(IN_QUIET)
    const decisions = lessons.map(({ id, version }) => ({ appointment_id: id, version, action: 'cancel' }))
    const away = { start_date: '2099-03-02', end_date: '2099-03-02', note: null, decisions }
    const path = `/instructors/${office().instructor.id}/absences`
    expect((await office().school.client.post(path, away)).status).toBe(200)
    office().moveClock(AFTER_GRACE)
    office().hire(server)
    await server.receives(1)
    expect(await states()).toEqual([['cancelled', 'sent', null]])
  })
})

it('the office is told at once of a booking whose lesson begins before the quiet hours end', async () => {
  await office().send({ booked: true, quiet })
  office().moveClock(IN_QUIET)
  await office().lesson(at('06:30', '08:00'))
  office().moveClock(AFTER_GRACE)
  office().hire(server)
  expect(await states()).toEqual([['booked', 'dropped', 'quiet']])
  const { body } = await office().school.client.get('/inbox')
  expect(body).toMatchObject({
    entries: [
      { kind: 'message_undelivered', message: { kind: 'booked', reason: 'quiet', may_resend: true } },
    ],
  })
})

it('a reminder for which the morning is too late is sent in the minute before the quiet hours', async () => {
  await office().send({ reminder: true, reminder_hours: [2], quiet })
  await office().lesson(at('06:30', '08:00'))
  expect(await office().messages()).toMatchObject([{ send_at: '2099-03-01T12:09:00.000Z' }])
  // Two minutes late, as after a restart.
  office().moveClock('2099-03-01T12:11:00Z')
  office().hire(server)
  await server.receives(1)
  expect(await states()).toEqual([['reminder', 'sent', null]])
})
