import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import type { Row } from '../support/factory.ts'
import { anOfferOffice, OFFERED_TIME, type OfferOffice } from '../support/offer-office.ts'

const service = useService()
let office: OfferOffice

beforeEach(async () => {
  office = await anOfferOffice(service())
})

describe('an offer', () => {
  it.each([
    ['moved', { start_at: '2099-03-02 14:00', end_at: '2099-03-02 15:30' }],
    ['changed', { notes: 'Brille' }],
  ])('stays taken if its acceptance is undone after the lesson was %s', async (_, change) => {
    const { school, lena, offer, read, accept, undo } = office
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

  it('can be withdrawn by the school, and the withdrawal can be undone', async () => {
    const { school, lena, offer, stateOf, accept, answerOf } = office
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

  it('is taken again with its lesson when the undo of its acceptance is undone', async () => {
    const { school, lena, emma, offer, read, accept, answerOf, undo } = office
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

  it('stays open if its lesson cannot be restored with its acceptance', async () => {
    const { school, instructor, lena, offer, stateOf, accept, undo } = office
    const one = await offer()
    const { set_id } = await undo(await accept(one, lena))
    const lesson = await school.lesson({ instructor_id: instructor.id, ...OFFERED_TIME })
    const again = must(200, await school.client.post(`/changes/sets/${set_id}/undo`))
    expect([again.undone, again.refused.map(({ resource }: Row) => resource)]).toEqual([
      [],
      ['appointment', 'offer'],
    ])
    must(204, await school.client.delete(`/appointments/${lesson.id}`))
    expect(await stateOf(one)).toBe('open')
  })
})
