import { describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { Client, must } from '../support/client.ts'
import { PASSWORD } from '../support/factory.ts'
import { aSecondFactor } from '../support/passkeys.ts'
import { bearer, loginOf, statusWith } from '../support/session.ts'
import { aPersonAt, enterWith, schoolsOf } from '../support/shared-address.ts'

const service = useService()

/** Creates a person who has the test password at each of `count` schools. */
const atSchools = (count: number) => aPersonAt(service(), Array<string>(count).fill(PASSWORD))

const switchTo = (client: Client, id: string) => client.post(`/auth/schools/${id}`)
const login = (email: string) => new Client(service()).post('/auth/login', { email, password: PASSWORD })

describe('a second factor at one of several schools', () => {
  it('is required for a switch, and ends the previous session', { tags: ['embedded'] }, async () => {
    const [first, second] = await atSchools(2)
    if (!first || !second) throw new Error('two were made')
    const careful = await enterWith(service(), second.user.email)
    const there = must(200, await switchTo(careful.client, second.school.tenantId))
    const session = { user: second.user, client: new Client(service()), token: there.token, refreshToken: '' }
    must(204, await session.client.post('/auth/proof', { password: PASSWORD }, bearer(there.token)))
    const { device } = await aSecondFactor(service(), session)

    const { client, token } = await enterWith(service(), first.user.email)
    expect((await client.get('/auth/me')).body.id).toBe(first.user.id)
    const asked = await switchTo(client, second.school.tenantId)
    expect([asked.status, asked.body.code]).toEqual([401, 'second_factor_required'])
    expect(asked.headers.getSetCookie()).toEqual([])
    expect(await statusWith(client, token)).toBe(200)
    const passkey = device.answer(asked.body.params.options)
    const entered = must(200, await new Client(service()).post('/auth/login/second-factor', { passkey }))
    const me = await new Client(service()).get('/auth/me', bearer(entered.token))
    expect(me.body.id).toBe(second.user.id)
    const off = { enabled: false }
    const refused = await new Client(service()).patch('/auth/second-factor', off, bearer(entered.token))
    expect([refused.status, refused.body.code]).toEqual([403, 'proof_required'])
    expect(await statusWith(new Client(service()), token)).toBe(401)
    const { all } = await schoolsOf(new Client(service(), bearer(entered.token)))
    expect(all).toEqual([first.school.tenantId, second.school.tenantId])
  })

  it('is rejected with 401 once the session that requested the switch has ended', async () => {
    const [first, second] = await atSchools(2)
    if (!first || !second) throw new Error('two were made')
    const careful = await loginOf(service(), first.user)
    const { device } = await aSecondFactor(service(), careful)
    const { client, refresh } = await enterWith(service(), first.user.email)
    expect((await client.get('/auth/me')).body.id).toBe(second.user.id)
    const asked = await switchTo(client, first.school.tenantId)
    must(204, await client.post('/auth/logout', { refresh_token: refresh }))
    const passkey = device.answer(asked.body.params.options)
    const late = await new Client(service()).post('/auth/login/second-factor', { passkey })
    expect(late.status).toBe(401)
  })

  it('is required at login if every school has one, and again when switching', async () => {
    const [first, second] = await atSchools(2)
    if (!first || !second) throw new Error('two were made')
    const devices = []
    for (const { user } of [first, second]) {
      const session = await loginOf(service(), user)
      const { id } = (await session.client.get('/auth/me', bearer(session.token))).body
      expect(id).toBe(user.id)
      devices.push((await aSecondFactor(service(), session)).device)
    }
    const asked = await login(first.user.email)
    expect(asked.body.code).toBe('second_factor_required')
    const passkey = devices[0]?.answer(asked.body.params.options)
    const { token } = must(200, await new Client(service()).post('/auth/login/second-factor', { passkey }))
    const client = new Client(service(), bearer(token))
    expect((await schoolsOf(client)).current).toBe(first.school.tenantId)
    const again = await switchTo(client, second.school.tenantId)
    expect(again.body.code).toBe('second_factor_required')
    const other = devices[1]?.answer(again.body.params.options)
    const there = must(200, await new Client(service()).post('/auth/login/second-factor', { passkey: other }))
    const me = await new Client(service(), bearer(there.token)).get('/auth/me')
    expect(me.body.id).toBe(second.user.id)
  })
})
