import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { erase } from '../support/erasure.ts'
import type { Row } from '../support/factory.ts'
import { anOfferOffice, type OfferOffice } from '../support/offer-office.ts'

const service = useService()
let office: OfferOffice

beforeEach(async () => {
  office = await anOfferOffice(service())
})

describe('an offer', () => {
  it('ends for a student whose wish is deleted, and is withdrawn if no student remains', async () => {
    const { school, lena, emma, offer, stateOf, accept, answerOf } = office
    const wishes = `/students/${lena.id}/wishes`
    const { id: wish } = must(201, await school.client.post(wishes, { minutes: 90 }))
    const [both, alone] = [await offer(), await offer({ student_ids: [lena.id] })]
    must(204, await school.client.delete(`${wishes}/${wish}`))
    expect(await stateOf(alone)).toBe('withdrawn')
    expect(await stateOf(both)).toBe('open')
    for (const one of [both, alone]) expect(await answerOf(accept(one, lena))).toEqual([409, 'offer_gone'])
    expect((await accept(both, emma)).status).toBe(200)
  })

  it('is withdrawn with the last matching wish, but not with one for another lesson type', async () => {
    const { school, lena, offer, stateOf, undo } = office
    const wishes = `/students/${lena.id}/wishes`
    const wish = async (fields: object) => must(201, await school.client.post(wishes, fields))
    const withdraw = ({ id }: Row) => school.client.delete(`${wishes}/${id}`)
    const motorway = await wish({ minutes: 90, lesson_type_id: school.lessonTypes.MOTORWAY })
    const alone = await offer({ student_ids: [lena.id] })
    must(204, await withdraw(motorway))
    expect(await stateOf(alone)).toBe('open')
    const [long, short] = [await wish({ minutes: 90 }), await wish({ minutes: 45 })]
    const answering = await offer({ student_ids: [lena.id] })
    const withdrawn = await withdraw(long)
    expect(await stateOf(answering)).toBe('open')
    must(204, await withdraw(short))
    expect(await stateOf(answering)).toBe('withdrawn')
    await undo(withdrawn)
    expect(await stateOf(answering)).toBe('open')
  })

  it('is anonymous in the log once the student who accepted it is erased', async () => {
    const { school, lena, offer, read, accept } = office
    const one = await offer()
    must(200, await accept(one, lena))
    const { appointment_id } = await read(one)
    must(204, await school.client.delete(`/students/${lena.id}`))
    await erase(service(), school.tenantId, String(lena.id))
    for (const path of [`/appointments/${appointment_id}/history`, '/changes'])
      expect(JSON.stringify(must(200, await school.client.get(path)))).not.toContain(
        `"actor":{"kind":"student","id":"${lena.id}`,
      )
    expect(must(200, await school.client.get(`/changes?actor_id=${lena.id}`))).toEqual([])
    const history: Row[] = must(200, await school.client.get(`/appointments/${appointment_id}/history`))
    expect(history.map(({ actor }) => actor)).toContainEqual({ kind: 'student', id: null, name: '…' })
  })

  it('is withdrawn once all of its students are deleted, and open again after a restore', async () => {
    const { school, lena, emma, offer, stateOf } = office
    const one = await offer()
    must(204, await school.client.delete(`/students/${emma.id}`))
    expect(await stateOf(one)).toBe('open')
    must(204, await school.client.delete(`/students/${lena.id}`))
    expect(await stateOf(one)).toBe('withdrawn')
    expect(must(200, await school.client.get('/offers'))).toMatchObject([{ state: 'withdrawn' }])
    must(200, await school.client.post(`/students/${lena.id}/restore`))
    expect(await stateOf(one)).toBe('open')
  })
})
