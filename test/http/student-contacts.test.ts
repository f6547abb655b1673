import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'

const service = useService()
let school: School
let student: Row

const EVA = { name: 'Eva Vogt', relation: 'guardian' }
const WHOLE = { ...EVA, phone: null, email: null, gets_messages: false }

beforeEach(async () => {
  school = await aSchool(service())
  student = await school.student()
})

const patch = (contacts: unknown) => school.client.patch(`/students/${student.id}`, { contacts })

describe('the contacts of a student', () => {
  it('are none by default, stored whole, replaced together and kept by other changes', async () => {
    expect(student.contacts).toEqual([])
    const payer = {
      name: 'Ida',
      relation: 'payer',
      phone: '1',
      email: 'ida@reader.example',
      gets_messages: true,
    }
    expect(must(200, await patch([EVA, payer])).contacts).toEqual([WHOLE, payer])
    must(200, await school.client.patch(`/students/${student.id}`, { phone: '2' }))
    expect(must(200, await school.client.get(`/students/${student.id}`)).contacts).toEqual([WHOLE, payer])
    const [, change] = must(200, await school.client.get(`/students/${student.id}/history`)) as Row[]
    expect(change).toMatchObject({ before: { contacts: [] }, after: { contacts: [WHOLE, payer] } })
    expect(must(200, await patch([])).contacts).toEqual([])
    const made = await school.student({ contacts: [EVA] })
    expect(made.contacts).toEqual([WHOLE])
    const all = must(200, await school.client.get('/bootstrap')).students as Row[]
    expect(all.find(({ id }) => id === made.id)?.contacts).toEqual([WHOLE])
  })

  it('change nothing if they are the same', async () => {
    const { version } = must(200, await patch([EVA]))
    expect(must(200, await patch([WHOLE])).version).toBe(version)
  })

  it.each([
    [null, '/contacts', 'wrong_type'],
    [EVA, '/contacts', 'wrong_type'],
    [Array(6).fill(EVA), '/contacts', 'too_many'],
    [[{ relation: 'payer' }], '/contacts/0/name', 'required'],
    [[EVA, { name: 'Ida' }], '/contacts/1/relation', 'required'],
    [[{ ...EVA, name: ' ' }], '/contacts/0/name', 'too_short'],
    [[{ ...EVA, relation: 'aunt' }], '/contacts/0/relation', 'not_allowed'],
    [[{ ...EVA, email: 'eva' }], '/contacts/0/email', 'invalid_format'],
    [[{ ...EVA, phone: 'x'.repeat(51) }], '/contacts/0/phone', 'too_long'],
    [[{ ...EVA, gets_messages: null }], '/contacts/0/gets_messages', 'wrong_type'],
    [[{ ...EVA, age: 50 }], '/contacts/0/age', 'unknown_field'],
  ])('refuse %j', async (contacts, pointer, code) => {
    const { status, body } = await patch(contacts)
    expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer, code })]])
  })

  it('are undone, and in the data of the person', async () => {
    must(200, await patch([EVA]))
    const data = await school.client.get(`/students/${student.id}/data`)
    expect(data.text).toContain('Eva Vogt')
    const [change] = must(200, await school.client.get(`/students/${student.id}/history`)) as Row[]
    must(200, await school.client.post(`/changes/sets/${change?.set_id}/undo`))
    expect(must(200, await school.client.get(`/students/${student.id}`)).contacts).toEqual([])
  })
})
