import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
let school: School
let jonas: Row
let ute: Row

beforeAll(async () => {
  school = await aSchool(service())
  ;[jonas, ute] = [await school.instructor(), await school.instructor({ first_name: 'Ute' })]
})

const aVehicle = async (fields: object = {}): Promise<Row> =>
  (await school.client.post('/vehicles', { name: 'Golf', kind: 'car', ...fields })).body
const at = (day: string, from = '08:00', to = '09:30') => ({
  start_at: `2040-05-${day} ${from}`,
  end_at: `2040-05-${day} ${to}`,
})

describe('a slot search with vehicles', () => {
  const slots = async (parameters: string) =>
    school.client.get(
      `/slots?minutes=60&step=60&from=2040-05-10&to=2040-05-10&time_from=08:00&time_to=12:00&${parameters}`,
    )
  const starts = ({ body }: Awaited<ReturnType<typeof slots>>) =>
    body.map((one: { start_at: string }) => one.start_at.slice(11))

  it('finds times at which all of the vehicles are free', async () => {
    const [car, trailer] = [await aVehicle(), await aVehicle({ kind: 'trailer' })]
    await school.lesson({ instructor_id: ute.id, vehicle_ids: [car.id], ...at('10', '08:00', '09:00') })
    const absences = [{ start_at: '2040-04-01 08:00', end_at: '2040-05-10 10:30' }]
    await school.client.patch(`/vehicles/${trailer.id}`, { absences })
    const both = await slots(`instructor_id=${jonas.id}&vehicle_id=${car.id}&vehicle_id=${trailer.id}`)
    expect([starts(both), both.body[0].vehicle_ids]).toEqual([['11:00'], [car.id, trailer.id]])
    const one = await slots(`instructor_id=${jonas.id}&vehicle_id=${car.id}`)
    expect(starts(one)).toEqual(['09:00', '10:00', '11:00'])
    const none = await slots(`instructor_id=${jonas.id}`)
    expect([starts(none).length, none.body[0].vehicle_ids]).toEqual([4, []])
  })

  it("chooses a free vehicle of a kind, the instructor's usual one first", async () => {
    const [first, usual] = [
      await aVehicle({ name: 'A', kind: 'truck' }),
      await aVehicle({ name: 'B', kind: 'truck' }),
    ]
    const karl = await school.instructor({ usual_vehicle_id: usual.id })
    for (const [vehicle, from, to] of [
      [usual, '09:00', '11:00'],
      [first, '10:00', '12:00'],
    ] as const)
      await school.lesson({
        instructor_id: (await school.instructor()).id,
        vehicle_ids: [vehicle.id],
        ...at('10', from, to),
      })
    const found = await slots(`instructor_id=${karl.id}&vehicle=any&vehicle_kind=truck`)
    expect(
      found.body.map((one: { start_at: string; vehicle_ids: string[] }) => [
        one.start_at.slice(11),
        one.vehicle_ids,
      ]),
    ).toEqual([
      ['08:00', [usual.id]],
      ['09:00', [first.id]],
      ['11:00', [usual.id]],
    ])
    expect((await slots(`instructor_id=${karl.id}&vehicle=any&vehicle_kind=other`)).body).toEqual([])
  })

  it('rejects conflicting or invalid parameters with 400, and unknown vehicles with 404', async () => {
    const { id } = await aVehicle()
    for (const parameters of [
      `vehicle=any&vehicle_id=${id}`,
      'vehicle_kind=car',
      'vehicle=all',
      'vehicle_id=1',
    ])
      expect((await slots(parameters)).status, parameters).toBe(400)
    expect((await slots(`vehicle_id=${randomUUID()}`)).status).toBe(404)
  })

  it('returns 404 for a deleted vehicle, except for a lesson that has it', async () => {
    const { id } = await aVehicle()
    const past = { start_at: '2020-05-04 08:00', end_at: '2020-05-04 09:00' }
    const lesson = await school.lesson({ instructor_id: jonas.id, vehicle_ids: [id], ...past })
    expect((await school.client.delete(`/vehicles/${id}`)).status).toBe(204)
    expect((await slots(`vehicle_id=${id}`)).status).toBe(404)
    expect((await slots(`vehicle_id=${id}&appointment_id=${lesson.id}`)).body).toEqual([])
  })
})
