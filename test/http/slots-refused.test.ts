import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { daysLater } from '../../src/domain/local-time.ts'
import { useService } from '../support/app.ts'
import { aSchool, type School } from '../support/factory.ts'
import { MONDAY, type SlotQuery, slotsPath } from '../support/slot-query.ts'

const service = useService()

let school: School
let instructor: { readonly id: string }
let student: { readonly id: string }

beforeAll(async () => {
  school = await aSchool(service())
  instructor = await school.instructor()
  student = await school.student()
})

describe('the validation of a slot search', () => {
  it.each<[SlotQuery, ...string[]]>([
    [{ minutes: undefined }, '?minutes required'],
    [{ minutes: '0' }, '?minutes invalid_format'],
    [{ minutes: '1441' }, '?minutes invalid_format'],
    [{ minutes: '60.0' }, '?minutes invalid_format'],
    [{ minutes: ['60', '90'] }, '?minutes repeated'],
    [{ lesson_type_id: 'PRACTICE' }, '?lesson_type_id invalid_format'],
    [{ student_id: '' }, '?student_id invalid_format'],
    [{ appointment_id: 'x' }, '?appointment_id invalid_format'],
    [{ instructor_id: 'x' }, '?instructor_id invalid_format'],
    [{ instructor_id: [randomUUID(), 'x'] }, '?instructor_id invalid_format'],
    [{ from: '2026-02-30' }, '?from invalid_format'],
    [{ to: '2026-02-30' }, '?to invalid_format'],
    [{ from: '2030-05-07', to: MONDAY }, '?to wrong_order'],
    [{ from: `${MONDAY} 10:00`, to: `${MONDAY} 09:59` }, '?to wrong_order'],
    [{ from: undefined, to: '2020-01-01' }, '?to wrong_order'],
    [{ to: daysLater(MONDAY, 93) }, '?to too_long'],
    [{ weekdays: '' }, '?weekdays invalid_format'],
    [{ weekdays: '0' }, '?weekdays invalid_format'],
    [{ weekdays: '1,8' }, '?weekdays invalid_format'],
    [{ weekdays: '1;2' }, '?weekdays invalid_format'],
    [{ time_from: '24:00' }, '?time_from invalid_format'],
    [{ time_to: '24:01' }, '?time_to invalid_format'],
    [{ time_from: '10:00', time_to: '10:00' }, '?time_to wrong_order'],
    [{ time_to: '00:00' }, '?time_to wrong_order'],
    [{ step: '4' }, '?step invalid_format'],
    [{ step: '61' }, '?step invalid_format'],
    [{ overrides: '1' }, '?overrides not_allowed'],
    [{ order: 'best' }, '?order not_allowed'],
    [{ order: ['time', 'fit'] }, '?order repeated'],
    [{ limit: '0' }, '?limit invalid_format'],
    [{ limit: '201' }, '?limit invalid_format'],
    [{ cursor: 'x' }, '?cursor invalid_format'],
    [{ cursor: cursorOf('0', '2030-05-06 08:00', 'x') }, '?cursor invalid_format'],
    [{ cursor: cursorOf('4', '2030-05-06 08:00', randomUUID()) }, '?cursor invalid_format'],
    [{ cursor: cursorOf('', '2030-05-06 08:00', randomUUID()) }, '?cursor invalid_format'],
    [
      { minutes: undefined, to: '2029-01-01', time_to: '00:00' },
      '?minutes required',
      '?time_to wrong_order',
      '?to wrong_order',
    ],
    [{ step: '1', limit: 'x' }, '?limit invalid_format', '?step invalid_format'],
  ])('rejects %j with 400', async (query, ...faults) => {
    const { status, body } = await school.client.get(slotsPath(query))
    const told = body.errors?.map(
      ({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`,
    )
    expect([status, told?.sort()]).toEqual([400, faults])
  })

  it.each(['instructor_id', 'student_id', 'lesson_type_id', 'appointment_id'])(
    'rejects an unknown %s with 404',
    async (name) => {
      const { status, body } = await school.client.get(slotsPath({ [name]: randomUUID() }))
      expect([status, body.code]).toEqual([404, 'not_found'])
    },
  )

  it('rejects an id of another kind and a deleted student with 404', async () => {
    const gone = await school.student()
    await school.client.delete(`/students/${gone.id}`)
    for (const query of [
      { instructor_id: student.id },
      { student_id: instructor.id },
      { student_id: gone.id },
    ])
      expect((await school.client.get(slotsPath(query))).status).toBe(404)
  })

  it('rejects a deleted or foreign appointment with 404', async () => {
    const times = { start_at: `${MONDAY} 10:00`, end_at: `${MONDAY} 11:00` }
    const deleted = await school.lesson({ instructor_id: instructor.id, ...times })
    await school.client.delete(`/appointments/${deleted.id}`)
    const other = await aSchool(service())
    const theirs = await other.lesson({ instructor_id: (await other.instructor()).id, ...times })
    for (const { id } of [deleted, theirs])
      expect((await school.client.get(slotsPath({ appointment_id: id }))).status).toBe(404)
  })

  it('accepts the longest range, and rejects one minute more', async () => {
    const longest = await school.client.get(slotsPath({ to: daysLater(MONDAY, 92), limit: '1' }))
    expect(longest.body).toHaveLength(1)
    const { status } = await school.client.get(
      slotsPath({ from: `${MONDAY} 00:00`, to: `${daysLater(MONDAY, 92)} 00:01` }),
    )
    expect(status).toBe(400)
  })
})

function cursorOf(...values: readonly string[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}
