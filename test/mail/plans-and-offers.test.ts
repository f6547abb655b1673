import { afterEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { type MailServer, refusal, startMailServer } from '../support/mail-server.ts'
import { until } from '../support/process.ts'
import { day, useMessageOffice } from './message-office.ts'

const service = useService()
const office = useMessageOffice(service)
let server: MailServer | undefined

afterEach(async () => {
  await office().close()
  await server?.close()
  server = undefined
})

describe('messages', () => {
  it('contain the link of an offer, and are dropped if it is withdrawn before they are sent', async () => {
    server = await startMailServer()
    await office().send({ offer: true })
    const offer = async (date: string) =>
      must(
        201,
        await office().school.client.post('/offers', {
          instructor_id: office().instructor.id,
          lesson_type_id: office().school.lessonTypes.PRACTICE,
          ...day(date),
          student_ids: [office().student.id],
          expires_at: '2099-03-02T12:00:00.000Z',
        }),
      )
    const [open, withdrawn] = [await offer('2099-03-09'), await offer('2099-03-10')]
    await office().school.client.delete(`/offers/${withdrawn.id}`)
    office().hire(server)
    const [mail] = await server.receives(1)
    expect(mail?.parsed.text).toContain((open as unknown as { links: { url: string }[] }).links[0]?.url)
    expect(mail?.parsed.text).toContain('Montag, 9. März 2099, 08:00–09:30')
    expect(await office().settled()).toMatchObject([
      { state: 'sent' },
      { state: 'dropped', reason: 'withdrawn' },
    ])
  })

  it('drop an offer that a rule closes or whose wish is withdrawn before it is sent', async () => {
    server = await startMailServer()
    const { school, instructor, student } = office()
    await office().send({ offer: true })
    const offer = async (date: string) =>
      must(
        201,
        await school.client.post('/offers', {
          instructor_id: instructor.id,
          lesson_type_id: school.lessonTypes.PRACTICE,
          ...day(date),
          student_ids: [student.id],
          expires_at: '2099-03-02T12:00:00.000Z',
        }),
      )
    const closed = await offer('2099-03-09')
    const wish = must(201, await school.client.post(`/students/${student.id}/wishes`, { minutes: 90 }))
    const withdrawn = await offer('2099-03-10')
    must(201, await school.client.post('/closures', { start_date: '2099-03-09', end_date: '2099-03-09' }))
    await school.client.delete(`/students/${student.id}/wishes/${wish.id}`)
    const states = [closed, withdrawn].map(
      async ({ id }) => (await school.client.get(`/offers/${id}`)).body.state,
    )
    expect(await Promise.all(states)).toEqual(['closed', 'withdrawn'])
    office().hire(server)
    expect(await office().settled()).toMatchObject([
      { state: 'dropped', reason: 'withdrawn' },
      { state: 'dropped', reason: 'withdrawn' },
    ])
    expect(server.received).toEqual([])
  })

  it('send an instructor the plan of the next day once, in the evening', async () => {
    server = await startMailServer()
    await office().send({ day_plan: true })
    await office().lesson({ ...day('2099-03-02'), pickup_place: 'Bahnhof' })
    office().moveClock('2099-03-01T16:59:00Z')
    const early = office().hire(server)
    await early.stop()
    expect(server.received).toEqual([])
    office().moveClock('2099-03-01T17:00:00Z')
    office().hire(server)
    office().hire(server)
    const [plan] = await server.receives(1)
    expect(plan?.recipients).toEqual(['jonas@reader.example'])
    expect(plan?.parsed.text).toContain('Lena Vogt')
    expect(plan?.parsed.text).toContain('Treffpunkt: Bahnhof')
    expect((await office().settled()).map(({ kind, state }) => [kind, state])).toEqual([['day_plan', 'sent']])
  })
  it('do not retry a day plan if the mail server rejects the recipient', async () => {
    server = await startMailServer({
      onRcptTo: (_, __, done) => done(refusal(550, 'no such mailbox')),
    })
    await office().send({ day_plan: true })
    await office().lesson(day('2099-03-02'))
    office().moveClock('2099-03-01T17:00:00Z')
    office().hire(server)
    await until(async () => (await office().messages('?state=failed')).length > 0)
    await office().close()
    await office().hire(server).stop()
    expect(await office().messages()).toMatchObject([{ kind: 'day_plan', state: 'failed' }])
  })
  it('are not created for the plan of a day that has begun', async () => {
    server = await startMailServer()
    await office().send({ day_plan: true })
    await office().lesson({ start_at: '2099-03-01 20:00', end_at: '2099-03-01 21:00' })
    for (const at of ['2099-03-01T12:00:00Z', '2099-03-01T17:05:00Z']) {
      office().moveClock(at)
      await office().hire(server).stop()
    }
    expect(await office().messages()).toEqual([])
  })
})
