import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { useOwnService } from '../support/app.ts'
import { Authenticator } from '../support/authenticator.ts'
import { changesOfUser } from '../support/changes.ts'
import { must } from '../support/client.ts'
import { aSchool, PASSWORD, type School } from '../support/factory.ts'
import { aPasskey, inSession, originOf } from '../support/passkeys.ts'
import { aLogin, type LoggedIn, loginOf } from '../support/session.ts'

const service = useOwnService({
  loginLimits: { perAccountAndAddress: 3, perAccount: 50, perAddress: 100 },
})
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

describe('a passkey', () => {
  it('can be added, listed, renamed and removed, with each change logged', async () => {
    const session = await aLogin(service(), school.tenantId)
    const client = inSession(session)
    const { id } = await aPasskey(service(), session, { isSynced: true })
    const [listed] = (await client.get('/auth/passkeys')).body
    expect(listed).toEqual({
      id,
      name: 'Laptop',
      created_at: expect.any(String),
      last_used_at: null,
      is_synced: true,
      is_backed_up: true,
    })
    const renamed = must(200, await client.patch(`/auth/passkeys/${id}`, { name: '  My phone ' }))
    expect(renamed).toEqual({ ...listed, name: 'My phone' })
    must(200, await client.patch(`/auth/passkeys/${id}`, { name: 'My phone' }))
    must(204, await client.delete(`/auth/passkeys/${id}`))
    expect((await client.get('/auth/passkeys')).body).toEqual([])
    const logged = service()
      .log()
      .filter(({ event }) => /^passkey_/.test(String(event)))
    expect(logged.filter(({ user_id }) => user_id === session.user.id)).toMatchObject([
      { level: 30, event: 'passkey_added', tenant_id: school.tenantId },
      { level: 30, event: 'passkey_removed' },
    ])
    expect(await changesOfUser(school.client, session.user.id)).toEqual([
      [{ passkey: null }, { passkey: 'Laptop' }],
      [{ passkey: 'Laptop' }, { passkey: 'My phone' }],
      [{ passkey: 'My phone' }, { passkey: null }],
    ])
  })

  it('is listed as neither synced nor backed up if its device does not sync', async () => {
    const session = await aLogin(service(), school.tenantId)
    await aPasskey(service(), session)
    const [listed] = (await inSession(session).get('/auth/passkeys')).body
    expect(listed).toMatchObject({ is_synced: false, is_backed_up: false })
  })

  it('is created with options that require user verification and exclude known devices', async () => {
    const session = await aLogin(service(), school.tenantId)
    const { device } = await aPasskey(service(), session)
    const options = must(200, await inSession(session).post('/auth/passkeys/options'))
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Fahrplan' },
      user: { name: session.user.email, displayName: 'Anna Office' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: device.id, transports: ['internal'], type: 'public-key' }],
    })
    expect(Buffer.from(options.user.id, 'base64url').toString()).toBe(session.user.id)
  })

  it('is hidden from other users with 404', async () => {
    const owner = await aLogin(service(), school.tenantId)
    const { id } = await aPasskey(service(), owner)
    const userOfOtherSchool = await aLogin(service(), (await aSchool(service())).tenantId)
    for (const other of [await aLogin(service(), school.tenantId), userOfOtherSchool].map(inSession)) {
      expect((await other.patch(`/auth/passkeys/${id}`, { name: 'Mine' })).status).toBe(404)
      expect((await other.delete(`/auth/passkeys/${id}`)).status).toBe(404)
      expect((await other.delete(`/auth/passkeys/${randomUUID()}`)).status).toBe(404)
      expect((await other.get('/auth/passkeys')).body).toEqual([])
    }
    expect((await inSession(owner).get('/auth/passkeys')).body).toHaveLength(1)
  })
})

describe('the registration of a passkey', () => {
  it.each([
    ['from another origin', { origin: 'https://evil.test' }],
    ['from another port', { origin: 'http://localhost:1' }],
    ['for another domain', { rpId: 'evil.test' }],
    ['of type webauthn.get', { type: 'webauthn.get' }],
    ['without user presence', { isPresent: false }],
    ['without user verification', { isVerified: false }],
    ['with an unknown challenge', { challenge: 'AAAA' }],
  ])('rejects a credential %s with 400 invalid_passkey', async (_, oddity) => {
    const session = await aLogin(service(), school.tenantId)
    const client = inSession(session)
    const device = new Authenticator(originOf(service()))
    const options = must(200, await client.post('/auth/passkeys/options'))
    const credential = device.register(options, oddity)
    const answer = await client.post('/auth/passkeys', { name: 'Laptop', credential })
    expect([answer.status, answer.body.errors[0].code]).toEqual([400, 'invalid_passkey'])
    expect((await client.get('/auth/passkeys')).body).toEqual([])
    // The same credential without the defect is accepted.
    must(201, await client.post('/auth/passkeys', { name: 'Laptop', credential: device.register(options) }))
  })

  it('rejects a credential after five minutes', async () => {
    const session = await aLogin(service(), school.tenantId)
    const client = inSession(session)
    const device = new Authenticator(originOf(service()))
    const asked = new Date()
    for (const [seconds, status] of [
      [299, 201],
      [301, 400],
    ] as const) {
      service().setClock(asked)
      const options = must(200, await client.post('/auth/passkeys/options'))
      service().setClock(new Date(asked.getTime() + seconds * 1000))
      const credential = (status === 201 ? device : new Authenticator(originOf(service()))).register(options)
      expect((await client.post('/auth/passkeys', { name: 'x', credential })).status).toBe(status)
    }
    service().setClock(undefined)
  })

  it('rejects a used challenge, and a device that is already registered', async () => {
    const session = await aLogin(service(), school.tenantId)
    const client = inSession(session)
    const options = must(200, await client.post('/auth/passkeys/options'))
    const [first, second] = [0, 1].map(() => new Authenticator(originOf(service())))
    must(201, await client.post('/auth/passkeys', { name: 'x', credential: first?.register(options) }))
    const again = await client.post('/auth/passkeys', { name: 'x', credential: second?.register(options) })
    expect([again.status, again.body.errors[0].code]).toEqual([400, 'invalid_passkey'])
    const other = inSession(await aLogin(service(), school.tenantId))
    const theirs = must(200, await other.post('/auth/passkeys/options'))
    const known = await other.post('/auth/passkeys', { name: 'x', credential: first?.register(theirs) })
    expect([known.status, known.body.errors[0].code]).toEqual([400, 'known_passkey'])
  })

  it('rejects the challenge of another user or of a login', async () => {
    const [own, other] = [await aLogin(service(), school.tenantId), await aLogin(service(), school.tenantId)]
    const device = new Authenticator(originOf(service()))
    const theirs = must(200, await inSession(other).post('/auth/passkeys/options'))
    const login = must(200, await own.client.post('/auth/login/passkey/options'))
    for (const options of [theirs, { ...theirs, challenge: login.challenge }]) {
      const credential = device.register(options)
      const answer = await inSession(own).post('/auth/passkeys', { name: 'x', credential })
      expect([answer.status, answer.body.errors[0].code]).toEqual([400, 'invalid_passkey'])
    }
  })

  it('rejects the 21st passkey of a user with too_many', async () => {
    const session = await aLogin(service(), school.tenantId)
    for (let count = 0; count < 20; count += 1) await aPasskey(service(), session)
    await expect(aPasskey(service(), session)).rejects.toThrow('too_many')
  })
})

describe('a recent proof', () => {
  it.each([
    [
      'the options for a new passkey',
      'POST',
      '/auth/passkeys/options',
      undefined,
      ['password', 'passkey', 'totp', 'sso'],
    ],
    // A stolen device must not become the only key.
    ['switching the second factor', 'PATCH', '/auth/second-factor', { enabled: false }, ['password']],
    ['new recovery codes', 'POST', '/auth/recovery-codes', undefined, ['password', 'passkey', 'totp', 'sso']],
  ])('is required for %s, and expires after five minutes', async (_, method, path, body, ways) => {
    const session = await aLogin(service(), school.tenantId)
    const client = inSession(session)
    await age(session, '4 minutes 50 seconds')
    expect((await client.send(method, path, body)).status).toBe(200)
    await age(session, '10 seconds')
    const answer = await client.send(method, path, body)
    expect([answer.status, answer.body.code]).toEqual([403, 'proof_required'])
    expect(answer.body.params).toEqual({ ways })
    must(204, await client.post('/auth/proof', { password: PASSWORD }))
    expect((await client.send(method, path, body)).status).toBe(200)
  })

  it('is required to add or remove a passkey, and can be given with a passkey', async () => {
    const session = await aLogin(service(), school.tenantId)
    const client = inSession(session)
    const { device, id } = await aPasskey(service(), session)
    const options = must(200, await client.post('/auth/passkeys/options'))
    const credential = new Authenticator(originOf(service())).register(options)
    await age(session, '5 minutes')
    expect((await client.post('/auth/passkeys', { name: 'x', credential })).status).toBe(403)
    expect((await client.delete(`/auth/passkeys/${id}`)).status).toBe(403)
    const proof = must(200, await client.post('/auth/proof/options'))
    expect(proof.allowCredentials).toEqual([{ id: device.id, transports: ['internal'], type: 'public-key' }])
    must(204, await client.post('/auth/proof', { passkey: device.answer(proof) }))
    must(201, await client.post('/auth/passkeys', { name: 'x', credential }))
    must(204, await client.delete(`/auth/passkeys/${id}`))
  })

  it('is not given by another session of the user or by a session without proved_at', async () => {
    const session = await aLogin(service(), school.tenantId)
    await age(session, '5 minutes')
    must(200, await inSession(await loginOf(service(), session.user)).post('/auth/recovery-codes'))
    expect((await inSession(session).post('/auth/recovery-codes')).status).toBe(403)
    await sql`update token_families set proved_at = null, proved_by = null
      where user_id = ${session.user.id}`.execute(service().db)
    expect((await inSession(session).post('/auth/recovery-codes')).status).toBe(403)
  })

  it('is rejected for a wrong, replayed or foreign credential, then throttled with 429', async () => {
    const session = await aLogin(service(), school.tenantId)
    const other = await aLogin(service(), school.tenantId)
    const [own, theirs] = [await aPasskey(service(), session), await aPasskey(service(), other)]
    const client = inSession(session)
    const options = must(200, await client.post('/auth/proof/options'))
    const right = own.device.answer(options)
    must(204, await client.post('/auth/proof', { passkey: right }))
    for (const wrong of [
      { password: 'wrong' },
      { passkey: right },
      { passkey: theirs.device.answer(must(200, await client.post('/auth/proof/options'))) },
    ]) {
      const answer = await client.post('/auth/proof', wrong)
      expect([answer.status, answer.body.code]).toEqual([401, 'invalid_credentials'])
    }
    expect((await client.post('/auth/proof', { password: PASSWORD })).status).toBe(429)
    const next = must(200, await client.post('/auth/proof/options'))
    expect((await client.post('/auth/proof', { passkey: own.device.answer(next) })).status).toBe(429)
  })

  it('is rejected with 400 unless it has either a password or a passkey', async () => {
    const session = await aLogin(service(), school.tenantId)
    const { device } = await aPasskey(service(), session)
    const client = inSession(session)
    const passkey = device.answer(must(200, await client.post('/auth/proof/options')))
    for (const body of [{}, { password: PASSWORD, passkey }, { recovery_code: 'x' }])
      expect((await client.post('/auth/proof', body)).status, Object.keys(body).join()).toBe(400)
  })
})

async function age({ user }: LoggedIn, interval: string): Promise<void> {
  await sql`update token_families set proved_at = proved_at - ${interval}::interval
    where user_id = ${user.id}`.execute(service().db)
}
