// @module-tag long: waits for timeouts of receivers; turns.test.ts covers the turns

import { afterEach, expect, it } from 'vitest'
import { useOwnService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { until } from '../support/process.ts'
import { HERE } from '../support/use-outbox.ts'
import { hook, useWebhookDispatchers } from '../webhooks/dispatchers.ts'
import { day, useMessageOffice } from './message-office.ts'
import { put, useMailDispatchers } from './outbox.ts'
import { openBrowser, subscribe, WITH_CONTACT } from './push-office.ts'

const service = useOwnService({ ...WITH_CONTACT, webhookAllowedNetworks: HERE })
const office = useMessageOffice(service)
const { receive, hire } = useWebhookDispatchers(service)
const mails = useMailDispatchers(service)
const SENDER = { events: ['message.send'] }
const NEVER = new Promise<undefined>(() => undefined)
let server: MailServer | undefined

afterEach(async () => {
  await office().close()
  await server?.close()
  server = undefined
})

/** Returns another school that sends messages about bookings, and a function that books for a student of it. */
async function anotherSchool(
  student: object,
): Promise<{ school: School; book: (date: string) => Promise<unknown> }> {
  const school = await aSchool(service())
  must(200, await school.client.patch('/tenant', { messages: { booked: true } }))
  const people = {
    instructor_id: (await school.instructor()).id,
    student_id: (await school.student({ messages_consent: true, ...student })).id,
  }
  return { school, book: (date) => school.lesson({ ...people, ...day(date) }) }
}

const BY_PROGRAM = { message_channel: 'webhook', phone: '030 5550145' }

async function reachByProgram(): Promise<void> {
  await office().send({ booked: true })
  must(200, await office().school.client.patch(`/students/${office().student.id}`, BY_PROGRAM))
}

it('a program that does not answer delays no messages of another school, not even of later bookings', async () => {
  await reachByProgram()
  const hanging = await receive(() => NEVER)
  await hook(office().school, hanging.url, SENDER)
  for (const date of ['2099-03-09', '2099-03-10', '2099-03-11']) await office().lesson(day(date))
  const other = await anotherSchool(BY_PROGRAM)
  const answering = await receive()
  await hook(other.school, answering.url, SENDER)
  office().moveClock('2099-03-01T12:05:00Z')
  office().hire(undefined)
  await hanging.receives(1)
  await other.book('2099-03-12')
  office().moveClock('2099-03-01T12:10:00Z')
  await answering.receives(1)
  expect(hanging.received).toHaveLength(1)
})

it('a program that fails gets no other message until its pause is over', async () => {
  await reachByProgram()
  const failing = await receive(() => ({ status: 503 }))
  await hook(office().school, failing.url, SENDER)
  for (const date of ['2099-03-09', '2099-03-10', '2099-03-11']) await office().lesson(day(date))
  const other = await anotherSchool(BY_PROGRAM)
  const answering = await receive()
  await hook(other.school, answering.url, SENDER)
  for (const date of ['2099-03-09', '2099-03-10', '2099-03-11', '2099-03-12']) await other.book(date)
  office().moveClock('2099-03-01T12:05:00Z')
  office().hire(undefined, { intervals: { firstPause: 600_000, longestPause: 600_000 } })
  await answering.receives(4)
  expect(failing.received).toHaveLength(1)
})

it('a program that does not answer in time is tried again, and counts as failing', async () => {
  await reachByProgram()
  const hanging = await receive(() => NEVER)
  await hook(office().school, hanging.url, SENDER)
  await office().lesson(day('2099-03-09'))
  office().moveClock('2099-03-01T12:05:00Z')
  office().hire(undefined, { intervals: { sendByHttp: 200 } })
  await until(async () => (await office().messages('?state=waiting'))[0]?.reason === 'timeout')
})

it("a student's device that does not answer delays no message to another student", async () => {
  await office().send({ booked: true })
  const hanging = await receive(() => NEVER)
  await subscribe(await openBrowser(service(), office()), hanging)
  const emma = await office().school.student({ email: 'emma@reader.example', messages_consent: true })
  const push = await receive(() => ({ status: 201 }))
  await subscribe(await openBrowser(service(), office(), emma), push)
  await office().lesson(day('2099-03-09'))
  office().tick()
  await office().lesson({ ...day('2099-03-10'), student_id: emma.id })
  office().moveClock('2099-03-01T12:05:00Z')
  office().hire(undefined)
  await hanging.receives(1)
  await push.receives(1)
})

it('a mailbox at which the mail server hangs delays no messages of another school or of the same one', async () => {
  server = await startMailServer({
    onRcptTo: ({ address }, _, done) => {
      if (address !== 'lena@reader.example') done()
    },
  })
  await office().send({ booked: true })
  for (const date of ['2099-03-09', '2099-03-10']) await office().lesson(day(date))
  office().tick()
  const emma = await office().school.student({ email: 'emma@reader.example', messages_consent: true })
  await office().lesson({ ...day('2099-03-11'), student_id: emma.id })
  const other = await anotherSchool({ email: 'mia@reader.example' })
  await other.book('2099-03-12')
  office().moveClock('2099-03-01T12:05:00Z')
  office().hire(server)
  await server.receives(2)
  expect(server.received.flatMap(({ recipients }) => recipients).toSorted()).toEqual([
    'emma@reader.example',
    'mia@reader.example',
  ])
})

it('a mailbox at which the mail server hangs delays no mail with a link to another address', async () => {
  server = await startMailServer({
    onRcptTo: ({ address }, _, done) => {
      if (!address.startsWith('slow')) done()
    },
  })
  const [loud, quiet] = [await aSchool(service()), await aSchool(service())]
  for (const number of '12345')
    await put(service(), loud.tenantId, { to: { address: `slow${number}@reader.example`, name: 'Slow' } })
  mails(server.config)
  const address = await put(service(), quiet.tenantId)
  const [mail] = await server.receives(1)
  expect(mail?.recipients).toEqual([address])
})

it('receivers of changes that do not answer delay those of other schools by a second at most', async () => {
  const hanging = await receive(() => NEVER)
  const schools = []
  for (const _ of '12345') schools.push(await aSchool(service()))
  for (const school of schools) await hook(school, hanging.url, { events: ['student.*'] })
  for (const school of schools) await school.student()
  hire()
  await hanging.receives(5)
  const last = await aSchool(service())
  const answering = await receive()
  await hook(last, answering.url, { events: ['student.*'] })
  await last.student()
  await answering.receives(1)
})
