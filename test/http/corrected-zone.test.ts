import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { readSkippedLessons } from '../../src/db/appointments/skipped-lessons.ts'
import { useService } from '../support/app.ts'
import { aSchool, aUser, type School } from '../support/factory.ts'
import { bearer, loginOf } from '../support/session.ts'

const service = useService()
let school: School

beforeEach(async () => {
  school = await aSchool(service())
})

const correct = (timezone: string, more: object = {}) => school.client.patch('/tenant', { timezone, ...more })
const read = async () => (await school.client.get('/tenant')).body

/** Books a lesson over the hour that London skips and Berlin does not. */
async function lessonAt(start_at = '2099-03-29 01:15', end_at = '2099-03-29 04:00') {
  const { id: instructor_id } = await school.instructor()
  return school.lesson({ instructor_id, start_at, end_at })
}

describe('a correction of the time zone', () => {
  it('keeps all wall-clock times, and moves the place that was the zone’s', async () => {
    const lesson = await lessonAt('2099-03-30 08:00', '2099-03-30 09:30')
    const { status, body } = await correct('Europe/London')
    expect([status, body.timezone, body.latitude, body.longitude]).toEqual([
      200,
      'Europe/London',
      51.51,
      -0.13,
    ])
    expect((await school.client.get(`/appointments/${lesson.id}`)).body).toMatchObject({
      start_at: '2099-03-30 08:00',
      version: 1,
    })
    const vienna = await correct('Europe/Vienna', { latitude: 47, longitude: 15 })
    expect(vienna.body).toMatchObject({ latitude: 47, longitude: 15 })
    expect((await correct('Europe/Berlin')).body).toMatchObject({ latitude: 47, longitude: 15 })
  })

  it('fails with 409 in_use while lessons begin or end in an hour that the new zone skips', async () => {
    const lesson = await lessonAt()
    const { status, body } = await correct('Europe/London')
    const { id: appointment_id, start_at, end_at } = lesson
    expect([status, body.code, body.params]).toEqual([
      409,
      'in_use',
      { appointments: 1, start_at, lessons: [{ appointment_id, start_at, end_at }] },
    ])
    expect(body.detail).toBe(`Appointments stand in the way: 1, the first at ${start_at}.`)
    expect((await read()).timezone).toBe('Europe/Berlin')
    await school.client.delete(`/appointments/${appointment_id}`)
    expect((await correct('Europe/London')).status).toBe(200)
  })

  it('lists at most 20 lessons, and counts all', async () => {
    for (let year = 2077; year < 2099; year += 1) {
      const day = new Date(Date.UTC(year, 2, 31))
      day.setUTCDate(31 - day.getUTCDay())
      const date = day.toISOString().slice(0, 10)
      await lessonAt(`${date} 00:30`, `${date} 01:30`)
    }
    const { body } = await correct('Europe/London')
    expect([body.params.appointments, body.params.lessons.length]).toEqual([22, 20])
  })

  it('leaves past, cancelled and recorded lessons as they are, whatever the clocks skip there', async () => {
    const lessons = [await lessonAt('2020-03-29 00:15', '2020-03-29 01:45'), await lessonAt()]
    const [, coming] = lessons
    const cancelled = await school.client.patch(`/appointments/${coming?.id}`, { status: 'cancelled' })
    expect(cancelled.status).toBe(200)
    expect((await correct('Europe/London')).status).toBe(200)
    for (const { id, start_at, end_at } of lessons)
      expect((await school.client.get(`/appointments/${id}`)).body).toMatchObject({ start_at, end_at })
  })

  it('counts a lesson until it ends by the clocks of the new zone', async () => {
    await lessonAt()
    const countAt = async (now: string) => {
      const asked = { timezone: 'Europe/London', now: new Date(now), limit: 1 }
      return (await readSkippedLessons(service().db, school.tenantId, asked)).appointments
    }
    // London's clocks show 03:59 and 04:00, those of Berlin one hour more.
    expect(await countAt('2099-03-29T02:59:00Z')).toBe(1)
    expect(await countAt('2099-03-29T03:00:00Z')).toBe(0)
  })

  it('does not consider the lessons of other schools', async () => {
    const own = school
    school = await aSchool(service())
    await lessonAt()
    school = own
    expect((await correct('Europe/London')).status).toBe(200)
  })

  const UNKNOWN = 'timezone must be an IANA zone, such as Europe/Berlin.'
  it.each([
    ...['Mars/Olympus', 'berlin', 'Europe/berlin', '+01:00', ''].map((zone) => [zone, UNKNOWN]),
    ['CET', 'timezone must name a place, such as Europe/Berlin: whether CET has summer time is not certain.'],
  ])('refuses %j as a zone with 400', async (zone, detail) => {
    const { status, body } = await correct(zone)
    const [{ pointer, detail: told }] = body.errors
    expect([status, pointer, told]).toEqual([400, '/timezone', detail])
  })

  it('needs a recent proof, but none for the same zone', async () => {
    await sql`update token_families set proved_at = now() - interval '6 minutes' where user_id = ${school.user.id}`.execute(
      service().db,
    )
    const { status, body } = await correct('Europe/Vienna')
    expect([status, body.code]).toEqual([403, 'proof_required'])
    expect((await correct('Europe/Berlin', { name: 'Nord' })).status).toBe(200)
  })

  it('is up to owners', async () => {
    const { client, token } = await loginOf(
      service(),
      await aUser(service(), school.tenantId, { role: 'office' }),
    )
    const answer = await client.patch('/tenant', { timezone: 'Europe/Vienna' }, bearer(token))
    expect(answer.status).toBe(403)
  })

  it('is not taken back by the undo of a set', async () => {
    await correct('Europe/Vienna')
    const [change] = (await school.client.get('/changes?resource=tenant')).body
    const { body } = await school.client.post(`/changes/sets/${change.set_id}/undo`)
    expect(body.refused).toMatchObject([{ resource: 'tenant', code: 'not_undoable' }])
    expect((await read()).timezone).toBe('Europe/Vienna')
  })
})
