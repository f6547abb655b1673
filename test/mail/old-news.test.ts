import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { purgeMessages } from '../../src/db/messages/message-outbox.ts'
import { deriveAllMessages } from '../../src/mail/derive-messages.ts'
import { useService } from '../support/app.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { until } from '../support/process.ts'
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

const causes = () => service().db.selectFrom('message_causes').selectAll().execute()

/** Sends everything due at `at`. Returns the states from the database, because sessions have expired by then. */
async function statesAt(at: string): Promise<readonly string[]> {
  office().moveClock(at)
  office().hire(server)
  const rows = () => service().db.selectFrom('messages').selectAll().orderBy('id').execute()
  const isDue = async () =>
    (await rows()).some(({ state, send_at }) => state === 'waiting' && send_at <= new Date(at))
  await until(async () => (await causes()).length === 0 && !(await isDue()))
  return (await rows()).map(({ kind, state }) => `${kind} ${state}`)
}

describe('a message about a booking', () => {
  it('is sent after a weekend without a mail server', async () => {
    await office().send({ booked: true })
    await office().lesson(day('2099-03-29'))
    expect(await statesAt('2099-03-04T08:00:00Z')).toEqual(['booked sent'])
  })

  it('is not sent if mail is configured three weeks later, while a reminder is queued', async () => {
    await office().send({ booked: true, reminder: true, reminder_hours: [24] })
    await office().lesson(day('2099-03-29'))
    expect(await statesAt('2099-03-22T12:00:00Z')).toEqual(['reminder waiting'])
    expect(server.received).toEqual([])
  })

  it('is dropped if the mail server is down for too long', async () => {
    await office().send({ booked: true })
    await office().lesson(day('2099-03-29'))
    await office().messages()
    expect(await statesAt('2099-03-05T12:00:00Z')).toEqual(['booked dropped'])
  })
})

describe('the causes of messages', () => {
  it('do not accumulate in a service without mail', async () => {
    await office().send({ booked: true, reminder: true, reminder_hours: [24] })
    await office().lesson(day('2099-03-29'))
    expect(await causes()).not.toEqual([])
    const log = pino({ level: 'silent' })
    await deriveAllMessages(service().db, log, () => sql<Date>`'2099-03-01T13:00:00Z'::timestamptz`)
    expect(await causes()).toEqual([])
    expect((await office().messages()).map(({ kind }) => kind).toSorted()).toEqual(['booked', 'reminder'])
  })

  it('are deleted if they have not been processed for a week', async () => {
    const { db } = service()
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000)
    const aCause = (at: Date) => ({ tenant_id: randomUUID(), id: randomUUID(), at })
    const [old, recent] = [aCause(ago(8)), aCause(ago(6))]
    await db.insertInto('message_causes').values([old, recent]).execute()
    await purgeMessages(db)
    expect((await causes()).map(({ id }) => id)).toEqual([recent.id])
  })
})
