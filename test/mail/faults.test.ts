import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, expect, it } from 'vitest'
import { useOwnService } from '../support/app.ts'
import { asOwner } from '../support/as-owner.ts'
import { aSchool } from '../support/factory.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { until } from '../support/process.ts'
import { HERE } from '../support/use-outbox.ts'
import { hook, useWebhookDispatchers } from '../webhooks/dispatchers.ts'
import { day, useMessageOffice } from './message-office.ts'
import { mailsIn, put, useMailDispatchers } from './outbox.ts'

const service = useOwnService({ webhookAllowedNetworks: HERE })
const office = useMessageOffice(service)
const { receive, hire } = useWebhookDispatchers(service)
const mails = useMailDispatchers(service)
let server: MailServer | undefined
let undo: () => Promise<unknown> = async () => undefined

afterEach(async () => {
  await undo()
  await office().close()
  await server?.close()
  server = undefined
})

const onSchema = (statement: string) => asOwner(service(), (owner) => sql.raw(statement).execute(owner))

/** Takes a table away from the service. Returns a function that gives it back, once. */
async function takeAway(table: string): Promise<() => Promise<void>> {
  await onSchema(`alter table ${table} rename to ${table}_away`)
  let isAway = true
  const giveBack = async () => {
    if (isAway) await onSchema(`alter table ${table}_away rename to ${table}`)
    isAway = false
  }
  undo = giveBack
  return giveBack
}

const logInto = (lines: string[]) => pino({}, { write: (line) => void lines.push(line) })

it('a message that was claimed during a fault of the database is sent right after it', async () => {
  server = await startMailServer()
  await office().send({ booked: true })
  await office().lesson(day('2099-03-09'))
  await office().messages()
  office().moveClock('2099-03-01T12:05:00Z')
  const giveBack = await takeAway('lesson_types')
  const lines: string[] = []
  office().hire(server, { log: logInto(lines) })
  await until(async () => lines.some((line) => line.includes('messages_stuck')))
  await giveBack()
  office().tick()
  await server.receives(1)
})

it('a mail that was claimed during a fault of the database is sent right after it', async () => {
  server = await startMailServer()
  const { tenantId } = await aSchool(service())
  await put(service(), tenantId)
  const giveBack = await takeAway('tenants')
  const lines: string[] = []
  mails(server.config, {}, logInto(lines))
  await until(async () => lines.some((line) => line.includes('mail_stuck')))
  await giveBack()
  await server.receives(1)
  expect(await mailsIn(service())).toMatchObject([{ last_error: null }])
})

it('a webhook that was claimed during a fault of the database is served right after it', async () => {
  const school = await aSchool(service())
  let count = 0
  let giveBack: () => Promise<void> = async () => undefined
  const receiver = await receive(async () => {
    count += 1
    if (count === 1) giveBack = await takeAway('webhook_deliveries')
    return { status: 204 }
  })
  await hook(school, receiver.url, { events: ['student.*'] })
  await school.student()
  const lines: string[] = []
  hire({ log: logInto(lines) })
  await until(async () => lines.some((line) => line.includes('webhooks_stuck')))
  await giveBack()
  await receiver.receives(2)
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids).size).toBe(1)
})

it('messages are listed while the database takes no writes', async () => {
  await office().send({ booked: true })
  await office().lesson(day('2099-03-09'))
  expect(await office().messages()).toHaveLength(1)
  await office().lesson(day('2099-03-10'))
  await onSchema(`create function take_no_writes() returns trigger language plpgsql as $$
    begin raise exception using errcode = 'read_only_sql_transaction', message = 'read-only'; end $$`)
  undo = () => onSchema('drop function if exists take_no_writes cascade')
  await onSchema(`create trigger take_no_writes before delete on message_causes
    for each row execute function take_no_writes()`)
  expect(await office().messages()).toHaveLength(1)
  await undo()
  expect(await office().messages()).toHaveLength(2)
})
