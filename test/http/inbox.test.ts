import { beforeEach, describe, expect, it } from 'vitest'
import type { InboxEntry } from '../../src/contract/inbox.ts'
import { useService } from '../support/app.ts'
import { NOW, START, step } from '../support/cancellation-office.ts'
import { type Client, must } from '../support/client.ts'
import { aUser, enter, type Row } from '../support/factory.ts'
import { entriesOf, lookAtAll, readInbox } from '../support/read-inbox.ts'
import { formOf } from '../support/student-browser.ts'
import { useActingStudent } from '../support/use-acting-student.ts'

const service = useService()
const acting = useActingStudent(service)

const office = () => acting().office.school.client
const lesson = () => acting().lesson.id
const student = () => acting().office.student.id
const instructor = () => acting().office.instructor.id
const freed = () => ({ instructor_id: instructor(), start_at: START, end_at: '2030-05-08 09:30' })

/** Returns a login of an instructor, by default of the one who teaches the student. */
async function phoneOf(instructor_id = instructor()): Promise<Client> {
  const { tenantId } = acting().office.school
  const user = await aUser(service(), tenantId, { role: 'instructor', instructor_id })
  return (await enter(service(), { tenantId, user })).client
}

beforeEach(() => lookAtAll(office()))

describe('the inbox', () => {
  it('says who cancelled which lesson at what fee, and which time became free', async () => {
    await acting().office.policy(step({ hours: 72 }, 40))
    const browser = await acting().verified()
    await browser.submit(lesson(), 'cancel')
    const { new: fresh, entries } = await readInbox(office())
    expect(fresh).toBe(1)
    expect(entries[0]).toMatchObject({
      kind: 'student_cancelled',
      is_new: true,
      actor: { kind: 'student', id: student() },
      student_id: student(),
      instructor_id: instructor(),
      lesson: { appointment_id: lesson(), ...freed() },
      was: null,
      freed: freed(),
      fee_percent: 40,
    })
  })

  it('names the fee of a cancellation as it is decided now', async () => {
    await acting().office.policy(step({ hours: 72 }, 40))
    const browser = await acting().verified()
    await browser.submit(lesson(), 'cancel')
    const feeNow = async () => (await entriesOf(office(), 'student_cancelled'))[0]?.fee_percent
    must(200, await office().put(`/appointments/${lesson()}/fee`, { charge: false }))
    expect(await feeNow()).toBe(0)
    must(200, await office().patch(`/appointments/${lesson()}`, { status: 'planned' }))
    expect(await feeNow()).toBe(40)
    service().setClock(new Date(NOW.getTime() + 60_000))
    must(200, await acting().office.cancel(lesson(), { by: 'school' }))
    expect(await feeNow()).toBe(40)
  })

  it('no longer names a time as free once another appointment takes it, or once it has begun', async () => {
    const browser = await acting().verified()
    await browser.submit(lesson(), 'cancel')
    const other = await acting().office.school.student()
    const taking = await acting().office.lessonAt('2030-05-08 09:00', { student_id: other.id })
    const freedNow = async () => (await entriesOf(office(), 'student_cancelled'))[0]?.freed
    expect(await freedNow()).toBeNull()
    await office().delete(`/appointments/${taking.id}`)
    expect(await freedNow()).toEqual(freed())
    service().setClock(new Date('2030-05-08T06:00:00Z'))
    const phone = await phoneOf()
    expect((await entriesOf(phone, 'student_cancelled'))[0]?.freed).toBeNull()
  })

  it('says from when to when a student moved a lesson', async () => {
    await acting().allowMoves(true)
    const browser = await acting().verified()
    const times = await browser.submit(lesson(), 'times')
    const start_at = '2030-05-13 10:00'
    expect((await browser.press(lesson(), { ...formOf(times, 'move'), start_at })).status).toBe(303)
    expect((await readInbox(office())).entries[0]).toMatchObject({
      kind: 'student_moved',
      lesson: { appointment_id: lesson(), start_at, end_at: '2030-05-13 11:30' },
      was: freed(),
      freed: freed(),
    })
  })

  it('lists a confirmation, but does not count it', async () => {
    const browser = await acting().verified()
    await browser.submit(lesson(), 'confirm')
    const { new: fresh, entries } = await readInbox(office())
    expect(entries[0]).toMatchObject({ kind: 'student_confirmed', is_new: true, freed: null })
    expect(fresh).toBe(0)
  })

  it('has a wish until it is withdrawn', async () => {
    await acting().allow({ wish: true })
    const browser = await acting().verified()
    await browser.pressWish({
      act: 'wish',
      weekday: '2',
      time_from: '14:00',
      time_to: '18:00',
      minutes: '90',
    })
    const [entry] = (await readInbox(office())).entries
    expect(entry).toMatchObject({
      kind: 'student_wish',
      student_id: student(),
      lesson: null,
      wish: { weekdays: [2], time_from: '14:00', time_to: '18:00', minutes: 90 },
    })
    await office().delete(`/students/${student()}/wishes/${entry?.wish?.id}`)
    expect(await entriesOf(office(), 'student_wish')).toEqual([])
  })

  it('has an accepted offer', async () => {
    const offer = { ...freed(), start_at: '2030-05-20 10:00', end_at: '2030-05-20 11:30' }
    const lesson_type_id = acting().office.school.lessonTypes.PRACTICE
    const made = await office().post('/offers', { ...offer, lesson_type_id, student_ids: [student()] })
    const { url } = (must(201, made).links as { url: string }[])[0] ?? { url: '' }
    const token = url.slice(url.lastIndexOf('/') + 1)
    must(200, await office().post(`/offers/accept/${token}`))
    expect((await readInbox(office())).entries[0]).toMatchObject({
      kind: 'offer_taken',
      actor: { kind: 'student', id: student() },
      lesson: { start_at: offer.start_at },
    })
  })

  it('brings a request to the office, and the decision to the instructor', async () => {
    const phone = await phoneOf()
    const asked = { instructor_id: instructor(), start_date: '2031-08-03', end_date: '2031-08-14' }
    const request = must(201, await phone.post('/schedule-requests', asked)) as Row
    const [entry] = (await readInbox(office())).entries
    expect(entry).toMatchObject({
      kind: 'schedule_request',
      instructor_id: instructor(),
      request: { id: request.id, status: 'open', start_date: '2031-08-03' },
    })
    expect(await entriesOf(phone, 'request_decided')).toEqual([])
    must(200, await office().patch(`/schedule-requests/${request.id}`, { status: 'declined', answer: 'No.' }))
    expect((await entriesOf(office(), 'schedule_request'))[0]?.request).toMatchObject({ status: 'declined' })
    expect(await entriesOf(office(), 'request_decided')).toEqual([])
    const [decided] = await entriesOf(phone, 'request_decided')
    expect(decided).toMatchObject({ request: { id: request.id, status: 'declined', answer: 'No.' } })
    expect(decided?.actor).toMatchObject({ kind: 'user', id: acting().office.school.user.id })
  })

  it('leaves out the reader, lessons that were deleted, and students who were', async () => {
    const asked = { instructor_id: instructor(), start_date: '2031-09-03', end_date: '2031-09-04' }
    must(201, await office().post('/schedule-requests', asked))
    const browser = await acting().verified()
    await browser.submit(lesson(), 'cancel')
    expect((await readInbox(office())).new).toBe(1)
    must(204, await office().delete(`/students/${student()}`))
    expect((await readInbox(office())).new).toBe(0)
    must(200, await office().post(`/students/${student()}/restore`))
    expect((await readInbox(office())).new).toBe(1)
    must(204, await office().delete(`/appointments/${lesson()}`))
    expect((await readInbox(office())).new).toBe(0)
  })
})

describe('the place of a user in the inbox', () => {
  it('moves forward only, for this user alone, and decides what is new', async () => {
    const phone = await phoneOf()
    const browser = await acting().verified()
    await browser.submit(lesson(), 'cancel')
    const [entry] = (await readInbox(office())).entries
    const until = entry?.at ?? ''
    expect((await readInbox(phone)).new).toBeGreaterThan(0)
    const marked = await office().post('/inbox/seen', { until })
    expect([marked.status, marked.body]).toEqual([200, { new: 0, seen_until: until }])
    await office().post('/inbox/seen', { until: '2020-01-01T00:00:00.000Z' })
    const after = await readInbox(office())
    expect([after.new, after.seen_until, after.entries[0]?.is_new]).toEqual([0, until, false])
    const others = await readInbox(phone)
    expect([others.seen_until, others.entries[0]?.is_new]).toEqual([null, true])
  })

  it('keeps the tag of an unchanged inbox, and changes it with the place', async () => {
    const browser = await acting().verified()
    await browser.submit(lesson(), 'cancel')
    const first = await office().get('/inbox')
    const tag = first.headers.get('etag') ?? ''
    expect((await office().get('/inbox', { 'if-none-match': tag })).status).toBe(304)
    await lookAtAll(office())
    expect((await office().get('/inbox', { 'if-none-match': tag })).status).toBe(200)
  })

  it('is refused if it is no time', async () => {
    for (const until of ['yesterday', null, 7])
      expect((await office().post('/inbox/seen', { until })).status).toBe(400)
  })
})

describe('the pages of the inbox', () => {
  it('follow each other without gaps, and have the same count', async () => {
    const browser = await acting().verified()
    await browser.submit(lesson(), 'confirm')
    await browser.submit(lesson(), 'cancel')
    const all = (await readInbox(office())).entries.map(({ id }) => id)
    expect(all.length).toBeGreaterThan(1)
    const ids: string[] = []
    for (let query: string | undefined = '?limit=1'; query; ) {
      const page = await office().get(`/inbox${query}`)
      expect(page.body.new).toBe(1)
      ids.push(...page.body.entries.map(({ id }: InboxEntry) => id))
      query = /<[^?]*(\?[^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    }
    expect(ids).toEqual(all)
    for (const wrong of ['?limit=0', '?limit=201', '?cursor=x', '?kind=x'])
      expect((await office().get(`/inbox${wrong}`)).status, wrong).toBe(400)
  })
})
