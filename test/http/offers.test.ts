import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { erase } from '../support/erasure.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { must } from '../support/passkeys.ts'

const service = useService()
let school: School
let instructor: Row
let lena: Row
let emma: Row

const TIME = { start_at: '2099-03-02 08:00', end_at: '2099-03-02 09:30' }

beforeEach(async () => {
  school = await aSchool(service())
  instructor = await school.instructor()
  lena = await school.student({ pickup_place: 'Bahnhof' })
  emma = await school.student({ first_name: 'Emma' })
})

const body = (fields: object = {}) => ({
  instructor_id: instructor.id,
  ...TIME,
  lesson_type_id: school.lessonTypes.PRACTICE,
  student_ids: [lena.id, emma.id],
  expires_at: '2098-01-01T00:00:00.000Z',
  ...fields,
})
const offer = async (fields: object = {}): Promise<Row> =>
  must(201, await school.client.post('/offers', body(fields)))
const read = async ({ id }: Row) => must(200, await school.client.get(`/offers/${id}`))
const stateOf = async (one: Row) => (await read(one)).state
const tokenOf = ({ links }: Row, { id }: Row) =>
  String((links as Row[]).find(({ student_id }) => student_id === id)?.url)
    .split('/o/')
    .at(-1)
const accept = (one: Row, student: Row) =>
  new Client(service()).post(`/offers/accept/${tokenOf(one, student)}`)
const answerOf = async (answer: ReturnType<typeof accept>) => {
  const { status, body } = await answer
  return [status, body.code]
}

const undo = async (written: { readonly headers: Headers }) =>
  must(200, await school.client.post(`/changes/sets/${written.headers.get('x-request-id')}/undo`))

describe('an offer', () => {
  it('has a link for each student, and is listed newest first', async () => {
    const first = await offer()
    expect(first).toMatchObject({
      state: 'open',
      ...TIME,
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

  it('is booked by the first student who accepts; the others learn that it is gone', async () => {
    const one = await offer()
    const accepted = must(200, await accept(one, lena))
    expect(accepted).toEqual({
      ...TIME,
      lesson_type: 'Übungsfahrt (Grundausbildung)',
      instructor: 'Jonas',
      pickup_place: 'Bahnhof',
    })
    expect(must(200, await accept(one, lena))).toEqual(accepted)
    expect(await answerOf(accept(one, emma))).toEqual([409, 'offer_gone'])
    const taken = await read(one)
    expect(taken).toMatchObject({ state: 'taken', taken_by: lena.id, version: 2 })
    const [lesson] = must(200, await school.client.get(`/appointments?student_id=${lena.id}`))
    expect(lesson).toMatchObject({ id: taken.appointment_id, ...TIME, instructor_id: instructor.id })
    const [booked] = must(200, await school.client.get(`/appointments/${lesson.id}/history`))
    expect(booked.actor).toEqual({ kind: 'student', id: lena.id, name: 'Lena Vogt' })
    const undone = must(200, await school.client.post(`/changes/sets/${booked.set_id}/undo`))
    expect([undone.refused, undone.undone.toSorted()]).toEqual([[], [lesson.id, one.id].toSorted()])
    expect(await stateOf(one)).toBe('open')
    expect((await accept(one, emma)).status).toBe(200)
  })

  it('shows its lesson to the student who has it, and to nobody else afterwards', async () => {
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

  it.each([
    ['moved', { start_at: '2099-03-02 14:00', end_at: '2099-03-02 15:30' }],
    ['changed', { notes: 'Brille' }],
  ])('stays taken when its acceptance is undone after the lesson was %s', async (_, change) => {
    const one = await offer()
    const accepted = await accept(one, lena)
    const { appointment_id } = await read(one)
    must(200, await school.client.patch(`/appointments/${appointment_id}`, change))
    const undone = await undo(accepted)
    expect(undone.undone).toEqual([])
    expect(undone.refused.map(({ code }: Row) => code)).toEqual(['changed_since', 'changed_since'])
    expect(await read(one)).toMatchObject({ state: 'taken', appointment_id, taken_by: lena.id })
    expect((await accept(one, lena)).status).toBe(200)
    expect(must(200, await school.client.get(`/appointments?student_id=${lena.id}`))).toHaveLength(1)
  })

  it('is taken again with its lesson when the undo of its acceptance is undone', async () => {
    const one = await offer()
    const accepted = await accept(one, lena)
    const { appointment_id } = await read(one)
    const { set_id } = await undo(accepted)
    const again = must(200, await school.client.post(`/changes/sets/${set_id}/undo`))
    expect([again.refused, again.undone.toSorted()]).toEqual([[], [appointment_id, one.id].toSorted()])
    expect(await read(one)).toMatchObject({ state: 'taken', appointment_id, taken_by: lena.id })
    expect(await accept(one, lena)).toMatchObject({ status: 200, body: accepted.body })
    expect(await answerOf(accept(one, emma))).toEqual([409, 'offer_gone'])
  })

  it('stays open when its lesson does not come back with it', async () => {
    const one = await offer()
    const { set_id } = await undo(await accept(one, lena))
    const lesson = await school.lesson({ instructor_id: instructor.id, ...TIME })
    const again = must(200, await school.client.post(`/changes/sets/${set_id}/undo`))
    expect([again.undone, again.refused.map(({ resource }: Row) => resource)]).toEqual([
      [],
      ['appointment', 'offer'],
    ])
    must(204, await school.client.delete(`/appointments/${lesson.id}`))
    expect(await stateOf(one)).toBe('open')
  })

  it('stays open when a student is busy, who gets the rule', async () => {
    const one = await offer()
    const other = await school.instructor()
    const lesson = await school.lesson({ instructor_id: other.id, student_id: lena.id, ...TIME })
    const refused = must(409, await accept(one, lena))
    expect([refused.code, refused.params.appointment_id]).toEqual(['student_busy', lesson.id])
    expect(await stateOf(one)).toBe('open')
    expect((await accept(one, emma)).status).toBe(200)
  })

  it('closes with its time and opens again with it', async () => {
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

  it('ends at its time', async () => {
    const one = await offer()
    await sql`update offers set expires_at = now() where id = ${one.id}`.execute(service().db)
    expect(await stateOf(one)).toBe('expired')
    expect(await answerOf(accept(one, lena))).toEqual([409, 'offer_gone'])
  })

  it('is withdrawn by the school, and its withdrawal is undone', async () => {
    const one = await offer()
    const withdrawn = await school.client.delete(`/offers/${one.id}`)
    expect(withdrawn.status).toBe(204)
    expect(await stateOf(one)).toBe('withdrawn')
    expect(await answerOf(accept(one, lena))).toEqual([409, 'offer_gone'])
    must(204, await school.client.delete(`/offers/${one.id}`))
    const set = withdrawn.headers.get('x-request-id')
    expect(must(200, await school.client.post(`/changes/sets/${set}/undo`)).undone).toEqual([one.id])
    expect(await stateOf(one)).toBe('open')
  })

  it('ends for a student with the wish that it answers, and for all with the last one', async () => {
    const wishes = `/students/${lena.id}/wishes`
    const { id: wish } = must(201, await school.client.post(wishes, { minutes: 90 }))
    const [both, alone] = [await offer(), await offer({ student_ids: [lena.id] })]
    must(204, await school.client.delete(`${wishes}/${wish}`))
    expect(await stateOf(alone)).toBe('withdrawn')
    expect(await stateOf(both)).toBe('open')
    for (const one of [both, alone]) expect(await answerOf(accept(one, lena))).toEqual([409, 'offer_gone'])
    expect((await accept(both, emma)).status).toBe(200)
  })

  it('ends with the last wish that it fits, and not with a wish for another lesson type', async () => {
    const wishes = `/students/${lena.id}/wishes`
    const wish = async (fields: object) => must(201, await school.client.post(wishes, fields))
    const withdraw = ({ id }: Row) => school.client.delete(`${wishes}/${id}`)
    const motorway = await wish({ minutes: 90, lesson_type_id: school.lessonTypes.MOTORWAY })
    const alone = await offer({ student_ids: [lena.id] })
    must(204, await withdraw(motorway))
    expect(await stateOf(alone)).toBe('open')
    const [long, short] = [await wish({ minutes: 90 }), await wish({ minutes: 45 })]
    const answering = await offer({ student_ids: [lena.id] })
    const withdrawn = await withdraw(long)
    expect(await stateOf(answering)).toBe('open')
    must(204, await withdraw(short))
    expect(await stateOf(answering)).toBe('withdrawn')
    await undo(withdrawn)
    expect(await stateOf(answering)).toBe('open')
  })

  it('names nobody in the log once the student who accepted is erased', async () => {
    const one = await offer()
    must(200, await accept(one, lena))
    const { appointment_id } = await read(one)
    must(204, await school.client.delete(`/students/${lena.id}`))
    await erase(service(), school.tenantId, String(lena.id))
    for (const path of [`/appointments/${appointment_id}/history`, '/changes'])
      expect(JSON.stringify(must(200, await school.client.get(path)))).not.toContain(
        `"actor":{"kind":"student","id":"${lena.id}`,
      )
    expect(must(200, await school.client.get(`/changes?actor_id=${lena.id}`))).toEqual([])
    const history: Row[] = must(200, await school.client.get(`/appointments/${appointment_id}/history`))
    expect(history.map(({ actor }) => actor)).toContainEqual({ kind: 'student', id: null, name: '…' })
  })

  it('waits for nobody when all of its students are deleted', async () => {
    const one = await offer()
    must(204, await school.client.delete(`/students/${emma.id}`))
    expect(await stateOf(one)).toBe('open')
    must(204, await school.client.delete(`/students/${lena.id}`))
    expect(await stateOf(one)).toBe('withdrawn')
    expect(must(200, await school.client.get('/offers'))).toMatchObject([{ state: 'withdrawn' }])
    must(200, await school.client.post(`/students/${lena.id}/restore`))
    expect(await stateOf(one)).toBe('open')
  })

  it('is withdrawn under the tag with which it was read', async () => {
    const one = await offer()
    const path = `/offers/${one.id}`
    const tag = async () => String((await school.client.get(path)).headers.get('etag'))
    const open = await tag()
    expect((await school.client.get(path, { 'if-none-match': open })).status).toBe(304)
    const lesson = await school.lesson({ instructor_id: instructor.id, ...TIME })
    expect((await school.client.get(path, { 'if-none-match': open })).body.state).toBe('closed')
    must(204, await school.client.delete(`/appointments/${lesson.id}`))
    must(204, await school.client.delete(path, { 'if-match': open }))
    expect(await stateOf(one)).toBe('withdrawn')
    expect((await school.client.delete(path, { 'if-match': open })).status).toBe(412)
    must(204, await school.client.delete(path, { 'if-match': await tag() }))
    must(204, await school.client.delete(path, { 'if-match': '"2"' }))
  })

  it('is made to nobody more than seven times in seven days', async () => {
    for (let made = 0; made < 7; made += 1) await offer({ student_ids: [lena.id] })
    const refused = must(409, await school.client.post('/offers', body()))
    expect([refused.code, refused.params]).toEqual([
      'too_many_offers',
      { student_id: lena.id, offers: 7, limit_offers: 7 },
    ])
    await offer({ student_ids: [emma.id] })
    await sql`update offer_links set created_at = created_at - interval '7 days'
      where student_id = ${lena.id}`.execute(service().db)
    await offer()
  })

  it('is refused for a time that nobody could have, in the past, or with faults', async () => {
    const faults = async (fields: object) =>
      must(400, await school.client.post('/offers', body(fields))).errors.map(({ pointer }: Row) => pointer)
    expect(await faults({ start_at: '2001-03-02 08:00', end_at: '2001-03-02 09:30' })).toEqual(['/start_at'])
    expect(await faults({ expires_at: '2001-03-02T08:00:00.000Z' })).toEqual(['/expires_at'])
    expect(await faults({ end_at: TIME.start_at })).toEqual(['/end_at'])
    expect(await faults({ student_ids: [] })).toEqual(['/student_ids'])
    expect(await faults({ student_ids: [lena.id, lena.id.toUpperCase()] })).toEqual(['/student_ids'])
    await school.lesson({ instructor_id: instructor.id, ...TIME })
    expect(must(409, await school.client.post('/offers', body())).code).toBe('instructor_busy')
  })

  it('knows only the people of its school', async () => {
    const theirs = await aSchool(service())
    const one = await offer()
    const strangers = { instructor: await theirs.instructor(), student: await theirs.student() }
    for (const fields of [
      { instructor_id: strangers.instructor.id },
      { student_ids: [lena.id, strangers.student.id] },
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

  it('is made once per key, and a repeat has the links again', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const first = await school.client.post('/offers', body(), key)
    const again = await school.client.post('/offers', body(), key)
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
    expect(again.body).toEqual(first.body)
    expect(must(200, await school.client.get('/offers'))).toHaveLength(1)
    await school.lesson({ instructor_id: instructor.id, ...TIME })
    expect((await school.client.post('/offers', body(), key)).body).toEqual(first.body)
    const { rows } = await sql<{ body: string }>`select body from idempotency_keys
      where tenant_id = ${school.tenantId}`.execute(service().db)
    for (const { body } of rows) expect(body).not.toContain(tokenOf(first.body, lena)?.slice(22))
  })
})

describe('the page of an offer', () => {
  const page = async (method: 'GET' | 'POST', one: Row, student: Row, query = '') => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const response = await fetch(`${service().url}/o/${tokenOf(one, student)}${query}`, {
      method,
      ...(method === 'POST' && { headers, body: '' }),
    })
    return { status: response.status, text: await response.text(), headers: response.headers }
  }

  it('shows the lesson, books it by its button, and says in words that it is gone', async () => {
    const one = await offer()
    const shown = await page('GET', one, lena)
    expect(shown.status).toBe(200)
    for (const text of ['08:00–09:30', 'Jonas', 'Bahnhof', 'Verbindlich zusagen', 'method="post"'])
      expect(shown.text).toContain(text)
    expect(shown.headers.get('content-security-policy')).toContain("form-action 'self'")
    expect((await page('GET', one, lena, '?lang=en')).text).toContain('Accept and book')
    expect(await stateOf(one)).toBe('open')
    const booked = await page('POST', one, lena)
    expect([booked.status, booked.text.includes('für Sie eingetragen')]).toEqual([200, true])
    expect((await page('GET', one, lena)).text).toContain('für Sie eingetragen')
    const late = await page('POST', one, emma, '?lang=en')
    expect([late.status, late.text.includes('No longer available')]).toEqual([409, true])
    expect((await page('GET', one, emma)).text).not.toContain('<form')
    expect((await fetch(`${service().url}/o/nothing`)).status).toBe(404)
  })

  it('says that the student is busy then', async () => {
    const one = await offer()
    const other = await school.instructor()
    await school.lesson({ instructor_id: other.id, student_id: lena.id, ...TIME })
    const { status, text } = await page('POST', one, lena, '?lang=en')
    expect([status, text.includes('You already have a lesson')]).toEqual([409, true])
  })
})
