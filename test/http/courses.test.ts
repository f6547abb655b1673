import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import type { Row } from '../support/factory.ts'
import { aGroupOffice, type GroupOffice, theoryOf } from '../support/group-office.ts'
import { templateOf } from '../support/trainer.ts'

const service = useService()
let office: GroupOffice

afterEach(() => service().setClock(undefined))

beforeEach(async () => {
  office = await aGroupOffice(service())
})

/** Books a course on Tuesdays and Thursdays from Thursday, 3 May 2040. */
const course = (topics: readonly string[], more: object = {}, headers?: Record<string, string>) =>
  office.school.client.post(
    '/appointments/series',
    {
      appointment: {
        instructor_id: office.jonas.id,
        lesson_type_id: theoryOf(office.school),
        start_at: '2040-05-03 18:30',
        end_at: '2040-05-03 20:00',
      },
      repeat: { every_weeks: 1, weekdays: [2, 4] },
      topics,
      on_refusal: 'shift',
      ...more,
    },
    headers,
  )

const TOPICS = ['Thema 1', 'Thema 2', 'Thema 3']
const evenings = (lessons: readonly Row[]) =>
  lessons.map(({ start_at, topic }) => `${String(start_at).slice(5, 10)} ${topic}`)
const all = async () => (await office.school.client.get('/appointments')).body as Row[]

describe('a course', () => {
  it('books one lesson for each topic, in order', async () => {
    const { status, body } = await course(TOPICS)
    expect([status, evenings(body.booked), body.refused]).toEqual([
      200,
      ['05-03 Thema 1', '05-08 Thema 2', '05-10 Thema 3'],
      [],
    ])
    expect(await all()).toEqual(body.booked)
  })

  it('is shifted past holidays, closed days and a busy instructor, with a refusal for each date', async () => {
    const { client } = office.school
    await client.patch('/tenant', { holidays: 'refuse' })
    await client.post('/closures', { start_date: '2040-05-15', end_date: '2040-05-15', note: 'Outing' })
    await office.school.lesson({
      instructor_id: office.jonas.id,
      start_at: '2040-05-08 19:00',
      end_at: '2040-05-08 19:45',
    })
    const { body } = await course(TOPICS)
    // 10 May 2040 is Ascension Day.
    expect(evenings(body.booked)).toEqual(['05-03 Thema 1', '05-17 Thema 2', '05-22 Thema 3'])
    const refused = body.refused.map(({ start_at, refusals, alternatives }: Record<string, Row[]>) => [
      String(start_at).slice(5, 10),
      refusals?.map(({ code }) => code),
      alternatives,
    ])
    expect(refused).toEqual([
      ['05-08', ['instructor_busy'], []],
      ['05-10', ['public_holiday'], []],
      ['05-15', ['school_closed'], []],
    ])
  })

  it('has a dry run that returns the same result and writes nothing', async () => {
    await office.school.client.patch('/tenant', { holidays: 'refuse' })
    const told = (await course(TOPICS, { dry_run: true })).body
    expect(await all()).toEqual([])
    const booked = (await course(TOPICS)).body
    expect([evenings(told.booked), told.refused]).toEqual([evenings(booked.booked), booked.refused])
  })

  it('is undone as one set', async () => {
    const made = await course(TOPICS)
    const { body } = await office.undo(made)
    expect([body.undone.length, body.refused, await all()]).toEqual([3, [], []])
  })

  it('omits a refused topic if on_refusal is skip', async () => {
    await office.school.client.patch('/tenant', { holidays: 'refuse' })
    const { body } = await course(TOPICS, { on_refusal: 'skip' })
    expect(evenings(body.booked)).toEqual(['05-03 Thema 1', '05-08 Thema 2'])
    expect(body.refused).toMatchObject([{ start_at: '2040-05-10 18:30' }])
  })

  it('gives up after 52 shifts, with 53 refused dates', async () => {
    const absences = [{ start_at: '2040-05-08 00:00', end_at: '2042-05-08 00:00' }]
    await office.school.client.patch(`/instructors/${office.jonas.id}`, { absences })
    const { body } = await course(TOPICS)
    expect([evenings(body.booked), body.refused.length]).toEqual([['05-03 Thema 1'], 53])
  })

  it('keeps its dates if the request is repeated with its idempotency key', async () => {
    const { client } = office.school
    const busy = await office.school.lesson({
      instructor_id: office.jonas.id,
      start_at: '2040-05-08 18:30',
      end_at: '2040-05-08 20:00',
    })
    const key = { 'idempotency-key': 'course' }
    const first = (await course(TOPICS, {}, key)).body
    expect(evenings(first.booked)).toEqual(['05-03 Thema 1', '05-10 Thema 2', '05-15 Thema 3'])
    await client.delete(`/appointments/${busy.id}`)
    const again = (await course(TOPICS, {}, key)).body
    expect(evenings(again.booked)).toEqual(evenings(first.booked))
    expect((await all()).length).toBe(3)
  })
})

describe('GET /topics', () => {
  it("returns the country's topics with the school's lesson types", async () => {
    const { client, lessonTypes } = office.school
    const topics: Row[] = (await client.get('/topics')).body
    const basic = topics.filter(({ lesson_type_id }) => lesson_type_id === lessonTypes.THEORY_BASIC)
    expect(basic).toHaveLength(12)
    expect(basic[2]).toEqual({
      lesson_type_id: lessonTypes.THEORY_BASIC,
      license_classes: [],
      topic: 'Thema 3',
      name: 'Rechtliche Rahmenbedingungen',
    })
    const ofB = topics.filter(({ license_classes }) => String(license_classes) === 'B')
    expect(ofB.map(({ topic }) => topic)).toEqual(['Klasse B: Thema 1', 'Klasse B: Thema 2'])
    const codes = topics.map(({ topic }) => topic)
    expect(new Set(codes).size).toBe(codes.length)
  })
})

describe('the topics of a student', () => {
  const topicsOf = async (id: string): Promise<Row[]> =>
    (await office.school.client.get(`/students/${id}/topics`)).body

  const classOf = (topic: string, start: string, more: object = {}) =>
    office.group({
      topic,
      start_at: `${start} 18:30`,
      end_at: `${start} 20:00`,
      attendees: [],
      ...more,
    })

  it('are attended, planned or missing, with the next class that has a free seat', async () => {
    service().setClock(new Date('2040-04-15T08:00:00Z'))
    office = await aGroupOffice(service())
    const { school, idAt, those } = office
    const student = idAt(0)
    const template = await templateOf(school, 'B')
    await school.client.patch(`/students/${student}`, { license_class_template_id: template })
    const had = await classOf('Thema 1', '2040-04-10', { attendees: those(0) })
    await school.client.patch(`/appointments/${had.id}/attendees/${student}`, { attended: true })
    await school.client.patch(`/appointments/${had.id}`, { status: 'completed' })
    const missed = await classOf('Thema 2', '2040-04-12', { attendees: those(0) })
    await school.client.patch(`/appointments/${missed.id}`, { status: 'completed' })
    await classOf('Thema 3', '2040-04-17', { attendees: those(0, 1) })
    await classOf('Thema 2', '2040-04-19', { attendees: those(1), seats: 1 })
    const next = await classOf('Thema 2', '2040-04-24')
    const topics = await topicsOf(student)
    const state = (name: string) => topics.find(({ topic }) => topic === name)
    expect(state('Thema 1')).toMatchObject({ state: 'attended', start_at: '2040-04-10 18:30', next: null })
    expect(state('Thema 3')).toMatchObject({ state: 'planned', start_at: '2040-04-17 18:30', next: null })
    expect(state('Thema 2')).toMatchObject({
      state: 'missing',
      start_at: null,
      next: { appointment_id: next.id, start_at: '2040-04-24 18:30' },
    })
    expect(state('Thema 4')).toMatchObject({ state: 'missing', next: null })
    expect(topics.map(({ topic }) => topic).slice(-2)).toEqual(['Klasse B: Thema 1', 'Klasse B: Thema 2'])
    const listed: Row[] = (await school.client.get('/students?with=topics')).body
    const lackedBy = (id: string) => listed.find((one) => one.id === id)?.missing_topics
    const missing = topics.filter((one) => one.state === 'missing')
    const ofType = (code: string) => ({
      lesson_type_id: school.lessonTypes[code],
      topics: missing
        .filter(({ lesson_type_id }) => lesson_type_id === school.lessonTypes[code])
        .map(({ topic }) => topic),
    })
    expect(lackedBy(student)).toEqual([ofType('THEORY_BASIC'), ofType('THEORY_SPECIFIC')])
    expect(ofType('THEORY_BASIC').topics).toHaveLength(10)
    expect(lackedBy(idAt(1))).toEqual([])
  })

  it('are empty without a licence class and 404 for a deleted student', async () => {
    expect(await topicsOf(office.idAt(0))).toEqual([])
    await office.school.client.delete(`/students/${office.idAt(1)}`)
    const { status } = await office.school.client.get(`/students/${office.idAt(1)}/topics`)
    expect(status).toBe(404)
  })
})
