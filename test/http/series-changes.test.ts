import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { aSeriesOffice, MONDAY, type SeriesOffice } from '../support/series-office.ts'

const service = useService()
let office: SeriesOffice
let school: School
let series_id: string
let lessons: Row[]

beforeEach(async () => {
  office = await aSeriesOffice(service())
  school = office.school
  const { body } = await office.series({ every_weeks: 1, count: 4 })
  series_id = body.series_id
  lessons = body.booked
})

const change = (fields: object, more: object = {}, headers = {}) =>
  school.client.post(
    `/appointments/series/${series_id}/change`,
    { from: '2099-03-09', change: fields, on_refusal: 'skip', ...more },
    headers,
  )
const idOf = (at: number) => lessons[at]?.id
const starts = async () => (await office.all()).map(({ start_at }: Row) => start_at)
/** Books a lesson of the same instructor. */
const inTheWay = (start_at: string, end_at: string) =>
  school.lesson({ instructor_id: office.instructor, start_at, end_at })

describe('POST /appointments/series/{id}/change', () => {
  it('moves the planned lessons from a day on as one set, which one undo takes back', async () => {
    await school.client.patch(`/appointments/${idOf(2)}`, { status: 'completed' })
    const { status, body, text } = await change({
      shift_days: 1,
      start_time: '10:00',
      minutes: 60,
      title: 'B',
    })
    expect(status, text).toBe(200)
    expect(body.refused).toEqual([])
    expect(body.changed).toMatchObject([
      { id: idOf(1), start_at: '2099-03-10 10:00', end_at: '2099-03-10 11:00', title: 'B', version: 2 },
      { id: idOf(3), start_at: '2099-03-24 10:00', end_at: '2099-03-24 11:00', title: 'B', version: 2 },
    ])
    expect(await starts()).toEqual([
      `${MONDAY} 08:00`,
      '2099-03-10 10:00',
      '2099-03-16 08:00',
      '2099-03-24 10:00',
    ])
    const undone = await school.client.post(`/changes/sets/${body.set_id}/undo`)
    expect([undone.body.refused, undone.body.undone.length]).toEqual([[], 2])
    expect(await starts()).toEqual(lessons.map(({ start_at }) => start_at))
  })

  it('checks the lessons together: one may take the time that another leaves', async () => {
    const daily = (
      await office.series(
        { every_days: 1, count: 3 },
        { appointment: office.lesson({ start_at: `${MONDAY} 12:00`, end_at: `${MONDAY} 13:00` }) },
      )
    ).body
    series_id = daily.series_id
    for (const on_refusal of ['nothing', 'skip'])
      expect((await change({ shift_days: 1 }, { from: MONDAY, on_refusal })).body).toMatchObject({
        changed: [{}, {}, {}],
        refused: [],
      })
  })

  it('leaves refused lessons where they are, with the nearest free times', async () => {
    const other = await inTheWay('2099-03-16 10:00', '2099-03-16 11:00')
    const { body } = await change({ start_time: '10:00' })
    expect(body.changed.map(({ id }: Row) => id)).toEqual([idOf(1), idOf(3)])
    expect(body.refused).toMatchObject([
      {
        appointment_id: idOf(2),
        refusals: [{ code: 'instructor_busy', params: { appointment_id: other.id } }],
      },
    ])
    expect(body.refused[0].alternatives).toHaveLength(3)
    expect((await starts())[2]).toBe('2099-03-16 08:00')
  })

  it('keeps a lesson whose new time another that stays has', async () => {
    const daily = (
      await office.series(
        { every_days: 1, count: 2 },
        { appointment: office.lesson({ start_at: '2099-03-04 08:00', end_at: '2099-03-04 09:00' }) },
      )
    ).body
    series_id = daily.series_id
    const [first, second] = daily.booked
    await inTheWay('2099-03-06 08:30', '2099-03-06 09:30')
    const { body } = await change({ shift_days: 1 }, { from: MONDAY })
    expect(body.changed).toEqual([])
    expect(body.refused.map(({ appointment_id }: Row) => appointment_id)).toEqual([first.id, second.id])
    expect(body.refused[0].refusals[0].params.appointment_id).toBe(second.id)
  })

  it('changes nothing after the first refusal with `stop`, and nothing at all with `nothing`', async () => {
    await inTheWay('2099-03-16 10:00', '2099-03-16 11:00')
    const refused = await change({ start_time: '10:00' }, { on_refusal: 'nothing' })
    expect([refused.status, refused.body.code, refused.body.params.series_appointment_id]).toEqual([
      409,
      'instructor_busy',
      idOf(2),
    ])
    expect((await starts())[1]).toBe('2099-03-09 08:00')
    const { body } = await change({ start_time: '10:00' }, { on_refusal: 'stop' })
    expect(body.changed.map(({ id }: Row) => id)).toEqual([idOf(1)])
    expect(body.refused.map(({ appointment_id }: Row) => appointment_id)).toEqual([idOf(2)])
    expect((await starts()).at(-1)).toBe('2099-03-23 08:00')
  })

  it('writes nothing in a dry run, and the same once with a key', async () => {
    const before = await office.all()
    const fields = { shift_days: 2, pickup_place: 'Bahnhof' }
    const dry = await change(fields, { dry_run: true })
    expect(await office.all()).toEqual(before)
    const headers = { 'idempotency-key': randomUUID() }
    const answers = [await change(fields, {}, headers), await change(fields, {}, headers)]
    const places = ({ body }: (typeof answers)[number]) =>
      body.changed.map(({ id, start_at, pickup_place }: Row) => [id, start_at, pickup_place])
    expect(places(answers[0] as never)).toEqual(places(dry))
    expect(answers[1]?.body).toEqual(answers[0]?.body)
    expect((await starts())[1]).toBe('2099-03-11 08:00')
  })

  it('gives the lessons to another instructor with their usual vehicles', async () => {
    const cars = []
    for (const name of ['Golf', 'Polo'])
      cars.push(
        (await school.client.post('/vehicles', { name, kind: 'car', license_classes: [], plate: null })).body
          .id,
      )
    await school.client.patch(`/instructors/${office.instructor}`, { usual_vehicle_id: cars[0] })
    const other = await school.instructor({ usual_vehicle_id: cars[1] })
    await change({ vehicle_ids: [cars[0]] })
    const { body } = await change({ instructor_id: other.id })
    expect(body.changed).toMatchObject(Array(3).fill({ instructor_id: other.id, vehicle_ids: [cars[1]] }))
  })

  it('rejects an empty change, other values and unknown ids', async () => {
    const pointers = async (fields: object, more: object = {}) =>
      (await change(fields, more)).body.errors?.map(({ pointer }: Row) => pointer)
    expect(await pointers({})).toEqual(['/change'])
    expect(await pointers({ shift_days: 7 })).toEqual(['/change/shift_days'])
    expect(await pointers({ minutes: 0, start_time: '24:00' })).toEqual(
      expect.arrayContaining(['/change/minutes', '/change/start_time']),
    )
    expect(await pointers({ title: 'x' }, { on_refusal: 'shift' })).toEqual(['/on_refusal'])
    for (const fields of [
      { instructor_id: randomUUID() },
      { lesson_type_id: randomUUID() },
      { vehicle_ids: [randomUUID()] },
    ])
      expect((await change(fields)).status).toBe(404)
    const elsewhere = await aSchool(service())
    for (const [client, id] of [
      [elsewhere.client, series_id],
      [school.client, randomUUID()],
    ] as const) {
      const path = `/appointments/series/${id}/change`
      expect(
        (await client.post(path, { from: MONDAY, change: { title: 'x' }, on_refusal: 'skip' })).status,
      ).toBe(404)
    }
  })
})
