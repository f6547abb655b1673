import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { minutesLater } from '../../src/domain/local-time.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool } from '../support/factory.ts'
import { type MailServer, refusal, startMailServer } from '../support/mail-server.ts'
import { until } from '../support/process.ts'
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
    await school.client.patch('/tenant', { name: 'Fahrschule "Nord", Süd', email: 'buero@nord.example' }),
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
    { name: 'Fahrschule "Nord", Süd', address: 'buero@nord.example' },
    { name: 'Fahrschule "Nord", Süd', address: 'buero@nord.example' },
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

it('an hour of messages, with quiet hours and a server that is down meanwhile, reaches one that refuses old mails', async () => {
  // More than one step of the clock, which may pass while a mail is on its way.
  const TEN_MINUTES = 600_000
  let now = new Date('2099-03-01T12:00:00Z')
  let isDown = false
  let delayed = 0
  const refused: Date[] = []
  await server.close()
  server = await startMailServer({}, ({ parsed: { date } }) => {
    if (!date || Math.abs(now.getTime() - date.getTime()) > TEN_MINUTES) {
      refused.push(date ?? now)
      throw refusal(554, 'the date is too old')
    }
    if (!isDown) return
    delayed += 1
    throw refusal(451, 'later')
  })
  const { client } = office().school
  const moveTo = (minute: number) => {
    now = new Date(Date.parse('2099-03-01T12:00:00Z') + minute * 60_000)
    office().moveClock(now.toISOString())
  }
  const quiet = { from: '13:10', to: '13:20' }
  await office().send({
    booked: true,
    moved: true,
    cancelled: true,
    reminder: true,
    reminder_hours: [3],
    quiet,
  })
  // Its reminder is due half an hour later.
  await office().lesson({ start_at: '2099-03-01 16:30', end_at: '2099-03-01 17:15' })
  office().hire(server)
  for (let minute = 0; minute < 60; minute += 5) {
    isDown = minute >= 30 && minute < 45
    const before = delayed
    moveTo(minute)
    const start_at = `2099-03-10 ${String(6 + minute / 5).padStart(2, '0')}:00`
    const { id } = await office().lesson({ start_at, end_at: minutesLater(start_at, 45) })
    if (minute % 10 === 5) must(200, await client.patch(`/appointments/${id}`, { pickup_place: 'Rathaus' }))
    await office().messages()
    moveTo(minute + 1)
    if (isDown) await until(async () => delayed > before)
    else await office().settled()
  }
  moveTo(65)
  const sent = (await office().settled()).filter(({ send_at }) => new Date(send_at) <= now)
  expect(refused).toEqual([])
  expect(delayed).toBeGreaterThan(0)
  expect(new Set(sent.map(({ state }) => state))).toEqual(new Set(['sent']))
  expect(server.received).toHaveLength(sent.length)
  expect(sent.length).toBeGreaterThanOrEqual(14)
})
