import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { asOwner } from '../support/as-owner.ts'
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
  await onSchema('drop function if exists refuse_to_read cascade')
  await server.close()
})

const onSchema = (statement: string) => asOwner(service(), (owner) => sql.raw(statement).execute(owner))

async function refuseToRead(): Promise<void> {
  await onSchema(`create function refuse_to_read() returns trigger language plpgsql as $$
    begin raise exception 'unreadable'; end $$`)
  await onSchema(`create trigger refuse_to_read before delete on message_causes
    for each row execute function refuse_to_read()`)
}

it('a message waits unsent while the changes after it cannot be read', async () => {
  await office().send({ booked: true })
  await office().lesson(day('2099-03-09'))
  expect(await office().messages()).toMatchObject([{ state: 'waiting' }])
  office().tick()
  await office().lesson(day('2099-03-10'))
  await refuseToRead()
  office().moveClock('2099-03-01T12:05:00Z')
  const lines: string[] = []
  const messageDispatcher = office().hire(server, {
    log: pino({}, { write: (line) => void lines.push(line) }),
  })
  await until(async () => lines.filter((line) => line.includes('messages_stuck')).length > 2)
  await messageDispatcher.stop()
  expect(server.received).toEqual([])
  await onSchema('drop function refuse_to_read cascade')
  office().moveClock('2099-03-01T12:10:00Z')
  office().hire(server)
  expect((await office().settled()).map(({ state }) => state)).toEqual(['sent', 'sent'])
  expect(server.received).toHaveLength(2)
})
