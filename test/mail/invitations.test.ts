import { sql } from 'kysely'
import ical, { type VEvent } from 'node-ical'
import { convertIcsCalendar } from 'ts-ics'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { type MailServer, type ReceivedMail, startMailServer } from '../support/mail-server.ts'
import { type MimePart, mimeParts, shapeOf } from '../support/mime.ts'
import { plantTwin } from '../support/twin.ts'
import { day, useMessageOffice } from './message-office.ts'

const service = useService()
const office = useMessageOffice(service)
let server: MailServer

beforeEach(async () => {
  server = await startMailServer()
  await office().send({ booked: true, moved: true, cancelled: true, reminder: true })
})

afterEach(async () => {
  await office().close()
  await server.close()
})

let minute = 5

/** Makes the messages due, and returns the mails from the given one on. */
async function mails(count: number): Promise<readonly ReceivedMail[]> {
  minute += 5
  office().moveClock(`2099-03-01T${12 + Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}:00Z`)
  office().hire(server)
  return server.receives(count)
}

beforeEach(() => {
  minute = 5
})

type Read = {
  readonly method: string | undefined
  readonly uid: string
  readonly sequence: number
  readonly start: string
  readonly location: string | undefined
  readonly summary: string
  readonly status: string | undefined
  readonly organizer: string | undefined
  readonly attendees: readonly string[]
}

const textIn = (value: unknown) =>
  value === undefined ? undefined : String((value as { val?: string }).val ?? value)
const mailto = (value: string) => decodeURI(value.replace(/^mailto:/i, ''))

function readByNodeIcal(text: string): Read {
  const calendar = ical.sync.parseICS(text)
  const event = Object.values(calendar).find((one): one is VEvent => one?.type === 'VEVENT')
  if (!event) throw new Error('no event')
  const attendees = [event.attendee ?? []].flat()
  return {
    method: event.method,
    uid: event.uid,
    sequence: Number(event.sequence),
    start: new Date(event.start).toISOString(),
    location: textIn(event.location),
    summary: textIn(event.summary) ?? '',
    status: event.status,
    organizer: event.organizer && mailto(textIn(event.organizer) ?? ''),
    attendees: attendees.map((one) => mailto(textIn(one) ?? '')),
  }
}

function readByTsIcs(text: string): Read {
  const { method, events = [] } = convertIcsCalendar(undefined, text)
  const [event] = events
  if (!event) throw new Error('no event')
  const { uid, sequence = -1, start, location, summary, status, organizer, attendees = [] } = event
  return {
    method,
    uid,
    sequence,
    start: start.date.toISOString(),
    location,
    summary,
    status,
    organizer: organizer && decodeURI(organizer.email),
    attendees: attendees.map(({ email }) => email),
  }
}

function calendarsOf(mail: ReceivedMail | undefined): readonly MimePart[] {
  return mimeParts(mail?.source ?? '').filter(({ type }) => type === 'text/calendar')
}

/** Returns the event of a calendar, which both libraries read alike. */
function eventIn(part: MimePart | undefined): Read {
  const text = part?.text ?? ''
  const read = readByNodeIcal(text)
  expect(readByTsIcs(text)).toEqual(read)
  expect(part?.parameters.method).toBe(read.method)
  return read
}

async function feedEvents(): Promise<readonly VEvent[]> {
  const { url } = must(200, await office().school.client.post(`/students/${office().student.id}/link`))
  const text = await (await fetch(`${url}.ics`)).text()
  return Object.values(ical.sync.parseICS(text)).filter((one): one is VEvent => one?.type === 'VEVENT')
}

describe('a mail about a lesson', () => {
  it('invites to it, moves and cancels it in the calendar, with UID and SEQUENCE of the feed', async () => {
    const { client } = office().school
    must(200, await client.patch('/tenant', { email: 'buero@nord.example', name: 'Fahrschule "Nord", Süd' }))
    const lesson = await office().lesson({ ...day('2099-03-09'), pickup_place: 'Bahnhof, Süd; Gleis 1' })
    const [booked] = await mails(1)
    const invitation = eventIn(calendarsOf(booked)[0])
    const [fed] = await feedEvents()
    expect(invitation).toEqual({
      method: 'REQUEST',
      uid: fed?.uid,
      sequence: Number(fed?.sequence),
      start: '2099-03-09T07:00:00.000Z',
      location: 'Bahnhof, Süd; Gleis 1',
      summary: textIn(fed?.summary),
      status: 'CONFIRMED',
      organizer: 'buero@nord.example',
      attendees: ['lena@reader.example'],
    })
    must(200, await client.patch(`/appointments/${lesson.id}`, day('2099-03-10')))
    const [, moved] = await mails(2)
    const change = eventIn(calendarsOf(moved)[0])
    expect(change).toMatchObject({ method: 'REQUEST', uid: fed?.uid, start: '2099-03-10T07:00:00.000Z' })
    expect(change.sequence).toBeGreaterThan(invitation.sequence)
    must(200, await client.post(`/appointments/${lesson.id}/cancel`, { by: 'school' }))
    const [, , cancelled] = await mails(3)
    const end = eventIn(calendarsOf(cancelled)[0])
    expect(end).toMatchObject({ method: 'CANCEL', uid: fed?.uid, status: 'CANCELLED' })
    expect(end.summary).toMatch(/^Abgesagt: /)
    expect(end.sequence).toBeGreaterThan(change.sequence)
    const [last] = await feedEvents()
    expect([last?.uid, Number(last?.sequence), textIn(last?.summary)]).toEqual([
      end.uid,
      end.sequence,
      end.summary,
    ])
  })

  it('has the calendar as an alternative of the text, and as a file', async () => {
    await office().lesson(day('2099-03-09'))
    const [mail] = await mails(1)
    expect(shapeOf(mail?.source ?? '')).toEqual([
      'multipart/mixed',
      ['multipart/alternative', 'text/plain', 'text/html', 'text/calendar'],
      'application/ics',
    ])
    const parts = mimeParts(mail?.source ?? '')
    const [calendar, file] = ['text/calendar', 'application/ics'].map((type) =>
      parts.find((part) => part.type === type),
    )
    expect(calendar?.parameters).toMatchObject({ charset: 'utf-8', method: 'REQUEST' })
    expect(file?.text).toBe(calendar?.text)
    expect(calendar?.text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
  })

  it('has no organizer if the school has no e-mail address', async () => {
    await office().lesson(day('2099-03-09'))
    const [mail] = await mails(1)
    const event = eventIn(calendarsOf(mail)[0])
    expect([event.organizer, event.attendees]).toEqual([undefined, ['lena@reader.example']])
    expect(calendarsOf(mail)[0]?.text).not.toMatch(/^ORGANIZER/m)
  })

  it('asks nothing: the student takes part', async () => {
    await office().lesson(day('2099-03-09'))
    const text = calendarsOf((await mails(1))[0])[0]?.text.replace(/\r\n /g, '') ?? ''
    expect(text).toMatch(
      /^ATTENDEE;CN=Lena Vogt;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:lena@reader\.example\r$/m,
    )
  })

  it('has the language and the branch of the feed', async () => {
    const { client } = office().school
    const branch = must(201, await client.post('/locations', { name: 'Nord', address: 'Hauptstraße 12' }))
    must(200, await client.patch(`/students/${office().student.id}`, { language: 'tr' }))
    await office().lesson({ ...day('2099-03-09'), location_id: branch.id })
    const event = eventIn(calendarsOf((await mails(1))[0])[0])
    const [fed] = await feedEvents()
    expect([event.location, event.summary]).toEqual(['Hauptstraße 12', textIn(fed?.summary)])
    expect(event.summary).not.toMatch(/fahrt/i)
  })

  it('has nothing of another school with the same ids', async () => {
    const { client, tenantId } = office().school
    const branch = must(201, await client.post('/locations', { name: 'Nord', address: 'Hauptstraße 12' }))
    must(200, await client.patch(`/instructors/${office().instructor.id}`, { location_id: branch.id }))
    const car = must(201, await client.post('/vehicles', { name: 'Golf', kind: 'car', plate: 'B-FS 1' }))
    await office().lesson({ ...day('2099-03-09'), vehicle_ids: [car.id] })
    const { db } = service()
    for (const side of ['00000000', 'ffffffff'] as const) {
      const twin = await plantTwin(service(), tenantId, 'Twin', side)
      for (const statement of [
        sql`delete from message_causes where tenant_id = ${twin}`,
        sql`delete from messages where tenant_id = ${twin}`,
        sql`update appointments set version = 77 where tenant_id = ${twin}`,
        sql`update locations set address = 'Twin' where tenant_id = ${twin}`,
        sql`update vehicles set name = 'Twin' where tenant_id = ${twin}`,
        sql`update instructors set first_name = 'Twin', location_id = null where tenant_id = ${twin}`,
      ])
        await statement.execute(db)
    }
    const part = calendarsOf((await mails(1))[0])[0]
    expect(eventIn(part)).toMatchObject({ sequence: 1, location: 'Hauptstraße 12' })
    expect(part?.text).toMatch(/^DESCRIPTION:mit Jonas\\n\\nGolf \(B-FS 1\)\r$/m)
    expect(part?.text).not.toContain('Twin')
  })

  it('says nothing of the student who has the cancelled lesson now', async () => {
    const lesson = await office().lesson(day('2099-03-09'))
    await mails(1)
    const { id } = await office().school.student()
    const given = { student_id: id, pickup_place: 'Am Hafen 7' }
    must(200, await office().school.client.patch(`/appointments/${lesson.id}`, given))
    const part = calendarsOf((await mails(2))[1])[0]
    expect(part?.text).toMatch(/^METHOD:CANCEL\r$/m)
    expect(part?.text).not.toContain('Hafen')
  })

  it('cancels a deleted lesson too', async () => {
    const lesson = await office().lesson(day('2099-03-09'))
    const first = eventIn(calendarsOf((await mails(1))[0])[0])
    must(204, await office().school.client.delete(`/appointments/${lesson.id}`))
    const end = eventIn(calendarsOf((await mails(2))[1])[0])
    expect(end).toMatchObject({ method: 'CANCEL', uid: first.uid })
    expect(end.sequence).toBeGreaterThan(first.sequence)
  })
})

it('a mail about several lessons has a calendar for each', async () => {
  await office().school.client.post('/appointments/series', {
    appointment: {
      instructor_id: office().instructor.id,
      student_id: office().student.id,
      lesson_type_id: office().school.lessonTypes.PRACTICE,
      ...day('2099-03-09'),
    },
    repeat: { every_weeks: 1, count: 4 },
    on_refusal: 'skip',
  })
  const [mail] = await mails(1)
  expect(shapeOf(mail?.source ?? '')).toEqual([
    'multipart/mixed',
    ['multipart/alternative', 'text/plain', 'text/html'],
    ...Array(4).fill('text/calendar'),
  ])
  const events = calendarsOf(mail).map(eventIn)
  // The clocks change on 29 March.
  expect(events.map(({ start }) => start)).toEqual([
    '2099-03-09T07:00:00.000Z',
    '2099-03-16T07:00:00.000Z',
    '2099-03-23T07:00:00.000Z',
    '2099-03-30T06:00:00.000Z',
  ])
  expect(new Set(events.map(({ uid }) => uid)).size).toBe(4)
  expect(new Set((await feedEvents()).map(({ uid }) => uid))).toEqual(new Set(events.map(({ uid }) => uid)))
})

it('a reminder has no calendar', async () => {
  await office().send({ booked: false, reminder_hours: [24] })
  await office().lesson(day('2099-03-09'))
  await office().messages()
  await office().moveFar('2099-03-08T07:00:30Z')
  office().hire(server)
  const [mail] = await server.receives(1)
  expect(shapeOf(mail?.source ?? '')).toEqual(['multipart/alternative', 'text/plain', 'text/html'])
})
