import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { type Client, must } from '../support/client.ts'
import type { Row } from '../support/factory.ts'
import { lookAtAll, readInbox } from '../support/read-inbox.ts'
import { StudentBrowser } from '../support/student-browser.ts'
import { day, useMessageOffice } from './message-office.ts'

const service = useService()
const office = useMessageOffice(service)

/** The clock begins on Sunday, 1 March, at 13:00 of the school; the lesson is on Wednesday. */
const LATER = '2099-03-01T12:01:00Z'
let lesson: Row

const client = (): Client => office().school.client
const consent = async (messages_consent: boolean) =>
  must(200, await client().patch(`/students/${office().student.id}`, { messages_consent }))
const change = async ({ id }: Row, fields: object) =>
  must(200, await client().patch(`/appointments/${id}`, fields))
const cancel = async ({ id }: Row) =>
  must(200, await client().post(`/appointments/${id}/cancel`, { by: 'school' }))

/** Returns the calls of the inbox, as kind and number of lessons, after all changes so far. */
async function calls(): Promise<readonly string[]> {
  await office().messages()
  const { entries } = await readInbox(client())
  return entries.flatMap(({ message }) =>
    message?.channel === 'call' ? [`${message.kind} ${message.lessons}`] : [],
  )
}

beforeEach(async () => {
  await office().send({ booked: true, moved: true, cancelled: true })
  await consent(false)
  lesson = await office().lesson(day('2099-03-04'))
  await office().messages()
})

describe('the office is asked to call a student who gets no messages', () => {
  it('of a lesson that was moved or cancelled, but not of a booked one', async () => {
    const other = await office().lesson(day('2099-03-05'))
    await cancel(lesson)
    await change(other, day('2099-03-06'))
    expect(await calls()).toEqual([])
    office().moveClock(LATER)
    expect((await calls()).toSorted()).toEqual(['cancelled 1', 'moved 1'])
    const { entries } = await readInbox(client())
    expect(entries[0]).toMatchObject({
      kind: 'message_undelivered',
      student_id: office().student.id,
      message: { to: null, reason: 'no_consent', may_resend: false },
    })
  })

  it('once for all lessons that were cancelled one by one', async () => {
    const other = await office().lesson(day('2099-03-05'))
    await cancel(lesson)
    await office().messages()
    office().tick()
    await cancel(other)
    office().moveClock(LATER)
    expect(await calls()).toEqual(['cancelled 2'])
  })

  it('not if the lesson takes place as it was', async () => {
    await change(lesson, day('2099-03-05'))
    office().moveClock(LATER)
    expect(await calls()).toEqual(['moved 1'])
    await change(lesson, day('2099-03-04'))
    expect(await calls()).toEqual([])
  })

  it('not of a lesson that the student cancelled', async () => {
    must(
      200,
      await client().patch('/tenant', {
        student_actions: { confirm: true, cancel: true, wish: true, proof: 'none' },
      }),
    )
    const { school, student } = office()
    const browser = await StudentBrowser.open(service(), school, student)
    await browser.submit(lesson.id, 'cancel')
    office().moveClock(LATER)
    expect(await calls()).toEqual([])
  })

  it('not if the school sends no messages of the kind', async () => {
    await office().send({ moved: true, cancelled: false })
    await cancel(lesson)
    office().moveClock(LATER)
    expect(await calls()).toEqual([])
  })

  it.each([
    ['2099-03-11T06:59:00Z', 0],
    ['2099-03-11T07:00:00Z', 1],
    ['2099-03-18T08:29:00Z', 1],
    ['2099-03-18T08:30:00Z', 0],
  ])('from seven days before the lesson to its end: at %s %i', async (at, count) => {
    const far = await office().lesson(day('2099-03-18'))
    await cancel(far)
    await office().messages()
    await office().moveFar(at)
    expect(await calls()).toHaveLength(count)
    expect((await readInbox(client())).new).toBe(count)
  })

  it('until somebody has called', async () => {
    await cancel(lesson)
    office().moveClock(LATER)
    await calls()
    const [entry] = (await readInbox(client())).entries
    expect(must(200, await client().post(`/messages/${entry?.id}/told`))).toMatchObject({
      state: 'sent',
      channel: 'call',
      sent_at: '2099-03-01T12:01:00.000Z',
    })
    expect(await calls()).toEqual([])
    expect((await client().post(`/messages/${entry?.id}/told`)).status).toBe(200)
    expect((await client().post(`/messages/${lesson.id}/told`)).status).toBe(404)
  })

  it('as news, also once a coming lesson is added to a call', async () => {
    await cancel(lesson)
    office().moveClock(LATER)
    await calls()
    await lookAtAll(client())
    expect((await readInbox(client())).new).toBe(0)
    await cancel(await office().lesson(day('2099-03-06')))
    office().moveClock('2099-03-01T12:05:00Z')
    expect(await calls()).toEqual(['cancelled 2'])
    expect((await readInbox(client())).new).toBe(1)
  })
})

describe('a change of consent', () => {
  it('sends what the school was to call about', async () => {
    await cancel(lesson)
    await office().messages()
    await consent(true)
    expect(await calls()).toEqual([])
    expect(await office().messages('?state=waiting')).toMatchObject([
      { kind: 'cancelled', channel: 'mail', to: 'lena@reader.example' },
    ])
  })

  it('makes a waiting move a call, and drops a waiting booking', async () => {
    await consent(true)
    await change(lesson, day('2099-03-05'))
    await office().lesson(day('2099-03-06'))
    await office().messages()
    await consent(false)
    office().moveClock(LATER)
    expect(await calls()).toEqual(['moved 1'])
    expect(await office().messages('?state=waiting')).toMatchObject([
      { kind: 'booked', channel: 'mail' },
      { kind: 'moved', channel: 'call', to: null },
    ])
  })
})

it('a call to a student without an address becomes a message once there is one', async () => {
  await consent(true)
  must(200, await client().patch(`/students/${office().student.id}`, { email: null }))
  await cancel(lesson)
  await office().messages()
  office().moveClock(LATER)
  const [entry] = (await readInbox(client())).entries
  expect(entry?.message).toMatchObject({ channel: 'call', reason: 'no_address' })
  must(200, await client().patch(`/students/${office().student.id}`, { email: 'lena@reader.example' }))
  expect(await office().messages('?state=waiting')).toMatchObject([
    { kind: 'cancelled', channel: 'mail', to: 'lena@reader.example' },
  ])
})
