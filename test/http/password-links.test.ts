import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { aSchool, aUser, PASSWORD, type School } from '../support/factory.ts'
import { accept, anInvitation, tokenIn } from '../support/invitations.ts'
import { bearer, loginOf } from '../support/session.ts'

const service = useService()
const NEW_PASSWORD = 'staple, correct horse'
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

const login = (email: string, password: string) =>
  new Client(service()).post('/auth/login', { email, password })

describe('an invitation', () => {
  it('is accepted with a password and logs the user in', async () => {
    const { id, email, token } = await anInvitation(school)
    const client = new Client(service())
    const answer = await accept(client, token, NEW_PASSWORD)
    expect(answer.status, answer.text).toBe(200)
    const cookies = answer.headers.getSetCookie().map((one) => one.split('=')[0])
    expect(cookies).toEqual(['svc_jwt', 'svc_refresh'])
    const me = await client.get('/auth/me', bearer(answer.body.token))
    expect(me.body).toMatchObject({ id, email, role: 'office' })
    const { refresh_token } = answer.body
    expect((await client.post('/auth/refresh', { refresh_token })).status).toBe(200)
    expect((await login(email, NEW_PASSWORD)).status).toBe(200)
    const { body } = await school.client.get('/users')
    expect(body.find((user: { id: string }) => user.id === id)).toMatchObject({
      state: 'active',
      invited_until: null,
      last_seen_at: expect.any(String),
    })
  })

  it.each([
    ['password123', 'too_common'],
    ['Fahrschule Test', 'too_common'],
    ['short', 'wrong_length'],
  ])('is not accepted with the password %s, and remains valid', async (password, code) => {
    const { token, email } = await anInvitation(school)
    const client = new Client(service())
    const refused = await accept(client, token, password)
    expect([refused.status, refused.body.errors[0]]).toMatchObject([400, { pointer: '/password', code }])
    expect((await login(email, password)).status).toBe(401)
    expect((await accept(client, token, NEW_PASSWORD)).status).toBe(200)
  })

  it('is accepted by exactly one of two concurrent requests; the other gets 404', async () => {
    const { token, email } = await anInvitation(school)
    const passwords = [`${NEW_PASSWORD} 1`, `${NEW_PASSWORD} 2`]
    const answers = await Promise.all(passwords.map((one) => accept(new Client(service()), token, one)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
    const logins = await Promise.all(passwords.map((one) => login(email, one)))
    expect(logins.map(({ status }) => status)).toEqual(
      answers.map(({ status }) => (status === 200 ? 200 : 401)),
    )
  })
})

describe('a forgotten password', () => {
  it("is reset by an owner's link, which ends all sessions and replaces the old password", async () => {
    const user = await aUser(service(), school.tenantId)
    const { client, token } = await loginOf(service(), user)
    expect((await client.get('/auth/me', bearer(token))).status).toBe(200)
    const { body, status } = await school.client.post(`/users/${user.id}/password-reset`)
    expect(status).toBe(200)
    expect(new URL(body.url).pathname).toBe('/password-reset')
    expect(Math.round((Date.parse(body.expires_at) - Date.now()) / 60_000)).toBe(30)
    expect((await login(user.email, PASSWORD)).status).toBe(200)
    const reset = await new Client(service()).post(`/auth/password-resets/${tokenIn(body.url)}`, {
      password: NEW_PASSWORD,
    })
    expect([reset.status, reset.headers.getSetCookie()]).toEqual([204, []])
    expect((await client.get('/auth/me', bearer(token))).status).toBe(401)
    expect((await login(user.email, PASSWORD)).status).toBe(401)
    expect((await login(user.email, NEW_PASSWORD)).status).toBe(200)
  })

  it('is not reset for invited or disabled users, and an active user is not invited again', async () => {
    const invited = await anInvitation(school)
    const user = await aUser(service(), school.tenantId)
    const code = async (path: string) => (await school.client.post(path)).body.code
    expect(await code(`/users/${invited.id}/password-reset`)).toBe('user_inactive')
    expect(await code(`/users/${user.id}/invitation`)).toBe('invitation_accepted')
    for (const { id } of [invited, user]) await school.client.patch(`/users/${id}`, { disabled: true })
    expect(await code(`/users/${invited.id}/invitation`)).toBe('user_inactive')
    expect(await code(`/users/${user.id}/password-reset`)).toBe('user_inactive')
  })
})
