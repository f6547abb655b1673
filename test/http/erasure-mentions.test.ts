import { describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { eraseIf } from '../support/erasure.ts'
import { aSchool, type School } from '../support/factory.ts'
import { aCanary, plantEverywhere } from '../support/planted-student.ts'

const service = useService()

describe('an erasure of a student whose name is in texts about others', () => {
  const SENTENCE = 'Bring the glasses, and be on time.'

  /** Creates a student whose name also occurs in a text about another student. */
  async function aLookalike(school: School): Promise<{ readonly id: string; readonly other: string }> {
    const other = await school.student({ first_name: 'Mia', notes: SENTENCE })
    await school.client.patch(`/students/${other.id}`, { notes: `${SENTENCE} Always.` })
    const { id } = await school.student({ first_name: 'Bring the', last_name: 'glasses' })
    await school.client.delete(`/students/${id}`)
    return { id, other: other.id }
  }

  it('erases nothing without confirmation, and lists each text once', async () => {
    const school = await aSchool(service())
    const { id, other } = await aLookalike(school)
    const before = (await school.client.get('/changes')).body
    const { outcome, texts } = await eraseIf(service(), school.tenantId, id, false)
    expect(outcome).toBe('not_agreed')
    expect(texts).toEqual(
      [`${SENTENCE} Always.`, SENTENCE].map((text) => ({
        resource: 'student',
        resource_id: other,
        field: 'notes',
        text,
      })),
    )
    expect((await school.client.get('/changes')).body).toEqual(before)
    expect((await school.client.post(`/students/${id}/restore`)).status).toBe(200)
  })

  it('changes exactly the listed texts once it is confirmed', async () => {
    const school = await aSchool(service())
    const { id, other } = await aLookalike(school)
    const listed = await eraseIf(service(), school.tenantId, id, false)
    expect(await eraseIf(service(), school.tenantId, id, true)).toEqual({
      outcome: 'erased',
      texts: listed.texts,
    })
    expect((await school.client.get(`/students/${other}`)).body.notes).toBe('…, and be on time. Always.')
  })

  it("lists texts in 21 fields of other records, but none of the student's own", async () => {
    const school = await aSchool(service())
    const canary = await aCanary(school)
    await plantEverywhere(school, canary)
    await school.client.delete(`/students/${canary.id}`)
    const { texts } = await eraseIf(service(), school.tenantId, canary.id, false)
    const places = new Set(texts.map(({ resource, field }) => `${resource}.${field}`))
    expect([...places].toSorted()).toEqual([
      'appointment.cancellation',
      'appointment.exam_result',
      'appointment.notes',
      'appointment.pickup_place',
      'appointment.title',
      'closure.note',
      'enquiry.message',
      'enrolment.credits',
      'enrolment.note',
      'instructor.absences',
      'instructor.vacations',
      'location.address',
      'schedule_request.answer',
      'schedule_request.note',
      'student.contacts',
      'student.notes',
      'student.opening_balance',
      'student.pickup_place',
      'tick.note',
      'vehicle.absences',
      'vehicle.notes',
    ])
    expect(texts.filter(({ resource_id }) => resource_id === canary.id)).toEqual([])
    const isCalled = ({ text }: { text: string }) =>
      [canary.name, canary.reversed, canary.email, canary.phone].some((name) =>
        text.replaceAll(/\s+/g, ' ').includes(name),
      )
    expect(texts.filter((text) => !isCalled(text))).toEqual([])
  })
})
