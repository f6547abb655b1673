import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool } from '../support/factory.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { useMessageOffice } from './message-office.ts'
import { put, useMailDispatchers } from './outbox.ts'

const service = useService()
const office = useMessageOffice(service)
const mails = useMailDispatchers(service)
let server: MailServer

beforeEach(async () => {
  server = await startMailServer()
})

afterEach(async () => {
  await office().close()
  await server.close()
})

it('a reminder that was queued three weeks ahead bears the date of sending', async () => {
  await office().send({ reminder: true, reminder_hours: [24] })
  await office().lesson({ start_at: '2099-03-22 16:00', end_at: '2099-03-22 17:00' })
  await office().messages()
  office().moveClock('2099-03-21T15:00:10Z')
  office().hire(server)
  const [mail] = await server.receives(1)
  expect(mail?.parsed.date).toEqual(new Date('2099-03-21T15:00:10Z'))
})

it('answers to messages and mails go to the address of the school, if it has one', async () => {
  const { school } = office()
  await office().send({ reminder: true, reminder_hours: [24] })
  must(
    200,
    await school.client.patch('/tenant', { name: 'Fahrschule "Nord", Süd', email: 'büro@nord.example' }),
  )
  await office().lesson({ start_at: '2099-03-22 16:00', end_at: '2099-03-22 17:00' })
  await office().messages()
  office().moveClock('2099-03-21T15:00:10Z')
  office().hire(server)
  await put(service(), school.tenantId)
  await put(service(), (await aSchool(service())).tenantId)
  mails(server.config)
  const received = await server.receives(3)
  const answers = received.map(({ parsed }) => parsed.replyTo?.value[0])
  expect(answers.filter(Boolean)).toEqual([
    { name: 'Fahrschule "Nord", Süd', address: 'büro@nord.example' },
    { name: 'Fahrschule "Nord", Süd', address: 'büro@nord.example' },
  ])
})

it('a mail that waited for three weeks bears the date of sending', async () => {
  const { tenantId } = await aSchool(service())
  await put(service(), tenantId)
  const ago = sql<Date>`now() - interval '3 weeks'`
  await service().db.updateTable('mails').set({ created_at: ago }).execute()
  mails(server.config)
  const [mail] = await server.receives(1)
  expect(Date.now() - (mail?.parsed.date?.getTime() ?? 0)).toBeLessThan(600_000)
})
