import { pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import { useOwnService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { type MailServer, type ReceivedMail, startMailServer } from '../support/mail-server.ts'
import { until } from '../support/process.ts'
import { templateOf } from '../support/trainer.ts'
import { HERE } from '../support/use-outbox.ts'
import { hook, useWebhookDispatchers } from '../webhooks/dispatchers.ts'
import { useMessageOffice } from './message-office.ts'

const service = useOwnService({ webhookAllowedNetworks: HERE })
const office = useMessageOffice(service)
const { receive } = useWebhookDispatchers(service)
const DUE = '2099-03-05T16:00:00Z'
const WEEK = '2099-03-09'
let server: MailServer

beforeEach(async () => {
  server = await startMailServer()
  await office().send({ availability: true })
  await set({
    availability_round: { weekday: 4, time: '17:00' },
    student_actions: { wish: true, proof: 'none' },
  })
  await enrol(office().student.id)
  return async () => {
    await office().close()
    await server.close()
  }
})

async function set(fields: object): Promise<void> {
  must(200, await office().school.client.patch('/tenant', fields))
}

async function enrol(studentId: string): Promise<void> {
  const license_class_template_id = await templateOf(office().school, 'B')
  must(200, await office().school.client.patch(`/students/${studentId}`, { license_class_template_id }))
}

async function round(week = WEEK) {
  return must(200, await office().school.client.get(`/availability-rounds/${week}`)).round
}

/** Lets a process run through everything that is due at a time. */
async function workAt(at: string, hiring = {}): Promise<void> {
  await office().moveFar(at)
  const dispatcher = office().hire(server, hiring)
  await until(async () => (await openRounds(at)) === 0)
  await office().settled()
  await dispatcher.stop()
}

async function openRounds(at: string): Promise<number> {
  const rows = await service()
    .db.selectFrom('availability_rounds')
    .select('id')
    .where('tenant_id', '=', office().school.tenantId)
    .where('finished_at', 'is', null)
    .where('due_at', '<=', new Date(at))
    .execute()
  return rows.length
}

function linkIn(mail: ReceivedMail | undefined): string {
  return /https?:\S+/.exec(mail?.parsed.text ?? '')?.[0] ?? ''
}

const outcomes = async () =>
  (await office().settled()).map(({ kind, state, reason }) => [kind, state, reason])

describe('the weekly question', () => {
  // A round is asked in transactions, of which another process takes the next.
  it('is sent once at its time, and its link takes the answer', { tags: 'embedded' }, async () => {
    await workAt('2099-03-05T15:59:59Z')
    expect(server.received).toEqual([])
    expect(await round()).toMatchObject({ state: 'waiting', due_at: '2099-03-05T16:00:00.000Z', asked: 0 })
    await workAt(DUE)
    const [mail] = await server.receives(1)
    expect(mail?.parsed.subject).toMatch(/Wann haben Sie nächste Woche Zeit\?$/)
    expect(mail?.parsed.text).toContain('in der Woche ab Montag, 9. März 2099')
    expect(await round()).toMatchObject({ state: 'asked', asked: 1, answered: 0 })
    const address = linkIn(mail)
    const page = await fetch(address)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(WEEK)])
    const body = new URLSearchParams({ act: 'week', week: WEEK, answer: 'none' })
    expect((await fetch(address, { method: 'POST', body })).status).toBe(200)
    expect(await round()).toMatchObject({ asked: 1, answered: 1 })
    await workAt('2099-03-06T12:00:00Z')
    expect(await outcomes()).toEqual([['availability', 'sent', null]])
  })

  it('follows every week', async () => {
    await workAt(DUE)
    await workAt('2099-03-12T16:00:00Z')
    expect(server.received.map(({ parsed }) => /ab (.*) Zeit/.exec(parsed.text ?? '')?.[1])).toEqual([
      'Montag, 9. März 2099',
      'Montag, 16. März 2099',
    ])
    expect(await round('2099-03-23')).toMatchObject({ state: 'waiting' })
  })

  // On either database, the processes wait for one another's transactions.
  it('is asked once by several processes', { timeout: 60_000, tags: 'embedded_later' }, async () => {
    const ids = [office().student.id]
    for (let at = 0; at < 60; at += 1) {
      const fields = { email: `asked-${at}@reader.example`, messages_consent: true }
      const { id } = await office().school.student(fields)
      ids.push(id)
      await enrol(id)
    }
    await office().moveFar(DUE)
    for (let at = 0; at < 4; at += 1) office().hire(server)
    await until(async () => (await openRounds(DUE)) === 0)
    expect(await round()).toMatchObject({ state: 'asked', asked: 61 })
    const messages = await office().messages('?limit=200')
    expect(messages.map(({ to }) => to).toSorted()).toEqual(
      [...new Set(messages.map(({ to }) => to))].toSorted(),
    )
    expect(messages).toHaveLength(61)
  })

  it('asks only those who agree, are in training, need lessons or wish for some, and have not answered', async () => {
    const { school, student } = office()
    const asked = async (fields: object, isEnrolled = true) => {
      const one = await school.student({ email: 'other@reader.example', messages_consent: true, ...fields })
      if (isEnrolled) await enrol(one.id)
      return one
    }
    await asked({ messages_consent: false })
    await asked({}, false)
    const answered = await asked({})
    const path = `/students/${answered.id}/availability/${WEEK}`
    must(200, await school.client.put(path, { lessons: 1, windows: null }))
    await asked({ email: null })
    await workAt(DUE)
    expect(await round()).toMatchObject({ asked: 2 })
    expect((await office().messages(`?student_id=${student.id}`)).map(({ state }) => state)).toEqual(['sent'])
    expect(await outcomes()).toContainEqual(['availability', 'dropped', 'no_address'])
  })

  it('is not sent to a student without open requirements, unless there is a wish', async () => {
    const { school } = office()
    const { body: templates } = await school.client.get('/license-class-templates')
    const none = templates.find(({ requirements }: { requirements: unknown[] }) => requirements.length === 0)
    const fields = { messages_consent: true, license_class_template_id: none.id }
    await school.student({ ...fields, email: 'done@reader.example' })
    const wishing = await school.student({ ...fields, email: 'wishing@reader.example' })
    must(201, await school.client.post(`/students/${wishing.id}/wishes`, { minutes: 90 }))
    await workAt(DUE)
    expect(server.received.flatMap(({ recipients }) => recipients).toSorted()).toEqual([
      'lena@reader.example',
      'wishing@reader.example',
    ])
  })

  it.each([
    [
      'the student has answered',
      'answered',
      async () => {
        const path = `/students/${office().student.id}/availability/${WEEK}`
        must(200, await office().school.client.put(path, { lessons: 0, windows: [] }))
      },
    ],
    [
      'the consent is withdrawn',
      'no_consent',
      async () => {
        must(
          200,
          await office().school.client.patch(`/students/${office().student.id}`, { messages_consent: false }),
        )
      },
    ],
    [
      'the training has ended',
      'not_enrolled',
      async () => {
        must(
          200,
          await office().school.client.patch(`/students/${office().student.id}`, {
            license_class_template_id: null,
          }),
        )
      },
    ],
    [
      'the link is ended',
      'withdrawn',
      async () => {
        must(204, await office().school.client.delete(`/students/${office().student.id}/link`))
      },
    ],
    ['students may no longer answer', 'withdrawn', () => set({ student_actions: { wish: false } })],
    ['the kind is switched off', 'switched_off', () => set({ messages: { availability: false } })],
  ])('is dropped if %s before it is sent', async (_, reason, happens) => {
    await set({ messages: { quiet: { from: '16:00', to: '20:00' } } })
    await office().moveFar(DUE)
    const early = office().hire(server)
    await until(async () => (await office().messages()).length === 1)
    await early.stop()
    await happens()
    await workAt('2099-03-05T19:00:00Z')
    expect(await outcomes()).toEqual([['availability', 'dropped', reason]])
    expect(server.received).toEqual([])
  })

  it('waits for the end of the quiet hours, and is dropped if the week begins before', async () => {
    await set({ messages: { quiet: { from: '16:00', to: '20:00' } } })
    await workAt(DUE)
    expect(await office().messages()).toMatchObject([
      { state: 'waiting', send_at: '2099-03-05T19:00:00.000Z' },
    ])
    await set({ messages: { quiet: null } })
    await workAt('2099-03-08T23:00:00Z')
    expect(await outcomes()).toEqual([['availability', 'dropped', 'past']])
  })

  it('of a Sunday evening is sent in the minute before quiet hours that last until Monday', async () => {
    await set({ availability_round: { weekday: 7, time: '20:30' } })
    await set({ messages: { quiet: { from: '20:00', to: '07:00' } } })
    expect((await round('2099-03-02'))?.due_at).toBe('2099-03-01T18:59:00.000Z')
    await workAt('2099-03-01T18:59:00Z')
    expect(await outcomes()).toEqual([['availability', 'sent', null]])
    expect(server.received).toHaveLength(1)
  })

  it('tells the office if quiet hours lasted until its week', async () => {
    await set({ availability_round: { weekday: 7, time: '19:00' } })
    await set({ messages: { quiet: { from: '20:00', to: '07:00' } } })
    await workAt('2099-03-01T19:30:00Z')
    expect(await outcomes()).toEqual([['availability', 'dropped', 'quiet']])
    const { entries } = must(200, await office().school.client.get('/inbox'))
    expect(entries).toMatchObject([
      {
        kind: 'message_undelivered',
        student_id: office().student.id,
        message: { kind: 'availability', reason: 'quiet' },
      },
    ])
  })

  it('is sent less than a day late, and then skipped', async () => {
    await workAt('2099-03-06T15:59:59Z')
    expect(await round()).toMatchObject({ state: 'asked', asked: 1 })
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
    await workAt('2099-03-13T16:00:00Z', { log })
    expect(await round('2099-03-16')).toMatchObject({ state: 'skipped', asked: 0 })
    expect(lines.join()).toContain('availability_round_skipped')
    expect(await round('2099-03-23')).toMatchObject({ state: 'waiting' })
    expect(server.received).toHaveLength(1)
  })

  it('begins with the first time after it is switched on, and never asks twice for a week', async () => {
    await office().moveFar('2099-03-05T16:00:01Z')
    await set({ availability_round: null })
    expect(await round()).toBeNull()
    await set({ availability_round: { weekday: 4, time: '17:00' } })
    expect(await round()).toBeNull()
    expect(await round('2099-03-16')).toMatchObject({ due_at: '2099-03-12T16:00:00.000Z' })
    await set({ availability_round: { weekday: 4, time: '17:01' } })
    await workAt('2099-03-05T16:01:00Z')
    await set({ availability_round: { weekday: 5, time: '09:00' } })
    expect(await round()).toMatchObject({ state: 'asked', asked: 1 })
    expect(await round('2099-03-16')).toMatchObject({ due_at: '2099-03-13T08:00:00.000Z' })
  })

  it('leaves the link that the student has, and both end together', async () => {
    const { school, student } = office()
    const { url } = must(200, await school.client.post(`/students/${student.id}/link`))
    await workAt(DUE)
    const [mail] = await server.receives(1)
    const { client } = office().school
    const secret = linkIn(mail)
    expect(secret.startsWith(String(url))).toBe(false)
    for (const one of [`${url}/weeks`, secret]) expect((await fetch(one)).status).toBe(200)
    must(204, await client.delete(`/students/${student.id}/link`))
    for (const one of [`${url}/weeks`, secret]) expect((await fetch(one)).status).toBe(404)
  })

  it('has another link after a change of JWT_SECRET, and the earlier one ends', async () => {
    await workAt(DUE)
    await workAt('2099-03-12T16:00:00Z', { jwtSecret: 'another secret of at least 32 characters' })
    const [first, second] = (await server.receives(2)).map(linkIn)
    expect(first).not.toBe(second)
    expect([(await fetch(String(first))).status, (await fetch(String(second))).status]).toEqual([404, 200])
  })

  it('reaches a program of the school with its link', async () => {
    const { school, student } = office()
    const program = await receive()
    await hook(school, program.url, { events: ['message.send'] })
    must(
      200,
      await school.client.patch(`/students/${student.id}`, {
        message_channel: 'webhook',
        phone: '+49 30 5550145',
      }),
    )
    await workAt(DUE)
    const { data } = JSON.parse(program.received[0]?.body ?? '')
    expect(data).toMatchObject({ kind: 'availability', text: expect.stringContaining('/weeks') })
  })

  it('gives a link to a student without one, in the name of the system', async () => {
    const { student } = office()
    await workAt(DUE)
    const { school } = office()
    const { body } = await school.client.get(`/changes?resource=student_link`)
    expect(body).toMatchObject([{ actor: { kind: 'system' }, after: { student_id: student.id } }])
    expect((await fetch(linkIn(server.received[0]))).status).toBe(200)
  })

  it('forgets an erased student', async () => {
    await workAt(DUE)
    const { school, student } = office()
    must(204, await school.client.delete(`/students/${student.id}`))
    must(200, await school.client.post(`/students/${student.id}/erasure`, { reason: 'asked' }))
    expect(await round()).toMatchObject({ asked: 0 })
  })
})
