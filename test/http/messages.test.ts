import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
let school: School
let instructor: Row
let student: Row

beforeEach(async () => {
  school = await aSchool(service())
  instructor = await school.instructor()
  student = await school.student({ email: 'lena@reader.example', messages_consent: true })
})

const OFF = {
  booked: false,
  moved: false,
  cancelled: false,
  reminder: false,
  offer: false,
  link: false,
  day_plan: false,
  availability: false,
  student_actions: 'both',
  reminder_hours: [24, 2],
  quiet: null,
}

const send = async (messages: object) => must(200, await school.client.patch('/tenant', { messages }))

const aLesson = (fields: object = {}) =>
  school.lesson({
    instructor_id: instructor.id,
    student_id: student.id,
    start_at: '2099-03-02 08:00',
    end_at: '2099-03-02 09:30',
    ...fields,
  })

type Listed = { kind: string; state: string; reason: string | null; to: string | null; send_at: string }

async function messages(query = ''): Promise<Listed[]> {
  return must(200, await school.client.get(`/messages${query}`)) as unknown as Listed[]
}

const kindsOf = (all: readonly Listed[]) => all.map(({ kind, state, reason }) => [kind, state, reason])

describe('the message settings', () => {
  it('are all off by default, and can be changed one by one', async () => {
    expect(must(200, await school.client.get('/tenant')).messages).toEqual(OFF)
    const quiet = { from: '21:00', to: '07:00' }
    expect((await send({ booked: true })).messages).toEqual({ ...OFF, booked: true })
    expect((await send({ quiet, reminder_hours: [48] })).messages).toEqual({
      ...OFF,
      booked: true,
      quiet,
      reminder_hours: [48],
    })
    for (const bad of [
      { booked: 1 },
      { reminder_hours: [0] },
      { reminder_hours: [24, 24] },
      { quiet: { from: '25:00', to: '07:00' } },
      { sms: true },
    ])
      expect((await school.client.patch('/tenant', { messages: bad })).status, JSON.stringify(bad)).toBe(400)
  })

  it('create no messages while they are off', async () => {
    await aLesson()
    expect(await messages()).toEqual([])
  })

  it('include the time of the weekly question, which must be a weekday and a time of day', async () => {
    const set = (availability_round: unknown) => school.client.patch('/tenant', { availability_round })
    for (const bad of [
      { weekday: 0, time: '17:00' },
      { weekday: 8, time: '17:00' },
      { weekday: 4 },
      { weekday: 4, time: '24:00' },
    ])
      expect((await set(bad)).status).toBe(400)
    const round = { time: '00:00', weekday: 7 }
    expect(must(200, await set(round)).availability_round).toEqual(round)
    expect(must(200, await set(null)).availability_round).toBeNull()
    expect((await school.client.get('/availability-rounds/2099-03-03')).status).toBe(400)
  })
})

describe('a message', () => {
  it('follows its lesson while it waits, and is dropped once the lesson is cancelled', async () => {
    await send({ booked: true, moved: true, cancelled: true })
    const lesson = await aLesson()
    const [booked, ...none] = await messages(`?appointment_id=${lesson.id}`)
    expect(none).toEqual([])
    expect(booked).toEqual({
      id: expect.any(String),
      kind: 'booked',
      to: 'lena@reader.example',
      channel: 'mail',
      state: 'waiting',
      reason: null,
      send_at: expect.stringMatching(/Z$/),
      sent_at: null,
    })
    await school.client.patch(`/appointments/${lesson.id}`, {
      start_at: '2099-03-02 10:00',
      end_at: '2099-03-02 11:30',
    })
    expect(kindsOf(await messages(`?appointment_id=${lesson.id}`))).toEqual([['booked', 'waiting', null]])
    must(200, await school.client.post(`/appointments/${lesson.id}/cancel`, { by: 'school' }))
    expect(kindsOf(await messages(`?student_id=${student.id}`))).toEqual([['booked', 'dropped', 'cancelled']])
    expect(await messages('?state=waiting')).toEqual([])
  })

  it('matches the latest state of the lesson after several changes', async () => {
    const lesson = await aLesson()
    await send({ booked: true, moved: true, cancelled: true })
    await school.client.patch(`/appointments/${lesson.id}`, { notes: 'Bring glasses' })
    await school.client.patch(`/appointments/${lesson.id}`, {
      start_at: '2099-03-02 10:00',
      end_at: '2099-03-02 11:30',
    })
    expect(kindsOf(await messages())).toEqual([['moved', 'waiting', null]])
    await school.client.delete(`/appointments/${lesson.id}`)
    expect(kindsOf(await messages())).toEqual([
      ['cancelled', 'waiting', null],
      ['moved', 'dropped', 'cancelled'],
    ])
  })

  it('is created only for students who consent, and is a call for one without an address', async () => {
    await send({ booked: true })
    const silent = await school.student({ email: 'silent@reader.example' })
    const unreachable = await school.student({ messages_consent: true })
    await aLesson({ student_id: silent.id })
    await aLesson({ student_id: unreachable.id, start_at: '2099-03-03 08:00', end_at: '2099-03-03 09:00' })
    expect(await messages(`?student_id=${silent.id}`)).toEqual([])
    expect(await messages(`?student_id=${unreachable.id}`)).toMatchObject([
      { kind: 'booked', channel: 'call', state: 'waiting', to: null },
    ])
  })

  it('covers all 5 lessons of a series', async () => {
    await send({ booked: true })
    const { booked } = must(
      200,
      await school.client.post('/appointments/series', {
        appointment: {
          instructor_id: instructor.id,
          student_id: student.id,
          lesson_type_id: school.lessonTypes.PRACTICE,
          start_at: '2099-03-02 08:00',
          end_at: '2099-03-02 09:30',
        },
        repeat: { every_weeks: 1, count: 5 },
        on_refusal: 'skip',
      }),
    ) as unknown as { booked: Row[] }
    expect(booked).toHaveLength(5)
    for (const { id } of booked) expect(await messages(`?appointment_id=${id}`)).toHaveLength(1)
    expect(await messages()).toHaveLength(1)
  })

  it('is created for each student of a group, and for one who is removed from it', async () => {
    await send({ booked: true })
    const other = await school.student({ email: 'other@reader.example', messages_consent: true })
    const group = await school.lesson({
      instructor_id: instructor.id,
      lesson_type_id:
        school.lessonTypes.THEORY_BASIC ??
        Object.entries(school.lessonTypes).find(([code]) => code.includes('THEORY'))?.[1],
      attendees: [{ student_id: student.id }, { student_id: other.id }],
      start_at: '2099-03-02 18:00',
      end_at: '2099-03-02 19:30',
    })
    expect(kindsOf(await messages(`?student_id=${other.id}`))).toEqual([['booked', 'waiting', null]])
    await send({ booked: false, cancelled: true })
    await school.client.delete(`/appointments/${group.id}/attendees/${other.id}`)
    expect((await messages(`?student_id=${other.id}`)).map(({ kind }) => kind)).toEqual([
      'cancelled',
      'booked',
    ])
    expect((await messages(`?student_id=${student.id}`)).map(({ kind }) => kind)).toEqual(['booked'])
  })

  it('about a new link waits until the quiet hours end, and is dropped if the link is deleted', async () => {
    const now = new Date('2099-03-01T12:00:00Z')
    service().setClock(now)
    school = await aSchool(service())
    student = await school.student({ email: 'lena@reader.example', messages_consent: true })
    await send({ link: true, quiet: { from: '12:00', to: '20:00' } })
    must(200, await school.client.post(`/students/${student.id}/link`))
    expect(await messages()).toMatchObject([
      { kind: 'link', state: 'waiting', reason: null, send_at: '2099-03-01T19:00:00.000Z' },
    ])
    await school.client.delete(`/students/${student.id}/link`)
    expect(kindsOf(await messages())).toEqual([['link', 'dropped', 'withdrawn']])
    service().setClock(undefined)
  })
})

describe('reminders', () => {
  it('are created only if they are due after reminders are switched on', async () => {
    const now = new Date('2099-03-01T12:00:00Z')
    service().setClock(now)
    school = await aSchool(service())
    instructor = await school.instructor()
    student = await school.student({ email: 'lena@reader.example', messages_consent: true })
    await aLesson({ start_at: '2099-03-02 08:00', end_at: '2099-03-02 09:00' })
    await aLesson({ start_at: '2099-03-05 08:00', end_at: '2099-03-05 09:00' })
    expect(await messages()).toEqual([])
    await send({ reminder: true, quiet: { from: '21:00', to: '06:30' } })
    expect((await messages()).map(({ kind, send_at }) => [kind, send_at]).toSorted()).toEqual([
      ['reminder', '2099-03-02T05:30:00.000Z'],
      ['reminder', '2099-03-04T07:00:00.000Z'],
      ['reminder', '2099-03-05T05:30:00.000Z'],
    ])
    service().setClock(undefined)
  })

  it('follow a moved lesson, later consent and an address added later', async () => {
    await send({ reminder: true, reminder_hours: [24] })
    const late = await school.student()
    const lesson = await aLesson({ student_id: late.id })
    expect(await messages()).toEqual([])
    must(200, await school.client.patch(`/students/${late.id}`, { messages_consent: true }))
    expect(kindsOf(await messages())).toEqual([['reminder', 'dropped', 'no_address']])
    must(200, await school.client.patch(`/students/${late.id}`, { email: 'late@reader.example' }))
    expect(kindsOf(await messages('?state=waiting'))).toEqual([['reminder', 'waiting', null]])
    await school.client.patch(`/appointments/${lesson.id}`, {
      start_at: '2099-03-03 10:00',
      end_at: '2099-03-03 11:00',
    })
    const waiting = await messages('?state=waiting')
    expect(waiting.map(({ send_at }) => send_at)).toEqual(['2099-03-02T09:00:00.000Z'])
  })
})

it('other schools see no messages', async () => {
  await send({ booked: true })
  const lesson = await aLesson()
  await messages()
  const other = await aSchool(service())
  for (const query of ['', `?appointment_id=${lesson.id}`, `?student_id=${student.id}`])
    expect(must(200, await other.client.get(`/messages${query}`))).toEqual([])
})

it('an offer creates messages only for students who consent', async () => {
  await send({ offer: true })
  const silent = await school.student({ email: 'silent@reader.example' })
  must(
    201,
    await school.client.post('/offers', {
      instructor_id: instructor.id,
      lesson_type_id: school.lessonTypes.PRACTICE,
      start_at: '2099-03-02 08:00',
      end_at: '2099-03-02 09:30',
      student_ids: [student.id, silent.id],
      expires_at: '2099-03-01T12:00:00.000Z',
    }),
  )
  expect(kindsOf(await messages())).toEqual([['offer', 'waiting', null]])
})
