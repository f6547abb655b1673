import { afterEach, beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { day, useMessageOffice } from './message-office.ts'

const service = useService()
const office = useMessageOffice(service)
let server: MailServer

beforeEach(async () => {
  server = await startMailServer()
})

afterEach(async () => {
  await office().close()
  await server.close()
})

/** Sends all messages that are due at a time. */
async function send(at: string): Promise<void> {
  office().moveClock(at)
  const messageDispatcher = office().hire(server)
  await office().settled()
  await messageDispatcher.stop()
}

const subject = () => server.received.at(-1)?.parsed.subject?.replace(/^.*?: /, '')

it.each([true, false])(
  'a restored lesson is announced as taking place after all, with bookings announced: %s',
  async (booked) => {
    await office().send({ booked, moved: true, cancelled: true })
    const { client } = office().school
    const lesson = await office().lesson(day('2099-03-09'))
    await send('2099-03-01T12:05:00Z')
    expect(server.received).toHaveLength(booked ? 1 : 0)
    const cancelled = await client.post(`/appointments/${lesson.id}/cancel`, { by: 'school' })
    await send('2099-03-01T12:10:00Z')
    must(200, await client.post(`/changes/sets/${cancelled.headers.get('x-request-id')}/undo`))
    await send('2099-03-01T12:15:00Z')
    expect(subject()).toBe('Ihr Termin am Montag, 9. März 2099, 08:00–09:30 findet doch statt')
    expect(server.received.at(-1)?.parsed.text).toContain('findet nun doch statt')
  },
)

it('a lesson that is moved before it is told that it takes place after all is told once, with its new time', async () => {
  await office().send({ booked: false, moved: true, cancelled: true })
  const { client } = office().school
  const lesson = await office().lesson(day('2099-03-09'))
  const cancelled = await client.post(`/appointments/${lesson.id}/cancel`, { by: 'school' })
  await send('2099-03-01T12:10:00Z')
  must(200, await client.post(`/changes/sets/${cancelled.headers.get('x-request-id')}/undo`))
  await office().settled()
  must(200, await client.patch(`/appointments/${lesson.id}`, day('2099-03-10')))
  await send('2099-03-01T12:15:00Z')
  expect(server.received).toHaveLength(2)
  expect(subject()).toContain('10. März')
})

it('a message about a change of instructor names the new and the previous one', async () => {
  await office().send({ booked: true, moved: true, cancelled: true })
  const lesson = await office().lesson(day('2099-03-09'))
  await send('2099-03-01T12:05:00Z')
  const { id: instructor_id } = await office().school.instructor({ first_name: 'Petra' })
  must(200, await office().school.client.patch(`/appointments/${lesson.id}`, { instructor_id }))
  await send('2099-03-01T12:10:00Z')
  expect(subject()).toBe('Ihr Termin hat sich geändert')
  expect(server.received.at(-1)?.parsed.text).toContain('Petra (bisher Jonas)')
})
