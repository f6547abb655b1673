import { afterEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { type MailServer, refusal, startMailServer } from '../support/mail-server.ts'
import { until } from '../support/process.ts'
import { day, type Listed, useMessageOffice } from './message-office.ts'

const service = useService()
const office = useMessageOffice(service)
let server: MailServer | undefined

afterEach(async () => {
  await office().close()
  await server?.close()
  server = undefined
})

const textsOf = ({ received }: MailServer) => received.map(({ parsed }) => parsed.text ?? '')

/** Sorts messages by the time from which they may be sent. */
const bySending = (messages: readonly Listed[]) =>
  messages.toSorted((a, b) => a.send_at.localeCompare(b.send_at))

describe('messages', () => {
  it('report bookings, moves and cancellations, with place, instructor and phone', async () => {
    server = await startMailServer()
    await office().send({ booked: true, moved: true, cancelled: true })
    office().hire(server)
    const lesson = await office().lesson({ ...day('2099-03-09'), pickup_place: 'Bahnhof' })
    office().moveClock('2099-03-01T12:05:00Z')
    const [booked] = await server.receives(1)
    expect(booked?.recipients).toEqual(['lena@reader.example'])
    expect(booked?.parsed.subject).toContain('Ihr Termin am Montag, 9. März 2099, 08:00–09:30')
    expect(booked?.parsed.text).toContain('Jonas')
    expect(booked?.parsed.text).toContain('Treffpunkt: Bahnhof')
    expect(booked?.parsed.text).toContain('+49 30 5550100')
    await office().school.client.patch(`/appointments/${lesson.id}`, day('2099-03-10'))
    office().moveClock('2099-03-01T12:10:00Z')
    const [, moved] = await server.receives(2)
    expect(moved?.parsed.text).toContain(
      'Dienstag, 10. März 2099, 08:00–09:30 (bisher Montag, 9. März 2099, 08:00)',
    )
    const act = { by: 'student', charge: true }
    must(200, await office().school.client.post(`/appointments/${lesson.id}/cancel`, act))
    office().moveClock('2099-03-01T12:15:00Z')
    const [, , cancelled] = await server.receives(3)
    expect(cancelled?.parsed.subject).toContain('fällt aus')
    expect(cancelled?.parsed.text).toContain('abgesagt von Ihnen · Gebühr: 100\u00a0% des Preises')
    expect((await office().settled()).map(({ kind, state }) => [kind, state])).toEqual([
      ['booked', 'sent'],
      ['moved', 'sent'],
      ['cancelled', 'sent'],
    ])
  })

  it('are sent once for several moves, and not for a move that was undone', async () => {
    server = await startMailServer()
    await office().send({ moved: true })
    const [first, second] = [
      await office().lesson(day('2099-03-09')),
      await office().lesson(day('2099-03-16')),
    ]
    for (const date of ['2099-03-10', '2099-03-11'])
      await office().school.client.patch(`/appointments/${first.id}`, day(date))
    for (const date of ['2099-03-17', '2099-03-16'])
      await office().school.client.patch(`/appointments/${second.id}`, day(date))
    office().moveClock('2099-03-01T12:05:00Z')
    office().hire(server)
    await office().settled()
    expect(textsOf(server)).toEqual([
      expect.stringContaining('11. März 2099, 08:00–09:30 (bisher Montag, 9. März'),
    ])
  })

  it('about a series are combined into one mail', async () => {
    server = await startMailServer()
    await office().send({ booked: true })
    await office().school.client.post('/appointments/series', {
      appointment: {
        instructor_id: office().instructor.id,
        student_id: office().student.id,
        lesson_type_id: office().school.lessonTypes.PRACTICE,
        ...day('2099-03-09'),
      },
      repeat: { every_weeks: 1, count: 5 },
      on_refusal: 'skip',
    })
    office().moveClock('2099-03-01T12:05:00Z')
    office().hire(server)
    const [mail] = await server.receives(1)
    for (const date of ['9. März', '16. März', '23. März', '30. März', '6. April'])
      expect(mail?.parsed.text).toContain(date)
    await office().settled()
    expect(server.received).toHaveLength(1)
  })

  it('wait until the quiet hours of the school end', async () => {
    server = await startMailServer()
    await office().send({ booked: true, quiet: { from: '13:00', to: '15:30' } })
    await office().lesson(day('2099-03-09'))
    const [{ send_at } = {}] = await office().messages()
    expect(send_at).toBe('2099-03-01T14:30:00.000Z')
    office().moveClock('2099-03-01T14:29:00Z')
    const early = office().hire(server)
    await early.stop()
    expect(server.received).toEqual([])
    office().moveClock('2099-03-01T14:30:00Z')
    office().hire(server)
    await server.receives(1)
  })

  it('wait while the mail server is down, then are sent in order without outdated ones', async () => {
    let isAway = true
    let attempts = 0
    const changed = Promise.withResolvers<void>()
    server = await startMailServer(
      {
        onMailFrom: async (_, __, done) => {
          attempts += 1
          const answer = isAway ? refusal(421, 'away') : null
          // The fourth lasts until the lessons have changed: after the fifth, the next message would be tried first.
          if (attempts === 4) await changed.promise
          done(answer)
        },
      },
      () => undefined,
    )
    await office().send({ booked: true, cancelled: true })
    for (const date of ['2099-03-09', '2099-03-10', '2099-03-11']) {
      await office().lesson(day(date))
      office().tick()
    }
    const stale = await office().lesson(day('2099-03-12'))
    office().tick()
    await office().lesson({ start_at: '2099-03-01 13:30', end_at: '2099-03-01 14:00' })
    office().moveClock('2099-03-01T12:20:00Z')
    office().hire(server)
    await until(async () => attempts > 3)
    await office().send({ cancelled: false })
    await office().school.client.delete(`/appointments/${stale.id}`)
    office().moveClock('2099-03-01T13:20:00Z')
    isAway = false
    changed.resolve()
    await server.receives(3)
    expect(bySending(await office().settled())).toMatchObject([
      { state: 'sent' },
      { state: 'sent' },
      { state: 'sent' },
      { state: 'dropped', reason: 'cancelled' },
      { state: 'dropped', reason: 'past' },
    ])
    expect(textsOf(server).map((text) => /\d+\. März/.exec(text)?.[0])).toEqual([
      '9. März',
      '10. März',
      '11. März',
    ])
  })

  it('fail with the reason if the mail server rejects the recipient', async () => {
    server = await startMailServer({
      onRcptTo: (_, __, done) => done(refusal(550, 'no such mailbox')),
    })
    await office().send({ booked: true })
    await office().lesson(day('2099-03-09'))
    office().moveClock('2099-03-01T12:05:00Z')
    office().hire(server)
    expect(await office().settled()).toMatchObject([
      { state: 'failed', reason: expect.stringContaining('550') },
    ])
  })

  it('remind once of a planned lesson, and not of a deleted one', async () => {
    server = await startMailServer()
    await office().send({ reminder: true, reminder_hours: [24] })
    const at = (hour: number) => ({ start_at: `2099-03-02 ${hour}:00`, end_at: `2099-03-02 ${hour + 1}:00` })
    const [kept, dropped] = [await office().lesson(at(15)), await office().lesson(at(17))]
    await office().messages()
    await office().school.client.delete(`/appointments/${dropped.id}`)
    office().moveClock('2099-03-01T16:30:00Z')
    office().hire(server)
    office().hire(server)
    await server.receives(1)
    expect((await office().settled()).map(({ state }) => state)).toEqual(['sent'])
    expect(await office().messages(`?appointment_id=${kept.id}`)).toHaveLength(1)
    expect(server.received).toHaveLength(1)
  })

  it('are not sent to a student who has withdrawn consent', async () => {
    server = await startMailServer()
    await office().send({ booked: true })
    await office().lesson(day('2099-03-09'))
    await office().messages()
    must(
      200,
      await office().school.client.patch(`/students/${office().student.id}`, { messages_consent: false }),
    )
    office().moveClock('2099-03-01T12:05:00Z')
    office().hire(server)
    expect(await office().settled()).toMatchObject([{ state: 'dropped', reason: 'no_consent' }])
    expect(server.received).toEqual([])
  })
})

it('a message claimed by a dead process is sent by another, unless its lesson was deleted', async () => {
  const arrived = Promise.withResolvers<void>()
  server = await startMailServer({}, async () => {
    arrived.resolve()
    await new Promise(() => undefined)
  })
  await office().send({ booked: true })
  const kept = await office().lesson(day('2099-03-09'))
  office().tick()
  const cancelled = await office().lesson(day('2099-03-10'))
  office().moveClock('2099-03-01T12:05:00Z')
  const dead = office().hire(server)
  await arrived.promise
  await dead.stop()
  await server.close()
  server = await startMailServer()
  await office().school.client.delete(`/appointments/${cancelled.id}`)
  office().moveClock('2099-03-01T12:30:00Z')
  office().hire(server)
  await server.receives(1)
  expect(bySending(await office().settled())).toMatchObject([
    { state: 'sent' },
    { state: 'dropped', reason: 'cancelled' },
  ])
  expect(await office().messages(`?appointment_id=${kept.id}`)).toHaveLength(1)
})

it('a message that the mail server never accepts does not block others of its school', async () => {
  server = await startMailServer({}, ({ parsed }) =>
    parsed.text?.includes('Montag, 9. März') ? new Promise(() => undefined) : undefined,
  )
  await office().send({ booked: true })
  for (const date of ['2099-03-09', '2099-03-10', '2099-03-11']) await office().lesson(day(date))
  office().moveClock('2099-03-01T12:05:00Z')
  office().hire(server, { intervals: { send: 1_000 } })
  const others = () => new Set(server?.received.map(({ parsed }) => parsed.subject))
  await until(async () => others().size === 2)
})
