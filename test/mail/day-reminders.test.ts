import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { useMessageOffice } from './message-office.ts'

const service = useService()
const office = useMessageOffice(service)
let server: MailServer

beforeEach(async () => {
  server = await startMailServer()
  await office().send({ reminder: true, reminder_hours: [24, 2] })
})

afterEach(async () => {
  await office().close()
  await server.close()
})

const at = (start: string, end: string, date = '2099-03-04') => ({
  start_at: `${date} ${start}`,
  end_at: `${date} ${end}`,
})

/** Returns the waiting reminders as the time of sending and the number of lessons with each id. */
async function waiting(): Promise<readonly string[]> {
  const rows = await service()
    .db.selectFrom('messages')
    .select(['send_at', 'lessons'])
    .where('tenant_id', '=', office().school.tenantId)
    .where('state', '=', 'waiting')
    .execute()
  return rows
    .map(
      ({ send_at, lessons }) =>
        `${send_at.toISOString().slice(8, 16)} ${lessons.map((one) => one.start_at.slice(11)).join()}`,
    )
    .toSorted()
}

async function reminders(): Promise<readonly string[]> {
  await office().messages()
  return waiting()
}

const path = (id: string) => `/appointments/${id}`

describe('the reminders of a day', () => {
  it('are listed as waiting with the time of sending, one for all its lessons', async () => {
    const [first, second] = [
      await office().lesson(at('09:00', '10:00')),
      await office().lesson(at('11:00', '12:00')),
    ]
    for (const { id } of [first, second])
      expect(await office().messages(`?appointment_id=${id}&state=waiting`)).toMatchObject([
        { kind: 'reminder', send_at: '2099-03-04T06:00:00.000Z' },
        { kind: 'reminder', send_at: '2099-03-03T08:00:00.000Z' },
      ])
  })

  it('name all lessons in one mail, and those after a pause in one of their own', async () => {
    await office().lesson(at('09:00', '10:00'))
    await office().lesson(at('15:00', '16:00'))
    expect(await reminders()).toEqual(['03T08:00 09:00,15:00', '04T06:00 09:00,15:00', '04T12:00 15:00'])
    office().moveClock('2099-03-03T08:00:00Z')
    office().hire(server)
    const [mail] = await server.receives(1)
    expect(mail?.parsed.subject).toContain('Erinnerung an Ihre Termine')
    expect(mail?.parsed.text).toMatch(/09:00–10:00[\s\S]*15:00–16:00/)
  })

  it('follow what is booked, moved, cancelled and restored', async () => {
    const first = await office().lesson(at('09:00', '10:00'))
    const other = await office().lesson(at('15:00', '16:00'))
    await office().messages()
    must(200, await office().school.client.patch(path(other.id), at('10:30', '11:30')))
    expect(await reminders()).toEqual(['03T08:00 09:00,10:30', '04T06:00 09:00,10:30'])
    must(200, await office().school.client.post(`${path(first.id)}/cancel`, { by: 'school' }))
    expect(await reminders()).toEqual(['03T09:30 10:30', '04T07:30 10:30'])
    must(200, await office().school.client.patch(path(other.id), at('08:00', '09:00', '2099-03-05')))
    must(200, await office().school.client.patch(path(first.id), { status: 'planned' }))
    expect(await reminders()).toEqual([
      '03T08:00 09:00',
      '04T06:00 09:00',
      '04T07:00 08:00',
      '05T05:00 08:00',
    ])
  })

  it('that were sent are not repeated when an earlier lesson of the day is added or cancelled', async () => {
    await office().lesson(at('15:00', '16:00'))
    await office().messages()
    await office().moveFar('2099-03-03T14:00:00Z')
    const dispatcher = office().hire(server)
    await server.receives(1)
    await office().settled()
    await dispatcher.stop()
    const early = await office().lesson(at('09:00', '10:00'))
    expect(await reminders()).toEqual(['04T06:00 09:00,15:00', '04T12:00 15:00'])
    must(200, await office().school.client.post(`${path(early.id)}/cancel`, { by: 'school' }))
    expect(await reminders()).toEqual(['04T12:00 15:00'])
  })

  it('are those of each student of a group, beside their own lessons', async () => {
    const other = await office().school.student({ email: 'mia@reader.example', messages_consent: true })
    await office().lesson({
      ...at('18:00', '19:30'),
      student_id: null,
      lesson_type_id: office().school.lessonTypes.THEORY_BASIC,
      seats: 5,
      attendees: [office().student.id, other.id].map((student_id) => ({ student_id })),
    })
    await office().lesson(at('09:00', '10:00'))
    expect(await reminders()).toEqual([
      '03T08:00 09:00,18:00',
      '03T17:00 18:00',
      '04T06:00 09:00,18:00',
      '04T15:00 18:00',
      '04T15:00 18:00',
    ])
  })

  it('change with the settings, and follow consent', async () => {
    await office().lesson(at('09:00', '10:00'))
    await office().lesson(at('15:00', '16:00'))
    await office().messages()
    await office().send({ reminder_hours: [3] })
    expect(await reminders()).toEqual(['04T05:00 09:00,15:00', '04T11:00 15:00'])
    const student = `/students/${office().student.id}`
    must(200, await office().school.client.patch(student, { messages_consent: false }))
    expect(await reminders()).toEqual([])
    must(200, await office().school.client.patch(student, { messages_consent: true }))
    expect(await reminders()).toEqual(['04T05:00 09:00,15:00', '04T11:00 15:00'])
  })
})
