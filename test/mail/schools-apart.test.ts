import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool } from '../support/factory.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { day, useMessageOffice } from './message-office.ts'

const service = useService()
const office = useMessageOffice(service)
let server: MailServer | undefined

afterEach(async () => {
  await office().close()
  await server?.close()
  server = undefined
})

const events = (lines: readonly string[], event: string) =>
  lines.map((line) => JSON.parse(line)).filter((line) => line.event === event)

it('a failure to derive the messages of a school is logged and does not delay other schools', async () => {
  const { db } = service()
  const unknown = randomUUID()
  const at = new Date('2099-03-01T12:00:00Z')
  await db.insertInto('message_causes').values({ tenant_id: unknown, id: randomUUID(), at }).execute()
  server = await startMailServer()
  await office().send({ booked: true })
  await office().lesson(day('2099-03-09'))
  office().moveClock('2099-03-01T12:05:00Z')
  const lines: string[] = []
  office().hire(server, { log: pino({}, { write: (line) => void lines.push(line) }) })
  await server.receives(1)
  expect(events(lines, 'messages_stuck')[0]).toMatchObject({ tenant_id: unknown })
})

it('a failure to queue the day plans of a school does not delay those of other schools', async () => {
  const { db } = service()
  const broken = await aSchool(service())
  must(200, await broken.client.patch('/tenant', { messages: { day_plan: true } }))
  const inZone = (timezone: string) =>
    db.updateTable('tenants').set({ timezone }).where('id', '=', broken.tenantId).execute()
  server = await startMailServer()
  await office().send({ day_plan: true })
  await office().lesson(day('2099-03-02'))
  await inZone('Nowhere/Nowhere')
  try {
    office().moveClock('2099-03-01T17:05:00Z')
    office().hire(server)
    await server.receives(1)
  } finally {
    await inZone('Europe/Berlin')
  }
})
