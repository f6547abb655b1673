import { beforeEach, describe, expect, it } from 'vitest'
import { queueMessages } from '../../src/db/messages/messages.ts'
import { useService } from '../support/app.ts'
import { NOW, START } from '../support/cancellation-office.ts'
import type { Client } from '../support/client.ts'
import { aSchool, aUser, enter } from '../support/factory.ts'
import { entriesOf, lookAtAll, readInbox } from '../support/read-inbox.ts'
import { useActingStudent } from '../support/use-acting-student.ts'

const service = useService()
const acting = useActingStudent(service)

const office = () => acting().office.school.client
const lesson = () => acting().lesson.id
const student = () => acting().office.student.id
const instructor = () => acting().office.instructor.id

/** Returns a login of an instructor, by default of the one who teaches the student. */
async function phoneOf(instructor_id = instructor()): Promise<Client> {
  const { tenantId } = acting().office.school
  const user = await aUser(service(), tenantId, { role: 'instructor', instructor_id })
  return (await enter(service(), { tenantId, user })).client
}

beforeEach(() => lookAtAll(office()))

describe("an instructor's inbox", () => {
  it('has only the news of own lessons and students', async () => {
    const other = await acting().office.school.instructor({ first_name: 'Bert' })
    const [own, others] = [await phoneOf(), await phoneOf(other.id)]
    await acting().allow({ wish: true })
    await office().patch(`/students/${student()}`, { preferred_instructor_id: instructor() })
    const browser = await acting().verified()
    await browser.pressWish({ act: 'wish', weekday: '4', minutes: '90' })
    await browser.submit(lesson(), 'cancel')
    await undelivered({ kind: 'cancelled', instructor_id: instructor() })
    const { new: fresh, entries } = await readInbox(own)
    expect(
      entries
        .slice(0, 3)
        .map(({ kind }) => kind)
        .toSorted(),
    ).toEqual(['message_undelivered', 'student_cancelled', 'student_wish'])
    expect(fresh).toBe(entries.filter(({ kind }) => kind !== 'student_confirmed').length)
    expect(await readInbox(others)).toEqual({ new: 0, seen_until: null, entries: [] })
    const [wish] = await entriesOf(office(), 'student_wish')
    await office().delete(`/students/${student()}/wishes/${wish?.wish?.id}`)
  })
})

type Undelivered = { readonly kind: 'cancelled' | 'reminder'; readonly instructor_id: string }

/** Queues a message to the student for whom there is no address, which is dropped. */
async function undelivered({ kind, instructor_id }: Undelivered): Promise<void> {
  const { tenantId } = acting().office.school
  const times = { start_at: START, end_at: '2030-05-08 09:30' } as const
  await queueMessages(service().db, tenantId, NOW, [
    {
      kind,
      student_id: student(),
      lessons: [{ appointment_id: lesson(), instructor_id, ...times, was: null }],
      channel: 'mail',
      to_address: null,
      send_at: NOW,
      worth_until: new Date('2030-05-08T06:00:00Z'),
    },
  ])
}

describe('a message that reached nobody', () => {
  const message = { channel: 'mail', to: null, reason: 'no_address', lessons: 1, may_resend: true }

  it('is in the inbox with its reason, unless nobody has to act on it', async () => {
    await lookAtAll(office())
    const before = (await entriesOf(office(), 'message_undelivered')).length
    await undelivered({ kind: 'reminder', instructor_id: instructor() })
    expect(await entriesOf(office(), 'message_undelivered')).toHaveLength(before)
    await undelivered({ kind: 'cancelled', instructor_id: instructor() })
    const [entry] = await entriesOf(office(), 'message_undelivered')
    expect(entry).toMatchObject({
      actor: { kind: 'system', id: null },
      student_id: student(),
      lesson: { appointment_id: lesson(), start_at: START },
      message: { ...message, kind: 'cancelled' },
    })
  })

  it('can be sent again while its lesson is ahead, and then waits', async () => {
    await undelivered({ kind: 'cancelled', instructor_id: instructor() })
    const [{ id } = { id: '' }, ...rest] = await entriesOf(office(), 'message_undelivered')
    const again = await office().post(`/messages/${id}/resend`)
    expect([again.status, again.body]).toEqual([
      200,
      expect.objectContaining({ id, state: 'waiting', reason: null }),
    ])
    expect((await entriesOf(office(), 'message_undelivered')).map((one) => one.id)).toEqual(
      rest.map((one) => one.id),
    )
    const twice = await office().post(`/messages/${id}/resend`)
    expect([twice.status, twice.body.code]).toEqual([409, 'not_resendable'])
  })

  it('leaves the inbox once somebody has told the student, and others stay as they are', async () => {
    await undelivered({ kind: 'cancelled', instructor_id: instructor() })
    const [{ id } = { id: '' }, ...rest] = await entriesOf(office(), 'message_undelivered')
    const told = await office().post(`/messages/${id}/told`)
    expect([told.status, told.body]).toEqual([
      200,
      expect.objectContaining({ state: 'sent', channel: 'call' }),
    ])
    expect((await entriesOf(office(), 'message_undelivered')).map((one) => one.id)).toEqual(
      rest.map((one) => one.id),
    )
    await undelivered({ kind: 'reminder', instructor_id: instructor() })
    const waiting = await entriesOf(office(), 'message_undelivered')
    expect(waiting).toHaveLength(rest.length)
    const foreign = await aSchool(service())
    expect((await foreign.client.post(`/messages/${id}/told`)).status).toBe(404)
  })

  it('cannot be sent again once its lesson is over, and an unknown one is a 404', async () => {
    await undelivered({ kind: 'cancelled', instructor_id: instructor() })
    service().setClock(new Date('2030-05-08T06:00:00Z'))
    const { tenantId } = acting().office.school
    const user = await aUser(service(), tenantId, { role: 'office' })
    const { client } = await enter(service(), { tenantId, user })
    const [entry] = await entriesOf(client, 'message_undelivered')
    expect(entry?.message).toMatchObject({ ...message, may_resend: false })
    const late = await client.post(`/messages/${entry?.id}/resend`)
    expect([late.status, late.body.code]).toEqual([409, 'not_resendable'])
    for (const id of [lesson(), 'x']) expect((await client.post(`/messages/${id}/resend`)).status).toBe(404)
    const foreign = await aSchool(service())
    expect((await foreign.client.post(`/messages/${entry?.id}/resend`)).status).toBe(404)
  })
})
