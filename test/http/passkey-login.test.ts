import { beforeAll, describe, expect, it } from 'vitest'
import { useOwnService } from '../support/app.ts'
import { Authenticator } from '../support/authenticator.ts'
import { Client, must } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'
import { aPasskey, inSession, logInWith, originOf } from '../support/passkeys.ts'
import { aLogin, bearer, setUserDisabled } from '../support/session.ts'

const limits = { perAccountAndAddress: 3, perAccount: 5, perAddress: 8 }
const service = useOwnService({ loginLimits: limits })
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

async function anOwner({ isSynced = false } = {}) {
  const session = await aLogin(service(), school.tenantId)
  return { session, ...(await aPasskey(service(), session, { isSynced })) }
}

describe('a login with a passkey', () => {
  it('returns tokens and session cookies, and can be repeated', async () => {
    const { session, device } = await anOwner()
    for (let time = 0; time < 2; time += 1) {
      const answer = await logInWith(device, new Client(service()))
      expect(answer.status).toBe(200)
      expect(Object.keys(answer.body)).toEqual(
        Object.keys({ token: 0, refresh_token: 0, token_type: 0, expires_in: 0, refresh_expires_in: 0 }),
      )
      expect(answer.headers.getSetCookie().map((one) => one.split('=')[0])).toEqual([
        'svc_jwt',
        'svc_refresh',
      ])
      const me = await session.client.get('/auth/me', bearer(answer.body.token))
      expect(me.body.id).toBe(session.user.id)
      must(200, await session.client.post('/auth/refresh', { refresh_token: answer.body.refresh_token }))
    }
    const [listed] = (await inSession(session).get('/auth/passkeys')).body
    expect(listed.last_used_at).toEqual(expect.any(String))
  })

  it('can be repeated with a synced passkey, which has no signature counter', async () => {
    const { device } = await anOwner({ isSynced: true })
    for (let time = 0; time < 2; time += 1) {
      expect((await logInWith(device, new Client(service()))).status).toBe(200)
    }
  })

  it('starts with options that name no user or credential', async () => {
    const options = must(200, await new Client(service()).post('/auth/login/passkey/options'))
    expect(options).toEqual({
      rpId: 'localhost',
      challenge: expect.any(String),
      timeout: 240_000,
      userVerification: 'required',
    })
  })

  it('is accepted as a recent proof', async () => {
    const { session, device } = await anOwner()
    const { token } = must(200, await logInWith(device, new Client(service())))
    must(200, await inSession({ ...session, token }).post('/auth/recovery-codes'))
  })
})

describe('POST /auth/login/passkey', () => {
  it.each([
    ['from another origin', { origin: 'https://evil.test' }],
    ['for another domain', { rpId: 'evil.test' }],
    ['of type webauthn.create', { type: 'webauthn.create' }],
    ['without user presence', { isPresent: false }],
    ['without user verification', { isVerified: false }],
    ['with an unknown challenge', { challenge: 'AAAA' }],
    ['with an unchanged counter', { counter: 1 }],
    ['with a lower counter', { counter: 0 }],
    ['with the handle of another user', { userHandle: Buffer.from('somebody').toString('base64url') }],
    ['without a user handle', { userHandle: null }],
  ])('rejects an assertion %s with 401 invalid_credentials', async (_, oddity) => {
    const { device } = await anOwner()
    must(200, await logInWith(device, new Client(service())))
    await expectRefused(logInWith(device, new Client(service()), {}, oddity))
    must(200, await logInWith(device, new Client(service())))
  })

  it('rejects the signature of another device and an unregistered device', async () => {
    const { device } = await anOwner()
    const unregistered = new Authenticator(originOf(service()))
    await expectRefused(logInWith(device, new Client(service()), {}, { signedBy: unregistered }))
    await expectRefused(logInWith(unregistered, new Client(service()), {}, { userHandle: 'AAAA' }))
  })

  it('accepts exactly one of 4 concurrent logins with the same challenge; the others get 401', async () => {
    const { device } = await anOwner({ isSynced: true })
    const client = new Client(service())
    const options = must(200, await client.post('/auth/login/passkey/options'))
    const bodies = [0, 1, 2, 3].map(() => device.answer(options))
    const answers = await Promise.all(
      bodies.map((body) => new Client(service()).post('/auth/login/passkey', body)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
  })

  it('accepts exactly one of 4 concurrent logins with the same counter; the others get 401', async () => {
    const { device } = await anOwner()
    const visitors = [0, 1, 2, 3].map(() => new Client(service()))
    const asked = await Promise.all(visitors.map((one) => one.post('/auth/login/passkey/options')))
    const bodies = asked.map(({ body }) => device.answer(body, { counter: 9 }))
    const answers = await Promise.all(
      visitors.map((one, index) => one.post('/auth/login/passkey', bodies[index])),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
  })

  it('rejects an assertion after five minutes', async () => {
    const { device } = await anOwner()
    const asked = new Date()
    for (const [seconds, status] of [
      [299, 200],
      [301, 401],
    ] as const) {
      service().setClock(asked)
      const options = must(200, await new Client(service()).post('/auth/login/passkey/options'))
      service().setClock(new Date(asked.getTime() + seconds * 1000))
      const answer = await new Client(service()).post('/auth/login/passkey', device.answer(options))
      expect([seconds, answer.status]).toEqual([seconds, status])
    }
    service().setClock(undefined)
  })

  it('rejects a disabled user and a removed passkey', async () => {
    const { session, device, id } = await anOwner()
    await setUserDisabled(service(), school.tenantId, session.user.id, true)
    await expectRefused(logInWith(device, new Client(service())))
    await setUserDisabled(service(), school.tenantId, session.user.id, false)
    const { token } = must(200, await logInWith(device, new Client(service())))
    must(204, await session.client.delete(`/auth/passkeys/${id}`, bearer(token)))
    await expectRefused(logInWith(device, new Client(service())))
  })

  it.each(['registration', 'proof'])('rejects the challenge of a %s', async (purpose) => {
    const { session, device } = await anOwner()
    const path = purpose === 'proof' ? '/auth/proof/options' : '/auth/passkeys/options'
    const { challenge } = must(200, await inSession(session).post(path))
    await expectRefused(logInWith(device, new Client(service()), {}, { challenge }))
  })
})

describe('failed logins with passkeys', () => {
  it('block passkey and password logins to the account from the same address only (429)', async () => {
    const { session, device } = await anOwner()
    const client = new Client(service())
    for (let time = 0; time < limits.perAccountAndAddress; time += 1) {
      await expectRefused(logInWith(device, client, {}, { isVerified: false }))
    }
    const throttled = await logInWith(device, client)
    expect([throttled.status, throttled.body.code]).toEqual([429, 'too_many_requests'])
    expect(Number(throttled.headers.get('retry-after'))).toBeGreaterThan(0)
    const login = { email: session.user.email, password: 'wrong' }
    expect((await client.post('/auth/login', login)).status).toBe(429)
    must(200, await logInWith(device, new Client(service())))
    must(200, await logInWith((await anOwner()).device, client))
  })

  it('are counted by address for unknown passkeys, with IPv6 addresses grouped by /64', async () => {
    const { device } = await anOwner()
    const from = (host: number) => ({ 'x-forwarded-for': `2001:db8:7:7::${host}` })
    for (let host = 1; host <= limits.perAddress; host += 1) {
      const unregistered = new Authenticator(originOf(service()))
      await expectRefused(logInWith(unregistered, new Client(service()), from(host), { userHandle: 'AAAA' }))
    }
    expect((await logInWith(device, new Client(service()), from(99))).status).toBe(429)
    must(200, await logInWith(device, new Client(service()), { 'x-forwarded-for': '2001:db8:7:8::1' }))
  })

  it('are logged without the id of the passkey', async () => {
    const { device } = await anOwner()
    const answer = await logInWith(device, new Client(service()), {}, { isVerified: false })
    const lines = service().log(answer)
    expect(lines).toContainEqual(expect.objectContaining({ event: 'invalid_credentials', by: 'passkey' }))
    expect(JSON.stringify(lines)).not.toContain(device.id)
  })
})

async function expectRefused(attempt: ReturnType<typeof logInWith>): Promise<void> {
  const { status, body } = await attempt
  expect({ status, ...body, request_id: '' }).toEqual({
    status: 401,
    code: 'invalid_credentials',
    type: '/docs/problems#invalid_credentials',
    title: 'Invalid credentials',
    detail: expect.any(String),
    params: {},
    request_id: '',
  })
}
