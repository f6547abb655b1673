import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import type { Row } from '../support/factory.ts'
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

const ALL = { booked: true, moved: true, cancelled: true }
const NIGHT = { quiet: { from: '12:00', to: '20:00' } }

const subjects = () => server.received.map(({ parsed }) => parsed.subject?.replace(/^.*?: /, ''))

const move = async ({ id }: Row, fields: object) =>
  must(200, await office().school.client.patch(`/appointments/${id}`, fields))

const cancel = async ({ id }: Row) =>
  must(200, await office().school.client.post(`/appointments/${id}/cancel`, { by: 'school' }))

/** Books `count` lessons on Mondays from 9 March. */
async function series(count: 3): Promise<readonly [Row, Row, Row]> {
  const { school, instructor, student } = office()
  const appointment = {
    instructor_id: instructor.id,
    student_id: student.id,
    lesson_type_id: school.lessonTypes.PRACTICE,
    ...day('2099-03-09'),
  }
  const body = { appointment, repeat: { every_weeks: 1, count }, on_refusal: 'skip' }
  const { booked } = must(200, await school.client.post('/appointments/series', body)) as unknown as {
    booked: [Row, Row, Row]
  }
  return booked
}

/** Counts messages in the database, because reading them from the service derives others. */
async function droppedOnes(): Promise<number> {
  const { db } = service()
  return (await db.selectFrom('messages').where('state', '=', 'dropped').select('id').execute()).length
}

/** Sends all messages that are due at `at`. Returns kind, state and reason of all, oldest first. */
async function sentAt(at: string) {
  office().moveClock(at)
  const messageDispatcher = office().hire(server)
  const all = await office().settled()
  await messageDispatcher.stop()
  return all.map(({ kind, state, reason }) => [kind, state, reason].filter(Boolean).join(' '))
}

describe('a message about a booking that was changed before it was sent', () => {
  it('shows the new time, even if the school sends no messages about moves', async () => {
    await office().send({ booked: true })
    const lesson = await office().lesson(day('2099-03-09'))
    await office().messages()
    await move(lesson, day('2099-03-10'))
    expect(await sentAt('2099-03-01T12:05:00Z')).toEqual(['booked sent'])
    expect(subjects()).toEqual(['Ihr Termin am Dienstag, 10. März 2099, 08:00–09:30'])
  })

  it('does not mention a time that was never sent', async () => {
    await office().send({ ...ALL, ...NIGHT })
    const lesson = await office().lesson(day('2099-03-09'))
    await office().messages()
    for (const date of ['2099-03-10', '2099-03-25']) {
      await move(lesson, day(date))
      await office().messages()
    }
    expect(await sentAt('2099-03-01T20:00:00Z')).toEqual(['booked sent'])
    expect(server.received[0]?.parsed.text).toContain('25. März')
    expect(server.received[0]?.parsed.text).not.toContain('bisher')
  })

  it('includes the other lessons of the booking, except a cancelled one', async () => {
    await office().send(ALL)
    const booked = await series(3)
    await office().messages()
    await move(booked[0], day('2099-03-10'))
    await cancel(booked[1])
    expect(await sentAt('2099-03-01T12:05:00Z')).toEqual(['booked sent'])
    const [mail] = server.received
    for (const date of ['10. März', '23. März']) expect(mail?.parsed.text).toContain(date)
    expect(mail?.parsed.text).not.toMatch(/9\. März|16\. März/)
  })
})

describe('no message is sent', () => {
  it('about a booking that is deleted right away', async () => {
    await office().send(ALL)
    for (const derives of [true, false]) {
      const lesson = await office().lesson(day('2099-03-09'))
      if (derives) await office().messages()
      must(204, await office().school.client.delete(`/appointments/${lesson.id}`))
      await office().messages()
    }
    expect(await sentAt('2099-03-01T12:05:00Z')).toEqual(['booked dropped cancelled'])
    expect(subjects()).toEqual([])
  })

  it('to the first student if a booking is given to another one right away', async () => {
    await office().send(ALL)
    const other = await office().school.student({ email: 'other@reader.example', messages_consent: true })
    const lesson = await office().lesson(day('2099-03-09'))
    await office().messages()
    await move(lesson, { student_id: other.id })
    await sentAt('2099-03-01T12:05:00Z')
    expect(server.received.map(({ recipients }) => recipients)).toEqual([['other@reader.example']])
    expect(subjects()).toEqual(['Ihr Termin am Montag, 9. März 2099, 08:00–09:30'])
  })

  it('about a booking that is deleted while another message is being sent', async () => {
    const begun = Promise.withResolvers<void>()
    const goesOn = Promise.withResolvers<void>()
    const slow = await startMailServer({}, async () => {
      begun.resolve()
      await goesOn.promise
    })
    await office().send(ALL)
    await office().lesson(day('2099-03-09'))
    office().tick()
    const lesson = await office().lesson(day('2099-03-10'))
    office().moveClock('2099-03-01T12:05:00Z')
    const messageDispatcher = office().hire(slow)
    await begun.promise
    must(204, await office().school.client.delete(`/appointments/${lesson.id}`))
    goesOn.resolve()
    await until(async () => (await droppedOnes()) > 0)
    await messageDispatcher.stop()
    await slow.close()
    expect(await sentAt('2099-03-01T12:15:00Z')).toEqual(['booked sent', 'booked dropped cancelled'])
  })

  it('about a cancellation that is undone right away', async () => {
    await office().send(ALL)
    const lesson = await office().lesson(day('2099-03-09'))
    await sentAt('2099-03-01T12:05:00Z')
    await cancel(lesson)
    await office().messages()
    await move(lesson, { status: 'planned' })
    expect(await sentAt('2099-03-01T12:15:00Z')).toEqual(['booked sent', 'cancelled dropped planned'])
    expect(server.received).toHaveLength(1)
  })

  it('about lessons that are restored unchanged with their student', async () => {
    await office().send(ALL)
    await office().lesson(day('2099-03-09'))
    const moved = await office().lesson(day('2099-03-10'))
    await sentAt('2099-03-01T12:05:00Z')
    await move(moved, day('2099-03-11'))
    await sentAt('2099-03-01T12:10:00Z')
    const path = `/students/${office().student.id}`
    await office().school.client.delete(path)
    await office().messages()
    must(200, await office().school.client.post(`${path}/restore`, {}))
    expect(await sentAt('2099-03-01T12:20:00Z')).toEqual(['booked sent', 'booked sent', 'moved sent'])
  })
})

it('a lesson that is cancelled and planned at another time causes one message, about a move', async () => {
  await office().send(ALL)
  const lesson = await office().lesson(day('2099-03-09'))
  await sentAt('2099-03-01T12:05:00Z')
  await cancel(lesson)
  await office().messages()
  await move(lesson, { status: 'planned', ...day('2099-03-10') })
  expect(await sentAt('2099-03-01T12:15:00Z')).toEqual([
    'booked sent',
    'cancelled dropped planned',
    'moved sent',
  ])
  expect(server.received[1]?.parsed.text).toContain('10. März 2099, 08:00–09:30 (bisher Montag, 9. März')
})

it('a cancellation right after a move names the time that the student knows', async () => {
  await office().send(ALL)
  const lesson = await office().lesson(day('2099-03-09'))
  await sentAt('2099-03-01T12:05:00Z')
  await move(lesson, day('2099-03-10'))
  await office().messages()
  await cancel(lesson)
  await sentAt('2099-03-01T12:15:00Z')
  expect(subjects().slice(1)).toEqual(['Ihr Termin am Montag, 9. März 2099, 08:00–09:30 fällt aus'])
})

it('an immediate cancellation is sent if the school sends no messages about bookings', async () => {
  await office().send({ cancelled: true })
  const lesson = await office().lesson(day('2099-03-09'))
  await cancel(lesson)
  expect(await sentAt('2099-03-01T12:05:00Z')).toEqual(['cancelled sent'])
})

it('a message about several cancelled lessons leaves out one that is restored', async () => {
  await office().send(ALL)
  const { client } = office().school
  const booked = await series(3)
  await sentAt('2099-03-01T12:05:00Z')
  const [change] = must(200, await client.get(`/changes?resource_id=${booked[1].id}`)) as unknown as Row[]
  must(200, await client.post(`/changes/sets/${change?.set_id}/undo`, {}))
  await office().messages()
  must(200, await client.post(`/appointments/${booked[1].id}/restore`))
  expect(await sentAt('2099-03-01T12:15:00Z')).toEqual(['booked sent', 'cancelled sent'])
  const { text } = server.received[1]?.parsed ?? {}
  for (const date of ['9. März', '23. März']) expect(text).toContain(date)
  expect(text).not.toContain('16. März')
})

it("a waiting message shows the student's current address", async () => {
  await office().send({ booked: true, reminder: true, reminder_hours: [24] })
  await office().lesson(day('2099-03-09'))
  const addresses = async () => (await office().messages()).map(({ to }) => to)
  expect(await addresses()).toEqual(['lena@reader.example', 'lena@reader.example'])
  for (const email of [null, 'new@reader.example']) {
    must(200, await office().school.client.patch(`/students/${office().student.id}`, { email }))
    expect(await addresses()).toEqual([email, email])
  }
})
