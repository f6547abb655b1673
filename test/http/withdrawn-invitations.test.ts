import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { aSchool, aUser, type School } from '../support/factory.ts'
import { accept, anInvitation, newEmail } from '../support/invitations.ts'

const service = useService()
const password = 'staple, correct horse'
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

const withdraw = (id: string) => school.client.delete(`/users/${id}`)

describe('the withdrawal of an invitation', () => {
  it('deletes the user, invalidates the link and frees the email address', async () => {
    const { id, token, email } = await anInvitation(school)
    const answer = await withdraw(id)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await accept(new Client(service()), token, password)).status).toBe(404)
    const { text } = await school.client.get('/users')
    expect(text).not.toContain(id)
    expect((await withdraw(id)).status).toBe(404)
    await anInvitation(school, { email })
  })

  it('is logged with the address and role of the user', async () => {
    const { id, email } = await anInvitation(school)
    await withdraw(id)
    const { body } = await school.client.get(`/changes?resource=user&resource_id=${id}`)
    expect(body[0]).toMatchObject({
      action: 'deleted',
      actor: { id: school.user.id },
      before: { email, name: 'Ida Invited', role: 'office', instructor_id: null },
      after: null,
    })
  })

  it('is rejected with 412 if the user has changed since it was read', async () => {
    const { id } = await anInvitation(school)
    await school.client.patch(`/users/${id}`, { name: 'Other' })
    const answer = await school.client.delete(`/users/${id}`, { 'if-match': '"1"' })
    expect([answer.status, answer.body.code]).toEqual([412, 'stale'])
  })

  it('is possible for a user who was disabled before accepting', async () => {
    const { id } = await anInvitation(school)
    await school.client.patch(`/users/${id}`, { disabled: true })
    expect((await withdraw(id)).status).toBe(204)
  })
})

describe('DELETE /users/{id}', () => {
  it('rejects a user who has set a password with 409 invitation_accepted', async () => {
    const active = await aUser(service(), school.tenantId)
    const invited = await anInvitation(school)
    await accept(new Client(service()), invited.token, password)
    await school.client.patch(`/users/${active.id}`, { disabled: true })
    for (const id of [active.id, invited.id, school.user.id]) {
      const { status, body } = await withdraw(id)
      expect([status, body.code]).toEqual([409, 'invitation_accepted'])
    }
    expect((await school.client.get('/auth/me')).status).toBe(200)
  })

  it('returns the same 404 for a user of another school and an unknown user', async () => {
    const theirs = await anInvitation(await aSchool(service()), { email: newEmail() })
    const [foreign, unknown] = [await withdraw(theirs.id), await withdraw(randomUUID())]
    expect(foreign.status).toBe(404)
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' })
  })
})
