import { afterEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { useMessageOffice } from './message-office.ts'

const service = useService()
const office = useMessageOffice(service)
let server: MailServer | undefined

afterEach(async () => {
  await office().close()
  await server?.close()
  server = undefined
})

it('reminders that quiet hours shift to the same time are merged into one', async () => {
  await office().send({ reminder: true, reminder_hours: [48, 12, 2], quiet: { from: '20:00', to: '08:00' } })
  await office().lesson({ start_at: '2099-03-04 08:30', end_at: '2099-03-04 09:30' })
  expect((await office().messages()).map(({ send_at }) => send_at).toSorted()).toEqual([
    '2099-03-02T07:30:00.000Z',
    '2099-03-04T07:00:00.000Z',
  ])
})

it('a reminder is dropped once the next one of its lesson is due', async () => {
  await office().send({ reminder: true, reminder_hours: [5, 2] })
  await office().lesson({ start_at: '2099-03-01 19:00', end_at: '2099-03-01 20:00' })
  await office().messages()
  server = await startMailServer()
  office().moveClock('2099-03-01T16:30:00Z')
  office().hire(server)
  expect((await office().settled()).map(({ state, reason }) => [state, reason])).toEqual([
    ['dropped', 'past'],
    ['sent', null],
  ])
  expect(server.received).toHaveLength(1)
})
