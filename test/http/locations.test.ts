import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
let school: School
let north: Row
let south: Row

const add = async (fields: object): Promise<Row> => must(201, await school.client.post('/locations', fields))
const list = async (): Promise<Row[]> => must(200, await school.client.get('/locations'))
const at = (from: string, to: string) => ({ start_at: `2099-03-02 ${from}`, end_at: `2099-03-02 ${to}` })

beforeEach(async () => {
  school = await aSchool(service())
  north = await add({ name: 'North', address: ' Main street 12 ' })
  south = await add({ name: 'South', travel_minutes: { [String(north.id).toUpperCase()]: 25 } })
})

describe('locations', () => {
  it('have travel times that are equal in both directions and replaced as a whole', async () => {
    expect(north).toMatchObject({ name: 'North', address: 'Main street 12', travel_minutes: {}, version: 1 })
    expect(await list()).toMatchObject([
      { id: north.id, travel_minutes: { [String(south.id)]: 25 } },
      { id: south.id, address: null, travel_minutes: { [String(north.id)]: 25 } },
    ])
    const east = await add({ name: 'East', travel_minutes: { [String(south.id)]: 10 } })
    const path = `/locations/${north.id}`
    const travel_minutes = { [String(east.id)]: 40 }
    expect(must(200, await school.client.patch(path, { travel_minutes })).travel_minutes).toEqual(
      travel_minutes,
    )
    expect(await list()).toMatchObject([
      { id: east.id, travel_minutes: { [String(north.id)]: 40, [String(south.id)]: 10 } },
      { id: north.id },
      { id: south.id, travel_minutes: { [String(east.id)]: 10 } },
    ])
    expect((await list())[2]?.travel_minutes).not.toHaveProperty(String(north.id))
    expect((await school.client.delete(`/locations/${east.id}`)).status).toBe(204)
    expect(await list()).toMatchObject([
      { id: north.id, travel_minutes: {} },
      { id: south.id, travel_minutes: {} },
    ])
  })

  it('reject unknown destinations, travel to themselves and invalid minutes', async () => {
    const change = (travel_minutes: object) =>
      school.client.patch(`/locations/${north.id}`, { travel_minutes })
    expect((await change({ [randomUUID()]: 5 })).status).toBe(404)
    const faults = async (travel_minutes: object) =>
      (await change(travel_minutes)).body.errors?.map(({ pointer }: Row) => pointer)
    expect(await faults({ [String(north.id)]: 5 })).toEqual([`/travel_minutes/${north.id}`])
    expect(await faults({ [String(south.id)]: -1 })).toEqual([`/travel_minutes/${south.id}`])
    expect((await school.client.post('/locations', { address: 'x' })).body.errors).toMatchObject([
      { pointer: '/name' },
    ])
    const theirs = await aSchool(service())
    expect((await theirs.client.patch(`/locations/${north.id}`, { name: 'Mine' })).status).toBe(404)
  })

  it('cannot be deleted while an instructor, a vehicle or a future lesson uses them (409 in_use)', async () => {
    const path = `/locations/${north.id}`
    const { id } = await school.instructor({ location_id: north.id })
    const refused = await school.client.delete(path)
    expect([refused.status, refused.body.code]).toEqual([409, 'in_use'])
    expect(refused.body.detail).toBe('It cannot be deleted while it is in use.')
    must(200, await school.client.patch(`/instructors/${id}`, { location_id: null }))
    const body = { name: 'Golf', kind: 'car', location_id: north.id }
    const vehicle = must(201, await school.client.post('/vehicles', body))
    expect((await school.client.delete(path)).body.code).toBe('in_use')
    must(200, await school.client.patch(`/vehicles/${vehicle.id}`, { location_id: south.id }))
    const lesson = await school.lesson({ instructor_id: id, location_id: north.id, ...at('08:00', '09:30') })
    expect((await school.client.delete(path)).body.code).toBe('in_use')
    must(200, await school.client.post(`/appointments/${lesson.id}/cancel`, { by: 'school' }))
    const deleted = await school.client.delete(path)
    expect(deleted.status).toBe(204)
    expect((await school.client.patch(`/instructors/${id}`, { location_id: north.id })).status).toBe(404)
    const undone = await school.client.post(`/changes/sets/${deleted.headers.get('x-request-id')}/undo`)
    expect(must(200, undone).undone.toSorted()).toEqual([north.id, south.id].map(String).toSorted())
    expect(await list()).toMatchObject([
      { id: north.id, travel_minutes: { [String(south.id)]: 25 } },
      { id: south.id, travel_minutes: { [String(north.id)]: 25 } },
    ])
  })

  it('can be set on a lesson without checking rules; unknown ones get 404', async () => {
    const { id } = await school.instructor()
    const lesson = await school.lesson({ instructor_id: id, ...at('08:00', '09:30') })
    expect(lesson.location_id).toBeNull()
    must(200, await school.client.patch(`/instructors/${id}`, { active: false }))
    const path = `/appointments/${lesson.id}`
    const moved = must(200, await school.client.patch(path, { location_id: south.id }))
    expect(moved.location_id).toBe(south.id)
    const theirs = await aSchool(service())
    const { body: foreign } = await theirs.client.post('/locations', { name: 'Theirs' })
    for (const location_id of [foreign.id, randomUUID()]) {
      expect((await school.client.patch(path, { location_id })).status).toBe(404)
      expect(
        (await school.client.post('/instructors', { first_name: 'A', last_name: 'B', location_id })).status,
      ).toBe(404)
      expect((await school.client.post('/vehicles', { name: 'Golf', kind: 'car', location_id })).status).toBe(
        404,
      )
    }
    const [change] = must(200, await school.client.get(`/changes?resource=location&resource_id=${south.id}`))
    expect(change).toMatchObject({ action: 'created', after: { name: 'South' } })
  })
})

describe('the warning too_far of a check', () => {
  const warningsOf = async (fields: object): Promise<Row[]> => {
    const lesson_type_id = school.lessonTypes.PRACTICE
    const { body } = await school.client.post('/appointments/check', { lesson_type_id, ...fields })
    return body.warnings.filter(({ code }: Row) => code === 'too_far')
  }

  it("applies before and after a lesson, from the lesson's location or else the instructor's", async () => {
    const { id: instructor_id } = await school.instructor({ location_id: north.id })
    const first = await school.lesson({ instructor_id, ...at('08:00', '09:30') })
    const south_id = south.id
    const check = (from: string, to: string, location_id: unknown = south_id) =>
      warningsOf({ instructor_id, location_id, ...at(from, to) })
    const params = { minutes_needed: 25, minutes_free: 10, location_id: north.id, appointment_id: first.id }
    expect(await check('09:40', '11:00')).toEqual([{ code: 'too_far', params }])
    expect(await check('09:55', '11:00')).toEqual([])
    expect(await check('09:40', '11:00', null)).toEqual([])
    expect(await check('06:30', '07:36')).toMatchObject([{ params: { minutes_free: 24 } }])
    await school.lesson({ instructor_id, location_id: south_id, ...at('10:00', '11:00') })
    expect(await check('11:10', '12:00')).toEqual([])
    expect(await check('11:10', '12:00', north.id)).toMatchObject([{ params: { minutes_free: 10 } }])
    const move = { appointment_id: first.id, ...at('09:00', '09:50') }
    expect(await warningsOf(move)).toMatchObject([{ params: { minutes_free: 10, location_id: south_id } }])
  })

  it('is absent if no travel time is stored', async () => {
    const east = await add({ name: 'East' })
    const { id: instructor_id } = await school.instructor({ location_id: north.id })
    await school.lesson({ instructor_id, ...at('08:00', '09:30') })
    expect(await warningsOf({ instructor_id, location_id: east.id, ...at('09:30', '11:00') })).toEqual([])
  })
})
