import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { NOW } from '../support/cancellation-office.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row } from '../support/factory.ts'
import { formOf } from '../support/student-browser.ts'
import { BIRTH, useActingStudent } from '../support/use-acting-student.ts'

const service = useService()
const acting = useActingStudent(service)
const TIME = { start_at: '2030-05-09 08:00', end_at: '2030-05-09 09:30' }
const SOON = '2030-05-06T06:10:00.000Z'
const ACCEPT = { act: 'accept' }
const WEEKS_AGO = new Date(NOW.getTime() - 30 * 86_400_000)

let offer: Row

beforeEach(async () => {
  const { client } = acting().office.school
  for (const { id } of (await client.get('/offers')).body) await client.delete(`/offers/${id}`)
  offer = await offered()
})

async function offered(
  students: readonly Row[] = [acting().office.student],
  more: object = {},
): Promise<Row> {
  const { school, instructor } = acting().office
  const student_ids = students.map(({ id }) => id)
  const lesson_type_id = school.lessonTypes.PRACTICE
  const body = { instructor_id: instructor.id, lesson_type_id, student_ids, ...TIME, ...more }
  return must(201, await school.client.post('/offers', body))
}

/** Opens a browser in which the student has passed the verification on the page of an offer. */
async function accepting(one = offer) {
  const browser = await acting().opened()
  expect((await browser.pressOffer(one, { act: 'prove', ...BIRTH })).status).toBe(303)
  return browser
}

const read = async () => (await acting().office.school.client.get(`/offers/${offer.id}`)).body

describe('an offer on the page of its student', () => {
  it('is listed, and booked with the student as actor after the verification', async () => {
    const browser = await acting().opened()
    const list = (await browser.list()).text
    for (const text of ['Fahrstunde frei', '9. Mai 2030', '08:00–09:30', `/offers/${offer.id}?lang=de`])
      expect(list).toContain(text)
    const page = await browser.lookAtOffer(offer)
    expect([page.text.includes('08:00–09:30'), page.text.includes('value="accept"')]).toEqual([true, false])
    await browser.pressOffer(offer, { ...formOf(page, 'prove'), ...BIRTH })
    const form = formOf(await browser.lookAtOffer(offer), 'accept')
    expect((await browser.pressOffer(offer, form)).status).toBe(303)
    expect((await browser.lookAtOffer(offer)).text).toContain('für Sie eingetragen')
    expect((await browser.list()).text).not.toContain('/offers/')
    const { state, taken_by, appointment_id } = await read()
    const { id } = acting().office.student
    expect([state, taken_by]).toEqual(['taken', id])
    const { body } = await acting().office.school.client.get(`/appointments/${appointment_id}/history`)
    expect(body).toMatchObject([{ action: 'created', actor: { kind: 'student', id } }])
  })

  it('is booked once by two concurrent submissions', async () => {
    const browser = await accepting()
    const twice = await Promise.all([browser.pressOffer(offer, ACCEPT), browser.pressOffer(offer, ACCEPT)])
    expect(twice.map(({ status }) => status)).toEqual([303, 303])
    const { body } = await acting().office.school.client.get('/appointments?from=2030-05-09&to=2030-05-09')
    expect(body).toHaveLength(1)
  })

  it('is not accepted without the verification or with another action (S110)', async () => {
    const browser = await accepting()
    const other = browser.forwardedTo(service())
    const page = await other.lookAtOffer(offer)
    expect([page.status, page.text.includes('type="date"')]).toEqual([200, true])
    expect(page.text).not.toContain('value="accept"')
    expect((await other.pressOffer(offer, ACCEPT)).status).toBe(403)
    expect((await browser.pressOffer(offer, { act: 'cancel' })).status).toBe(404)
    expect(await read()).toMatchObject({ state: 'open' })
  })

  it('is shown as taken if another student has accepted it first', async () => {
    const { school, student } = acting().office
    const emma = await school.student({ first_name: 'Emma', ...BIRTH })
    offer = await offered([student, emma])
    const [first, second] = [await accepting(), await acting().opened(emma)]
    expect((await second.pressOffer(offer, { act: 'prove', ...BIRTH })).status).toBe(303)
    await first.pressOffer(offer, ACCEPT)
    for (const page of [await second.pressOffer(offer, ACCEPT), await second.lookAtOffer(offer)])
      expect([page.text.includes('Nicht mehr frei'), page.text.includes('<form')]).toEqual([true, false])
    expect((await second.list()).text).not.toContain('/offers/')
    expect(await read()).toMatchObject({ state: 'taken', taken_by: student.id })
  })

  it('stays open, and returns 409, if the student is busy at that time', async () => {
    const { school, student } = acting().office
    const browser = await accepting()
    const other = await school.instructor()
    const busy = await school.lesson({ instructor_id: other.id, student_id: student.id, ...TIME })
    const { status, text } = await browser.pressOffer(offer, ACCEPT)
    expect([status, text.includes('role="alert"'), text.includes('value="accept"')]).toEqual([
      409,
      true,
      true,
    ])
    expect(await read()).toMatchObject({ state: 'open' })
    await school.client.delete(`/appointments/${busy.id}`)
    expect((await browser.pressOffer(offer, ACCEPT)).status).toBe(303)
  })

  it.each([
    ['withdrawn', async () => acting().office.school.client.delete(`/offers/${offer.id}`)],
    ['closed', async () => acting().office.lessonAt(TIME.start_at)],
    ['expired', async () => service().setClock(new Date(SOON))],
  ])('that is %s is neither listed nor accepted', async (_, end) => {
    offer = await offered(undefined, { expires_at: SOON })
    const browser = await accepting()
    expect((await browser.list()).text).toContain(`/offers/${offer.id}?`)
    await end()
    expect((await browser.list()).text).not.toContain(`/offers/${offer.id}?`)
    const page = await browser.lookAtOffer(offer)
    expect([page.text.includes('Nicht mehr frei'), page.text.includes('<form')]).toEqual([true, false])
    expect((await browser.pressOffer(offer, ACCEPT)).status).toBe(409)
    service().setClock(NOW)
    expect(await read()).toMatchObject({ taken_by: null })
  })

  it('of another student or school returns 404', async () => {
    const { school } = acting().office
    const browser = await accepting()
    const elsewhere = await aSchool(service())
    const theirs = must(
      201,
      await elsewhere.client.post('/offers', {
        instructor_id: (await elsewhere.instructor()).id,
        lesson_type_id: elsewhere.lessonTypes.PRACTICE,
        student_ids: [(await elsewhere.student()).id],
        ...TIME,
      }),
    )
    for (const one of [await offered([await school.student()]), theirs, { id: 'no-id' }]) {
      expect((await browser.lookAtOffer(one)).status).toBe(404)
      expect((await browser.pressOffer(one, ACCEPT)).status).toBe(404)
    }
    expect((await browser.list()).text.match(/\/offers\//g)).toHaveLength(1)
  })

  it('is listed after any number of earlier ones that are closed', async () => {
    const { client, tenantId } = acting().office.school
    await client.delete(`/offers/${offer.id}`)
    const times = Array.from({ length: 21 }, (_, index) => {
      const date = `2030-06-${String(3 + index).padStart(2, '0')}`
      return { start_at: `${date} 10:00`, end_at: `${date} 11:30` }
    })
    for (const time of times) {
      offer = await offered(undefined, { ...time, expires_at: '2030-06-03T06:00:00.000Z' })
      // A student gets at most seven offers within seven days.
      await sql`update offer_links set created_at = ${WEEKS_AGO} where tenant_id = ${tenantId}`.execute(
        service().db,
      )
    }
    must(201, await client.post('/closures', { start_date: '2030-06-03', end_date: '2030-06-22' }))
    const list = (await (await acting().opened()).list()).text
    expect(list.match(/\/offers\/[^?]+/g)).toEqual([`/offers/${offer.id}`])
  })
})
