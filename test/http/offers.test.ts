import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { Client, must } from '../support/client.ts'
import { aSchool, type Row } from '../support/factory.ts'
import { anOfferOffice, OFFERED_TIME, type OfferOffice } from '../support/offer-office.ts'

const service = useService()
let office: OfferOffice

beforeEach(async () => {
  office = await anOfferOffice(service())
})

describe('an offer', () => {
  it('is rejected for an unknown student before any rule is checked, and for a repeated student', async () => {
    const { school, instructor, lena, body } = office
    await school.lesson({ instructor_id: instructor.id, ...OFFERED_TIME })
    const codeOf = async (student_ids: readonly unknown[]) =>
      (await school.client.post('/offers', body({ student_ids }))).body.code
    expect(await codeOf([randomUUID()])).toBe('not_found')
    expect(await codeOf([lena.id])).toBe('instructor_busy')
    expect(await codeOf([lena.id, lena.id.toUpperCase()])).toBe('invalid_request')
  })

  it.each([
    ['2098-01-01T00:00:00Z', '2098-01-01T00:00:00.000Z'],
    ['2098-01-01T00:00:00.25Z', '2098-01-01T00:00:00.250Z'],
    ['2098-01-01T00:00:00.000001Z', '2098-01-01T00:00:00.000Z'],
  ])('can expire at %s, with or without fractional seconds', async (expires_at, stored) => {
    expect((await office.offer({ expires_at })).expires_at).toBe(stored)
  })

  it('has a link for each student, and is listed newest first', async () => {
    const { school, lena, emma, offer, read, tokenOf } = office
    const first = await offer()
    expect(first).toMatchObject({
      state: 'open',
      ...OFFERED_TIME,
      expires_at: '2098-01-01T00:00:00.000Z',
      appointment_id: null,
      taken_by: null,
    })
    const ids = (first.links as Row[]).map(({ student_id }) => student_id)
    expect(ids).toEqual([lena.id, emma.id].toSorted())
    const second = await offer({ student_ids: [emma.id], expires_at: null })
    expect(second.expires_at).toBe('2099-03-02T07:00:00.000Z')
    expect(must(200, await school.client.get('/offers'))).toEqual([second, first])
    expect(await read(first)).toEqual(first)
    const { rows } = await sql<{
      text: string
    }>`select row_to_json(offer_links)::text as text from offer_links
      where offer_id = ${first.id}`.execute(service().db)
    for (const { text } of rows) expect(text).not.toContain(tokenOf(first, lena)?.slice(22))
  })

  it('is booked by the first student who accepts; others get 409 offer_gone', async () => {
    const { school, instructor, lena, emma, offer, read, stateOf, accept, answerOf } = office
    const one = await offer()
    const accepted = must(200, await accept(one, lena))
    expect(accepted).toEqual({
      ...OFFERED_TIME,
      lesson_type: 'Übungsfahrt (Grundausbildung)',
      instructor: 'Jonas',
      pickup_place: 'Bahnhof',
    })
    expect(must(200, await accept(one, lena))).toEqual(accepted)
    expect(await answerOf(accept(one, emma))).toEqual([409, 'offer_gone'])
    const taken = await read(one)
    expect(taken).toMatchObject({ state: 'taken', taken_by: lena.id, version: 2 })
    const [lesson] = must(200, await school.client.get(`/appointments?student_id=${lena.id}`))
    expect(lesson).toMatchObject({ id: taken.appointment_id, ...OFFERED_TIME, instructor_id: instructor.id })
    const [booked] = must(200, await school.client.get(`/appointments/${lesson.id}/history`))
    expect(booked.actor).toEqual({ kind: 'student', id: lena.id, name: 'Lena Vogt' })
    const undone = must(200, await school.client.post(`/changes/sets/${booked.set_id}/undo`))
    expect([undone.refused, undone.undone.toSorted()]).toEqual([[], [lesson.id, one.id].toSorted()])
    expect(await stateOf(one)).toBe('open')
    expect((await accept(one, emma)).status).toBe(200)
  })

  it('no longer shows its lesson once the lesson is reassigned to another student', async () => {
    const { school, lena, emma, offer, read, tokenOf, accept, answerOf } = office
    const one = await offer()
    must(200, await accept(one, lena))
    const { appointment_id } = await read(one)
    const given = { student_id: emma.id, pickup_place: 'Emmas Tür' }
    must(200, await school.client.patch(`/appointments/${appointment_id}`, given))
    for (const student of [lena, emma])
      expect(await answerOf(accept(one, student))).toEqual([409, 'offer_gone'])
    const response = await fetch(`${service().url}/o/${tokenOf(one, lena)}?lang=en`)
    const text = await response.text()
    expect(text).toContain('No longer available')
    expect(text).not.toContain('Emmas Tür')
  })

  it('stays open if a student is busy, who gets 409 student_busy', async () => {
    const { school, lena, emma, offer, stateOf, accept } = office
    const one = await offer()
    const other = await school.instructor()
    const lesson = await school.lesson({ instructor_id: other.id, student_id: lena.id, ...OFFERED_TIME })
    const refused = must(409, await accept(one, lena))
    expect([refused.code, refused.params.appointment_id]).toEqual(['student_busy', lesson.id])
    expect(await stateOf(one)).toBe('open')
    expect((await accept(one, emma)).status).toBe(200)
  })

  it('is closed while its time is unavailable, and then open again', async () => {
    const { school, instructor, lena, offer, stateOf, accept, answerOf } = office
    const one = await offer()
    const lesson = await school.lesson({
      instructor_id: instructor.id,
      start_at: '2099-03-02 09:00',
      end_at: '2099-03-02 10:00',
    })
    expect(await stateOf(one)).toBe('closed')
    expect(await answerOf(accept(one, lena))).toEqual([409, 'offer_gone'])
    must(204, await school.client.delete(`/appointments/${lesson.id}`))
    expect(await stateOf(one)).toBe('open')
    must(200, await school.client.patch(`/instructors/${instructor.id}`, { active: false }))
    expect(await stateOf(one)).toBe('closed')
    expect(must(200, await school.client.get('/offers'))).toMatchObject([{ state: 'closed' }])
  })

  it('expires at expires_at', async () => {
    const { lena, offer, stateOf, accept, answerOf } = office
    const one = await offer()
    await sql`update offers set expires_at = now() where id = ${one.id}`.execute(service().db)
    expect(await stateOf(one)).toBe('expired')
    expect(await answerOf(accept(one, lena))).toEqual([409, 'offer_gone'])
  })

  it('is withdrawn only if If-Match has a current tag', async () => {
    const { school, instructor, offer, stateOf } = office
    const one = await offer()
    const path = `/offers/${one.id}`
    const tag = async () => String((await school.client.get(path)).headers.get('etag'))
    const open = await tag()
    expect((await school.client.get(path, { 'if-none-match': open })).status).toBe(304)
    const lesson = await school.lesson({ instructor_id: instructor.id, ...OFFERED_TIME })
    expect((await school.client.get(path, { 'if-none-match': open })).body.state).toBe('closed')
    must(204, await school.client.delete(`/appointments/${lesson.id}`))
    must(204, await school.client.delete(path, { 'if-match': open }))
    expect(await stateOf(one)).toBe('withdrawn')
    expect((await school.client.delete(path, { 'if-match': open })).status).toBe(412)
    must(204, await school.client.delete(path, { 'if-match': await tag() }))
    must(204, await school.client.delete(path, { 'if-match': '"2"' }))
  })

  it('is limited to seven per student in seven days (409 too_many_offers)', async () => {
    const { school, lena, emma, body, offer } = office
    for (let made = 0; made < 7; made += 1) await offer({ student_ids: [lena.id] })
    const refused = must(409, await school.client.post('/offers', body()))
    expect([refused.code, refused.params]).toEqual([
      'too_many_offers',
      { student_id: lena.id, offers: 7, limit_offers: 7 },
    ])
    await offer({ student_ids: [emma.id] })
    const eightDaysAgo = new Date(Date.now() - 8 * 86_400_000)
    await sql`update offer_links set created_at = ${eightDaysAgo} where student_id = ${lena.id}`.execute(
      service().db,
    )
    await offer()
  })

  it('is rejected with invalid fields, in the past, and if the instructor is busy', async () => {
    const { school, instructor, lena, body } = office
    const faults = async (fields: object) =>
      must(400, await school.client.post('/offers', body(fields))).errors.map(({ pointer }: Row) => pointer)
    expect(await faults({ start_at: '2001-03-02 08:00', end_at: '2001-03-02 09:30' })).toEqual(['/start_at'])
    expect(await faults({ expires_at: '2001-03-02T08:00:00.000Z' })).toEqual(['/expires_at'])
    expect(await faults({ end_at: OFFERED_TIME.start_at })).toEqual(['/end_at'])
    expect(await faults({ student_ids: [] })).toEqual(['/student_ids'])
    expect(await faults({ student_ids: [lena.id, lena.id.toUpperCase()] })).toEqual(['/student_ids'])
    await school.lesson({ instructor_id: instructor.id, ...OFFERED_TIME })
    expect(must(409, await school.client.post('/offers', body())).code).toBe('instructor_busy')
  })

  it('gets 404 for people of another school, and is hidden from that school', async () => {
    const { school, lena, emma, body, offer, accept } = office
    const theirs = await aSchool(service())
    const one = await offer()
    const theirPeople = { instructor: await theirs.instructor(), student: await theirs.student() }
    for (const fields of [
      { instructor_id: theirPeople.instructor.id },
      { student_ids: [lena.id, theirPeople.student.id] },
      { lesson_type_id: theirs.lessonTypes.PRACTICE },
    ])
      expect((await school.client.post('/offers', body(fields))).status).toBe(404)
    expect((await theirs.client.get(`/offers/${one.id}`)).status).toBe(404)
    expect((await theirs.client.delete(`/offers/${one.id}`)).status).toBe(404)
    expect(must(200, await theirs.client.get('/offers'))).toEqual([])
    must(204, await school.client.delete(`/students/${emma.id}`))
    expect((await accept(one, emma)).status).toBe(404)
    for (const token of ['x', 'A'.repeat(65)])
      expect((await new Client(service()).post(`/offers/accept/${token}`)).status).toBe(404)
  })

  it('is created once per idempotency key, and a repeat returns the same links', async () => {
    const { school, instructor, lena, body, tokenOf } = office
    const key = { 'idempotency-key': randomUUID() }
    const first = await school.client.post('/offers', body(), key)
    const again = await school.client.post('/offers', body(), key)
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
    expect(again.body).toEqual(first.body)
    expect(must(200, await school.client.get('/offers'))).toHaveLength(1)
    await school.lesson({ instructor_id: instructor.id, ...OFFERED_TIME })
    expect((await school.client.post('/offers', body(), key)).body).toEqual(first.body)
    const { rows } = await sql<{ body: string }>`select body from idempotency_keys
      where tenant_id = ${school.tenantId}`.execute(service().db)
    for (const { body } of rows) expect(body).not.toContain(tokenOf(first.body, lena)?.slice(22))
  })
})
