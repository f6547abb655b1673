import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { must } from '../support/passkeys.ts'

const service = useService()
let school: School
let north: Row

const add = async (fields: object): Promise<Row> => must(201, await school.client.post('/locations', fields))
const list = async (): Promise<Row[]> => must(200, await school.client.get('/locations'))
const ways = async () =>
  Object.fromEntries((await list()).map(({ name, travel_minutes }) => [name, travel_minutes]))
/** Undoes the set of a response and returns the response, whose set can be undone in turn. */
const undo = ({ headers }: Pick<Answer, 'headers'>): Promise<Answer> =>
  school.client.post(`/changes/sets/${headers.get('x-request-id')}/undo`)

beforeEach(async () => {
  school = await aSchool(service())
  north = await add({ name: 'North' })
})

describe('an undo of locations', () => {
  it('takes back a new one with its ways, and repeats the deletion of one with ways', async () => {
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

  it('keeps one that is in use by now, without the way that is taken back', async () => {
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
