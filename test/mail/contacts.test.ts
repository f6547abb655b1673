import { afterEach, beforeEach, expect, it } from 'vitest'
import { useOwnService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { day, useMessageOffice } from './message-office.ts'

const service = useOwnService({})
const office = useMessageOffice(service)
let server: MailServer

beforeEach(async () => {
  server = await startMailServer()
  await office().send({ booked: true, moved: true, cancelled: true })
})

afterEach(async () => {
  await office().close()
  await server.close()
})

const LATER = '2099-03-01T12:05:00Z'
const EVA = { name: 'Eva Vogt', relation: 'guardian', email: 'eva@reader.example', gets_messages: true }
const IDA = { name: 'Ida', relation: 'payer', email: 'ida@reader.example', gets_messages: false }

const change = async (fields: object) =>
  must(200, await office().school.client.patch(`/students/${office().student.id}`, fields))

const listed = async () =>
  (
    must(200, await office().school.client.get('/messages')) as unknown as { to: string; state: string }[]
  ).map(({ to, state }) => `${to} ${state}`)

async function receives(count: number) {
  office().moveClock(LATER)
  office().hire(server)
  return new Map((await server.receives(count)).map((mail) => [mail.recipients[0] ?? '', mail]))
}

it('a contact who gets messages has a message of their own', async () => {
  await change({ contacts: [EVA, IDA] })
  await office().lesson(day('2099-03-09'))
  const mails = await receives(2)
  expect([...mails.keys()].toSorted()).toEqual(['eva@reader.example', 'lena@reader.example'])
  expect(mails.get('eva@reader.example')?.parsed.text).toContain('Guten Tag Eva Vogt,')
  expect(mails.get('eva@reader.example')?.source).toMatch(/^List-Unsubscribe/m)
  expect(mails.get('lena@reader.example')?.source).toMatch(/^List-Unsubscribe/m)
  await expect.poll(listed).toEqual(['eva@reader.example sent', 'lena@reader.example sent'])
})

it('a contact gets the messages of a student without an address, and what is true when they are sent', async () => {
  await change({ email: null, contacts: [EVA] })
  const { id } = await office().lesson(day('2099-03-09'))
  must(200, await office().school.client.patch(`/appointments/${id}`, day('2099-03-10')))
  const mail = (await receives(1)).get('eva@reader.example')
  expect(mail?.parsed.text).toContain('10. März 2099')
  await expect.poll(listed).toEqual(['eva@reader.example sent', 'null dropped'])
})

it('no contact gets messages without the consent of the student', async () => {
  await change({ contacts: [EVA], messages_consent: false })
  await office().lesson(day('2099-03-09'))
  expect(await listed()).toEqual([])
})

const addressIn = (source = '') => /^List-Unsubscribe:\s+<([^>]+)>/m.exec(source)?.[1] ?? ''

it('contacts who unsubscribe at the same time as the office changes the student are all unsubscribed', async () => {
  const names = ['eva', 'max', 'ina', 'tom', 'leo']
  await change({ contacts: names.map((name) => ({ ...EVA, name, email: `${name}@reader.example` })) })
  await office().lesson(day('2099-03-09'))
  const mails = await receives(6)
  const { school, student } = office()
  const path = `/students/${student.id}`
  await Promise.all([
    ...names.map(async (name) => {
      const address = addressIn(mails.get(`${name}@reader.example`)?.source)
      expect((await fetch(address, { method: 'POST', body: new URLSearchParams() })).status).toBe(200)
    }),
    ...['a', 'b', 'c'].map(async (notes) => must(200, await school.client.patch(path, { notes }))),
  ])
  const { contacts } = must(200, await school.client.get(path))
  expect(contacts.map((one: { gets_messages: boolean }) => one.gets_messages)).toEqual(names.map(() => false))
})

it('a contact ends the own messages, and no others', async () => {
  const max = { ...EVA, name: 'Max', email: 'max@reader.example' }
  await change({ contacts: [EVA, max] })
  await office().lesson(day('2099-03-09'))
  const address = addressIn((await receives(3)).get('eva@reader.example')?.source)
  const page = await fetch(address)
  expect(await page.text()).toContain('<form method="post">')
  for (const _ of [1, 2]) {
    const ended = await fetch(address, { method: 'POST', body: new URLSearchParams() })
    expect([ended.status, await ended.text()]).toEqual([
      200,
      expect.stringContaining('keine Nachrichten mehr'),
    ])
  }
  const { school, student } = office()
  const { messages_consent, contacts } = must(200, await school.client.get(`/students/${student.id}`))
  expect([messages_consent, contacts]).toEqual([
    true,
    [
      { ...EVA, phone: null, gets_messages: false },
      { ...max, phone: null },
    ],
  ])
  const [last] = must(200, await school.client.get(`/students/${student.id}/history`)) as object[]
  expect(last).toMatchObject({ actor: { kind: 'student', id: student.id, name: 'Eva Vogt' } })
  expect((await fetch(`${address.slice(0, -1)}x`)).status).toBe(404)
})

it('a contact gets no link by which the student acts', async () => {
  const { school, student, instructor } = office()
  await office().send({ booked: false, offer: true, link: true })
  await change({ contacts: [EVA] })
  must(200, await school.client.post(`/students/${student.id}/link`))
  const offered = {
    ...day('2099-03-09'),
    lesson_type_id: school.lessonTypes.PRACTICE,
    student_ids: [student.id],
  }
  const expires_at = '2099-03-02T12:00:00.000Z'
  must(201, await school.client.post('/offers', { instructor_id: instructor.id, ...offered, expires_at }))
  office().moveClock(LATER)
  office().hire(server)
  const sent = (await office().settled()).map(({ kind, to, state }) => `${kind} ${to} ${state}`)
  expect(sent.toSorted()).toEqual(['link lena@reader.example sent', 'offer lena@reader.example sent'])
})
