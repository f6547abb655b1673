import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool, type School } from '../support/factory.ts'
import { aSeriesOffice, MONDAY, type SeriesOffice } from '../support/series-office.ts'

const service = useService()
let office: SeriesOffice
let school: School

beforeEach(async () => {
  office = await aSeriesOffice(service())
  school = office.school
})

type Fields = Readonly<Record<string, unknown>>

describe('the lessons of a series', () => {
  it('are listed by series_id, and an unknown or foreign id returns an empty list', async () => {
    const { body } = await office.series({ every_weeks: 1, count: 3 })
    await school.lesson({
      instructor_id: office.instructor,
      start_at: '2099-03-03 08:00',
      end_at: '2099-03-03 09:00',
    })
    const listOf = async (of: School, query: string) => (await of.client.get(`/appointments?${query}`)).body
    expect(await listOf(school, `series_id=${body.series_id}`)).toEqual(body.booked)
    expect(await listOf(school, `series_id=${body.series_id}&from=2099-03-09&limit=1`)).toEqual([
      body.booked[1],
    ])
    expect(await listOf(school, `series_id=${randomUUID()}`)).toEqual([])
    expect(await listOf(await aSchool(service()), `series_id=${body.series_id}`)).toEqual([])
    expect((await school.client.get('/appointments?series_id=5')).status).toBe(400)
  })

  it('are cancelled from a date on if still planned, as one set of changes', async () => {
    const { series_id, booked } = (await office.series({ every_weeks: 1, count: 5 })).body
    await school.client.patch(`/appointments/${booked[2].id}`, { status: 'completed' })
    await school.client.delete(`/appointments/${booked[3].id}`)
    const path = `/appointments/series/${series_id}/cancel`
    const answer = await school.client.post(path, { from: '2099-03-09' })
    const expected = [booked[1], booked[4]].map((one) => ({
      ...one,
      status: 'cancelled',
      cancellation: expect.objectContaining({ by: 'school', fee_percent: 0 }),
      version: 2,
      updated_at: expect.any(String),
    }))
    expect([answer.status, answer.body]).toEqual([200, expected])
    const kept = await office.all()
    expect(kept.map(({ status }: Fields) => status)).toEqual([
      'planned',
      'cancelled',
      'completed',
      'cancelled',
    ])
    const changes = (await school.client.get('/changes?resource=appointment&limit=2')).body
    const told = { set_id: answer.headers.get('x-request-id'), action: 'changed' }
    const values = { before: { status: 'planned', version: 1 }, after: { status: 'cancelled', version: 2 } }
    expect(changes).toMatchObject([
      { ...told, ...values },
      { ...told, ...values },
    ])
    expect((await school.client.post(path, { from: '2099-03-09' })).body).toEqual([])
  })

  it('cannot be cancelled by other schools, with an unknown id, or once deleted (404)', async () => {
    const { series_id, booked } = (await office.series({ every_weeks: 1, count: 2 })).body
    const other = await aSchool(service())
    const cancel = (of: School, id: string) =>
      of.client.post(`/appointments/series/${id}/cancel`, { from: MONDAY })
    expect((await cancel(other, series_id)).status).toBe(404)
    expect((await cancel(school, randomUUID())).status).toBe(404)
    expect((await cancel(school, 'x')).status).toBe(404)
    expect((await cancel(school, booked[0].id)).status).toBe(404)
    expect(await office.all()).toEqual(booked)
    for (const { id } of booked) await school.client.delete(`/appointments/${id}`)
    expect((await cancel(school, series_id)).status).toBe(404)
  })
})
