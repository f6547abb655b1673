import { afterEach, expect, it } from 'vitest'
import { NO_ORDER } from '../../src/db/claim-order.ts'
import { claimMail, finishMail, postponeMail, purgeMails, retryMails } from '../../src/db/messages/mails.ts'
import { useService } from '../support/app.ts'
import { aSchool } from '../support/factory.ts'
import { type MailServer, refusal, startMailServer } from '../support/mail-server.ts'
import { until } from '../support/process.ts'
import { mailsIn, onlyMail, put, useMailDispatchers } from './outbox.ts'

const service = useService()
const hire = useMailDispatchers(service)
let server: MailServer | undefined

afterEach(async () => {
  await server?.close()
  server = undefined
})

it('a mail of a dead process is claimed again, and only the new claim can record a result', async () => {
  const { tenantId } = await aSchool(service())
  await put(service(), tenantId)
  const { db } = service()
  const dead = await claimMail(db, { seconds: 0, order: NO_ORDER })
  const heir = await claimMail(db, { seconds: 60, order: NO_ORDER })
  expect([dead?.attempts, heir?.attempts, heir?.id]).toEqual([1, 2, dead?.id])
  expect(await claimMail(db, { seconds: 60, order: NO_ORDER })).toBeUndefined()
  if (!dead || !heir) throw new Error('nothing was claimed')
  await postponeMail(db, dead, { last_error: 'late', seconds: 0 })
  await finishMail(db, dead, { state: 'given_up', last_error: 'late' })
  expect(await mailsIn(service())).toMatchObject([{ state: 'waiting', last_error: null }])
  await finishMail(db, heir, { state: 'sent', last_error: null })
  expect(await mailsIn(service())).toMatchObject([{ state: 'sent', attempts: 2 }])
})

it('an expired mail is given up without being sent, and its content is deleted', async () => {
  server = await startMailServer()
  const { tenantId } = await aSchool(service())
  await put(service(), tenantId, { worth_until: new Date(Date.now() - 1000) })
  hire(server.config)
  const mail = await onlyMail(service(), 'given_up')
  expect(mail).toMatchObject({ params: null, last_error: 'no longer worth sending' })
  expect(server.received).toEqual([])
})

it('the next attempt is scheduled no later than the expiry of the mail', async () => {
  server = await startMailServer({}, () => {
    throw refusal(451, 'later')
  })
  const { tenantId } = await aSchool(service())
  const worth_until = new Date(Date.now() + 60_000)
  await put(service(), tenantId, { worth_until })
  const mailDispatcher = hire(server.config, { firstPause: 3_600_000, longestPause: 3_600_000 })
  await until(async () => mailDispatcher.counts.failed === 1)
  await mailDispatcher.stop()
  expect(await mailsIn(service())).toMatchObject([{ next_attempt_at: worth_until, state: 'waiting' }])
})

it('retryMails makes all waiting mails due, except one that is being sent', async () => {
  const { tenantId } = await aSchool(service())
  for (const _ of '123') await put(service(), tenantId)
  const [first, second] = await mailsIn(service())
  const later = new Date(Date.now() + 3_600_000)
  const { db } = service()
  await db.updateTable('mails').set({ next_attempt_at: later }).execute()
  await db
    .updateTable('mails')
    .set({ claimed_until: later })
    .where('id', '=', first?.id ?? '')
    .execute()
  const before = new Date(Date.now() - 1)
  await db
    .updateTable('mails')
    .set({ claimed_until: before })
    .where('id', '=', second?.id ?? '')
    .execute()
  expect(await retryMails(db)).toBe(2)
  const due = (await mailsIn(service())).filter(({ next_attempt_at }) => next_attempt_at < later)
  expect(due.map(({ id }) => id)).not.toContain(first?.id)
  expect(due).toHaveLength(2)
})

it('purgeMails deletes the content of expired mails, and old mails entirely', async () => {
  const { tenantId } = await aSchool(service())
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  const { db } = service()
  await put(service(), tenantId, { worth_until: ago(2) })
  await put(service(), tenantId)
  await put(service(), tenantId, { worth_until: ago(31 * 24) })
  await purgeMails(db)
  await db
    .updateTable('mails')
    .set({ finished_at: ago(31 * 24) })
    .where('worth_until', '<', ago(24))
    .execute()
  await purgeMails(db)
  const mails = await mailsIn(service())
  expect(mails.map(({ state, params }) => [state, params !== null]).toSorted()).toEqual([
    ['given_up', false],
    ['waiting', true],
  ])
})

it('stopping a dispatcher finishes the mail in progress and starts no other', async () => {
  const arrived = Promise.withResolvers<void>()
  const mayAnswer = Promise.withResolvers<void>()
  server = await startMailServer({}, async () => {
    arrived.resolve()
    await mayAnswer.promise
  })
  const { tenantId } = await aSchool(service())
  await put(service(), tenantId)
  await put(service(), tenantId)
  const mailDispatcher = hire(server.config, { stop: 30_000 })
  await arrived.promise
  const stopped = mailDispatcher.stop()
  mayAnswer.resolve()
  await stopped
  expect((await mailsIn(service())).map(({ state }) => state).toSorted()).toEqual(['sent', 'waiting'])
  expect(server.received).toHaveLength(1)
})

it('an unresponsive mail server does not prevent a dispatcher from stopping', async () => {
  const arrived = Promise.withResolvers<void>()
  server = await startMailServer({}, async () => {
    arrived.resolve()
    await new Promise(() => undefined)
  })
  const { tenantId } = await aSchool(service())
  await put(service(), tenantId)
  const mailDispatcher = hire(server.config, { stop: 1, send: 600_000 })
  await arrived.promise
  await mailDispatcher.stop()
  expect(await mailsIn(service())).toMatchObject([{ state: 'waiting', claimed_until: null, attempts: 1 }])
})
