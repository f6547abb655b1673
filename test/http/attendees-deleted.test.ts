import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { erase } from '../support/erasure.ts'
import type { Row } from '../support/factory.ts'
import { aGroupOffice, at, type GroupOffice } from '../support/group-office.ts'

const service = useService()
let office: GroupOffice

beforeAll(async () => {
  office = await aGroupOffice(service())
})

describe('a deleted student of groups', () => {
  it('is removed from coming groups but not from past ones, and is added again by an undo', async () => {
    const { id } = await office.school.student({ first_name: 'Mia' })
    const attendees = [...office.those(0), { student_id: id }]
    const coming = await office.group({ attendees, ...at('21') })
    const past = await office.group({ attendees, start_at: '2020-05-05 18:00', end_at: '2020-05-05 19:30' })
    const deleted = await office.school.client.delete(`/students/${id}`)
    expect(deleted.status).toBe(204)
    const now = await office.school.client.get(`/appointments/${coming.id}`)
    expect([now.body.status, office.namesOf(now)]).toEqual(['planned', [0]])
    expect((await office.school.client.get(`/appointments/${past.id}`)).body.attendees).toHaveLength(2)
    expect((await office.school.client.post(`/appointments/${coming.id}/attendees/${id}`)).status).toBe(404)
    expect((await office.bookGroup({ attendees, ...at('22') })).status).toBe(404)
    const { body } = await office.undo(deleted)
    expect(body.undone.toSorted()).toEqual([coming.id, id].toSorted())
    expect((await office.school.client.get(`/appointments/${coming.id}`)).body.attendees).toHaveLength(2)
    const again = await office.school.client.post(`/changes/sets/${body.set_id}/undo`)
    expect([again.body.undone.toSorted(), again.body.refused]).toEqual([[coming.id, id].toSorted(), []])
    expect((await office.school.client.get(`/appointments/${coming.id}`)).body.attendees).toHaveLength(1)
    expect((await office.school.client.get(`/students/${id}`)).status).toBe(404)
  })

  it.each([
    ['cancelled', (path: string) => office.school.client.patch(path, { status: 'cancelled' })],
    ['deleted', (path: string) => office.school.client.delete(path)],
  ])('does not rejoin a group that was %s and is later restored', async (state, end) => {
    const { id } = await office.school.student({ first_name: 'Ida' })
    const attendees = [...office.those(0), { student_id: id }]
    const lesson = await office.group({ attendees, ...at('28') })
    const path = `/appointments/${lesson.id}`
    await end(path)
    await office.school.client.delete(`/students/${id}`)
    const again =
      state === 'deleted'
        ? await office.school.client.post(`${path}/restore`)
        : await office.school.client.patch(path, { status: 'planned' })
    expect([again.status, office.namesOf(again)]).toEqual([200, [0]])
    await office.school.client.delete(path)
  })

  it('has the seats again after the restoration, except in groups that are full or have ended meanwhile', async () => {
    const { client } = office.school
    const on = (day: string) => ({ start_at: `2041-05-${day} 18:00`, end_at: `2041-05-${day} 19:30` })
    const { id } = await office.school.student({ first_name: 'Pia' })
    const attendees = [...office.those(0), { student_id: id }]
    const free = await office.group({ attendees, ...on('13') })
    const full = await office.group({ attendees, seats: 2, ...on('14') })
    const cancelled = await office.group({ attendees, ...on('15') })
    await client.delete(`/students/${id}`)
    expect((await client.post(office.seat(full, 1))).status).toBe(200)
    await client.patch(`/appointments/${cancelled.id}`, { status: 'cancelled' })
    const { body } = await client.post(`/students/${id}/restore`)
    expect([body.restored, body.refused.map((one: Row) => [one.appointment_id, one.code])]).toEqual([
      [free.id],
      [[full.id, 'full']],
    ])
    const seatsIn = async (lesson: Row) =>
      (await client.get(`/appointments/${lesson.id}`)).body.attendees.map((one: Row) => one.student_id)
    expect(await seatsIn(free)).toContain(id)
    for (const lesson of [full, cancelled]) expect(await seatsIn(lesson)).not.toContain(id)
    await client.delete(`/students/${id}`)
    expect((await client.post(`/students/${id}/restore`)).body.restored).toEqual([free.id])
  })

  it('is erased together with the notes of a group without other attendees, but not of shared ones', async () => {
    const { id } = await office.school.student({ first_name: 'Ada' })
    const write = (attendees: object[], day: string) =>
      office.group({ attendees, notes: 'War krank', start_at: `${day} 18:00`, end_at: `${day} 19:30` })
    const alone = await write([{ student_id: id }], '2020-08-05')
    const shared = await write([...office.those(0), { student_id: id }], '2020-08-06')
    await office.school.client.patch(`/appointments/${alone.id}`, { practised: 'Vorfahrt' })
    await office.school.client.delete(`/students/${id}`)
    expect(await erase(service(), office.school.tenantId, id)).toBe('erased')
    const { body } = await office.school.client.get(`/appointments/${alone.id}`)
    expect(body).toMatchObject({ attendees: [], notes: null, practised: null })
    const history = await office.school.client.get(`/appointments/${alone.id}/history`)
    expect(history.text).not.toMatch(/War krank|Vorfahrt/)
    const kept = (await office.school.client.get(`/appointments/${shared.id}`)).body
    expect([kept.notes, kept.attendees.length]).toEqual(['War krank', 1])
  })
})
