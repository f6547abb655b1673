import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { MAX_LOCATIONS } from '../../src/domain/ranges.ts'
import { useService } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
let school: School
let north: Row

const add = async (fields: object): Promise<Row> => must(201, await school.client.post('/locations', fields))
const list = async (): Promise<Row[]> => must(200, await school.client.get('/locations'))
const ways = async () =>
  Object.fromEntries((await list()).map(({ name, travel_minutes }) => [name, travel_minutes]))
/** Undoes the set of a response. The set of the returned response can be undone in turn. */
const undo = ({ headers }: Pick<Answer, 'headers'>): Promise<Answer> =>
  school.client.post(`/changes/sets/${headers.get('x-request-id')}/undo`)

beforeEach(async () => {
  school = await aSchool(service())
  north = await add({ name: 'North' })
})

describe('an undo of location changes', () => {
  it('reverts a creation or deletion with its travel times, and can itself be undone', async () => {
    const travel_minutes = { [String(north.id)]: 25 }
    const made = await school.client.post('/locations', { name: 'South', travel_minutes })
    const both = [String(north.id), String(made.body.id)].toSorted()
    const standing = { North: { [String(made.body.id)]: 25 }, South: travel_minutes }
    const gone = await undo(made)
    expect(gone.body).toMatchObject({ refused: [] })
    expect(must(200, gone).undone.toSorted()).toEqual(both)
    expect(await ways()).toEqual({ North: {} })
    const back = await undo(gone)
    expect(must(200, back)).toMatchObject({ refused: [] })
    expect(await ways()).toEqual(standing)
    const deleted = await school.client.delete(`/locations/${north.id}`)
    expect(await ways()).toEqual({ South: {} })
    const restored = await undo(deleted)
    expect(await ways()).toEqual(standing)
    expect(must(200, await undo(restored))).toMatchObject({ refused: [] })
    expect(await ways()).toEqual({ South: {} })
  })

  it('keeps a new location that is in use by now, but removes its travel times', async () => {
    const made = await school.client.post('/locations', {
      name: 'South',
      travel_minutes: { [String(north.id)]: 25 },
    })
    await school.instructor({ location_id: made.body.id })
    expect(must(200, await undo(made))).toMatchObject({
      undone: [north.id],
      refused: [{ resource_id: made.body.id, code: 'in_use' }],
    })
    expect(await ways()).toEqual({ North: {}, South: {} })
  })
})

describe('a location of an instructor or a vehicle', () => {
  it('cannot be both assigned and deleted by concurrent requests', async () => {
    const { id } = await school.instructor()
    const vehicle = must(201, await school.client.post('/vehicles', { name: 'Golf', kind: 'car' }))
    const gives = [
      (location_id: unknown) => school.client.patch(`/instructors/${id}`, { location_id }),
      (location_id: unknown) =>
        school.client.post('/instructors', { first_name: 'A', last_name: 'B', location_id }),
      (location_id: unknown) => school.client.patch(`/vehicles/${vehicle.id}`, { location_id }),
      (location_id: unknown) => school.client.post('/vehicles', { name: 'Polo', kind: 'car', location_id }),
    ]
    for (const give of gives)
      for (let time = 0; time < 3; time += 1) {
        const location = await add({ name: 'East' })
        const [given, deleted] = await Promise.all([
          give(location.id),
          school.client.delete(`/locations/${location.id}`),
        ])
        expect([
          [201, 409],
          [200, 409],
          [404, 204],
        ]).toContainEqual([given.status, deleted.status])
      }
  })

  it('is not assigned again by an undo once it is deleted', async () => {
    const { id } = await school.instructor({ location_id: north.id })
    const addVehicle = async (name: string): Promise<Row> =>
      must(201, await school.client.post('/vehicles', { name, kind: 'car', location_id: north.id }))
    const [stays, goes] = [await addVehicle('Golf'), await addVehicle('Polo')]
    const taken = [
      await school.client.patch(`/instructors/${id}`, { location_id: null }),
      await school.client.patch(`/vehicles/${stays.id}`, { location_id: null }),
    ]
    const removed = await school.client.delete(`/vehicles/${goes.id}`)
    expect((await school.client.delete(`/locations/${north.id}`)).status).toBe(204)
    for (const change of taken)
      expect((await undo(change)).body).toMatchObject({ undone: [], refused: [{ code: 'not_found' }] })
    const back = must(200, await undo(removed))
    expect(back).toMatchObject({ undone: [goes.id] })
    const vehicles: Row[] = must(200, await school.client.get('/vehicles'))
    expect(vehicles.map(({ location_id }) => location_id)).toEqual([null, null])
    expect(must(200, await school.client.get(`/instructors/${id}`)).location_id).toBeNull()
  })
})

describe('locations', () => {
  it('are readable by id, with an entity tag for If-Match', async () => {
    const path = `/locations/${north.id}`
    const read = await school.client.get(path)
    expect(must(200, read)).toEqual(north)
    expect(read.headers.get('etag')).toBe('"1"')
    must(200, await school.client.patch(path, { name: 'Upper' }, { 'if-match': '"1"' }))
    const stale = { 'if-match': '"1"' }
    const unknown = randomUUID()
    const statusOf = async (travel_minutes: object) =>
      (await school.client.patch(path, { travel_minutes }, stale)).status
    expect(await statusOf({ [String(north.id)]: 5 })).toBe(400)
    expect(await statusOf({ [unknown]: 5 })).toBe(404)
    expect(await statusOf({})).toBe(412)
    const malformed = await school.client.patch(path, { travel_minutes: { abc: 5, [unknown]: 5 } })
    expect([malformed.status, malformed.body.errors]).toMatchObject([
      400,
      [{ pointer: '/travel_minutes/abc', code: 'invalid_format' }],
    ])
    expect((await school.client.delete(path)).status).toBe(204)
    expect((await school.client.get(path)).status).toBe(404)
  })

  it('are limited to 100 per school', async () => {
    for (let count = 1; count < MAX_LOCATIONS; count += 1) await add({ name: 'East' })
    const refused = await school.client.post('/locations', { name: 'East' })
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ pointer: '', code: 'too_many' }]])
    const deleted = await school.client.delete(`/locations/${north.id}`)
    await add({ name: 'East' })
    expect((await undo(deleted)).body).toMatchObject({ undone: [], refused: [{ code: 'not_undoable' }] })
  })
})
