import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { useOwnService } from '../support/app.ts'
import { changesOfUser } from '../support/changes.ts'
import { Client, must } from '../support/client.ts'
import { aSchool, PASSWORD, type School } from '../support/factory.ts'
import { aPasskey, aSecondFactor, inSession, logInWith, secondStepOf } from '../support/passkeys.ts'
import { aLogin, bearer, setUserDisabled } from '../support/session.ts'

const service = useOwnService({
  loginLimits: { perAccountAndAddress: 3, perAccount: 50, perAddress: 100 },
})
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

async function aCareful() {
  const session = await aLogin(service(), school.tenantId)
  const passkey = await aSecondFactor(service(), session)
  return { session, ...passkey, own: inSession(session) }
}

const SECOND_STEP = '/auth/login/second-factor'
const ALONE = { totp_since: null, is_required: false, recovery_codes_left: 0 }

describe('the login of a user with a second factor', () => {
  it('responds to the password with 401 second_factor_required, passkey options and no cookies', async () => {
    const { session, device } = await aCareful()
    const answer = await new Client(service()).post('/auth/login', {
      email: session.user.email,
      password: PASSWORD,
    })
    expect([answer.status, answer.body.code]).toEqual([401, 'second_factor_required'])
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(answer.headers.has('www-authenticate')).toBe(false)
    expect(answer.body.params.options).toEqual({
      rpId: 'localhost',
      challenge: expect.any(String),
      timeout: 240_000,
      userVerification: 'preferred',
      allowCredentials: [{ id: device.id, transports: ['internal'], type: 'public-key' }],
    })
  })

  it('succeeds once with a passkey, even without user verification', async () => {
    const { session, device } = await aCareful()
    const client = new Client(service())
    const options = await secondStepOf(client, session.user)
    const passkey = device.answer(options, { isVerified: false, userHandle: null })
    const { token } = must(200, await client.post(SECOND_STEP, { passkey }))
    expect((await client.get('/auth/me', bearer(token))).body.id).toBe(session.user.id)
    const again = await client.post(SECOND_STEP, { passkey })
    expect(again.status).toBe(401)
  })

  it('succeeds with the passkey alone, without a password', async () => {
    const { device } = await aCareful()
    must(200, await logInWith(device, new Client(service())))
  })

  it('rejects a wrong password with 401 invalid_credentials', async () => {
    const { session } = await aCareful()
    const login = { email: session.user.email, password: 'wrong' }
    const answer = await new Client(service()).post('/auth/login', login)
    expect([answer.status, answer.body.code]).toEqual([401, 'invalid_credentials'])
    expect(answer.body.params).toEqual({})
  })

  it('rejects a foreign passkey, challenge or origin with 401, and then returns 429', async () => {
    const [{ session, device }, other] = [await aCareful(), await aCareful()]
    const client = new Client(service())
    const options = await secondStepOf(client, session.user)
    const login = must(200, await client.post('/auth/login/passkey/options'))
    const theirs = await secondStepOf(new Client(service()), other.session.user)
    const late = await client.post(SECOND_STEP, { passkey: device.answer(login) })
    expect([late.status, late.body.code]).toEqual([401, 'login_expired'])
    for (const passkey of [
      other.device.answer(options),
      device.answer(theirs),
      device.answer(options, { origin: 'https://evil.test' }),
    ]) {
      const answer = await client.post(SECOND_STEP, { passkey })
      expect([answer.status, answer.body.code]).toEqual([401, 'invalid_credentials'])
    }
    // One of the three belonged to another user's login, so a fourth is needed.
    const last = await client.post(SECOND_STEP, { passkey: other.device.answer(options) })
    expect(last.status).toBe(401)
    const right = await client.post(SECOND_STEP, { passkey: device.answer(options) })
    expect([right.status, right.body.code]).toEqual([429, 'too_many_requests'])
  })

  it('expires after five minutes, and when the user is disabled or changes the password', async () => {
    const { session, device, own } = await aCareful()
    const client = new Client(service())
    const asked = new Date()
    service().setClock(asked)
    const options = await secondStepOf(client, session.user)
    service().setClock(new Date(asked.getTime() + 301_000))
    await expectExpired(client.post(SECOND_STEP, { passkey: device.answer(options) }))
    service().setClock(undefined)
    const disabled = await secondStepOf(client, session.user)
    await setUserDisabled(service(), school.tenantId, session.user.id, true)
    await expectExpired(client.post(SECOND_STEP, { passkey: device.answer(disabled) }))
    await setUserDisabled(service(), school.tenantId, session.user.id, false)
    const before = await secondStepOf(client, session.user)
    const change = { current_password: PASSWORD, new_password: 'staple, correct horse' }
    must(204, await own.post('/auth/password', change))
    await expectExpired(client.post(SECOND_STEP, { passkey: device.answer(before) }))
  })
})

describe('the second factor', () => {
  it('is off by default, requires a passkey to be turned on, and has its changes logged', async () => {
    const session = await aLogin(service(), school.tenantId)
    const own = inSession(session)
    expect((await own.get('/auth/second-factor')).body).toEqual({ ...ALONE, enabled: false })
    const early = await own.patch('/auth/second-factor', { enabled: true })
    expect([early.status, early.body.code]).toEqual([409, 'no_passkey'])
    await aPasskey(service(), session)
    const on = { ...ALONE, enabled: true }
    for (let time = 0; time < 2; time += 1) {
      expect(must(200, await own.patch('/auth/second-factor', { enabled: true }))).toEqual(on)
    }
    must(200, await own.patch('/auth/second-factor', { enabled: false }))
    must(
      200,
      await new Client(service()).post('/auth/login', { email: session.user.email, password: PASSWORD }),
    )
    expect((await changesOfUser(school.client, session.user.id)).slice(1)).toEqual([
      [{ second_factor: false }, { second_factor: true }],
      [{ second_factor: true }, { second_factor: false }],
    ])
  })

  it('is turned off by the removal of the last passkey, which requires the password', async () => {
    const { session, own, id } = await aCareful()
    const second = await aPasskey(service(), session, { name: 'Phone' })
    await sql`update token_families set proved_by = 'passkey'
      where user_id = ${session.user.id}`.execute(service().db)
    must(204, await own.delete(`/auth/passkeys/${id}`))
    const answer = await own.delete(`/auth/passkeys/${second.id}`)
    expect([answer.status, answer.body.code, answer.body.params]).toEqual([
      403,
      'proof_required',
      { ways: ['password'] },
    ])
    expect((await own.get('/auth/second-factor')).body.enabled).toBe(true)
    must(204, await own.post('/auth/proof', { password: PASSWORD }))
    must(204, await own.delete(`/auth/passkeys/${second.id}`))
    expect((await own.get('/auth/second-factor')).body.enabled).toBe(false)
    const log = await changesOfUser(school.client, session.user.id)
    expect(log.at(-1)).toEqual([
      { passkey: 'Phone', second_factor: true },
      { passkey: null, second_factor: false },
    ])
    must(
      200,
      await new Client(service()).post('/auth/login', { email: session.user.email, password: PASSWORD }),
    )
  })

  it('is never left on without a passkey by a concurrent switch and removal', async () => {
    for (let round = 0; round < 5; round += 1) {
      const session = await aLogin(service(), school.tenantId)
      const own = inSession(session)
      const { id } = await aPasskey(service(), session)
      await Promise.all([
        own.patch('/auth/second-factor', { enabled: true }),
        own.delete(`/auth/passkeys/${id}`),
      ])
      const [passkeys, { body }] = [await own.get('/auth/passkeys'), await own.get('/auth/second-factor')]
      expect(body.enabled && passkeys.body.length === 0).toBe(false)
    }
  })
})

describe('recovery codes', () => {
  it('are ten, and are not stored in plain text', async () => {
    const { session, own } = await aCareful()
    const { codes } = must(200, await own.post('/auth/recovery-codes'))
    expect(new Set(codes).size).toBe(10)
    expect((await own.get('/auth/second-factor')).body.recovery_codes_left).toBe(10)
    const { rows } = await sql`select to_jsonb(c)::text as row from recovery_codes c
      where user_id = ${session.user.id}`.execute(service().db)
    for (const code of codes) expect(JSON.stringify(rows)).not.toContain(code)
    const log = await changesOfUser(school.client, session.user.id)
    expect(log.at(-1)).toEqual([{ recovery_codes_left: 0 }, { recovery_codes_left: 10 }])
  })

  it('replace the passkey once each, ignore case and separators, and are logged when used', async () => {
    const { session, own } = await aCareful()
    const { codes } = must(200, await own.post('/auth/recovery-codes'))
    const client = new Client(service())
    const typed = ` ${codes[0].toUpperCase().replaceAll('-', ' ')} `
    const { challenge } = await secondStepOf(client, session.user)
    const { token } = must(200, await client.post(SECOND_STEP, { recovery_code: { challenge, code: typed } }))
    expect((await client.get('/auth/second-factor', bearer(token))).body.recovery_codes_left).toBe(9)
    const log = await changesOfUser(school.client, session.user.id)
    expect(log.at(-1)).toEqual([
      { recovery_codes_left: 10 },
      { recovery_codes_left: 9, recovery_code_used: true },
    ])
    const next = await secondStepOf(client, session.user)
    const again = await client.post(SECOND_STEP, { recovery_code: { ...next, code: codes[0] } })
    expect(again.status).toBe(400)
    const used = { recovery_code: { challenge: next.challenge, code: codes[0] } }
    await expectWrong(client.post(SECOND_STEP, used))
    const unused = { recovery_code: { challenge, code: codes[1] } }
    await expectExpired(client.post(SECOND_STEP, unused))
    must(200, await client.post(SECOND_STEP, { recovery_code: { ...used.recovery_code, code: codes[1] } }))
  })

  it('work in only one of three concurrent logins with the same code', async () => {
    const { session, own } = await aCareful()
    const { codes } = must(200, await own.post('/auth/recovery-codes'))
    const steps = await Promise.all([0, 1, 2].map(() => secondStepOf(new Client(service()), session.user)))
    const answers = await Promise.all(
      steps.map(({ challenge }) =>
        new Client(service()).post(SECOND_STEP, { recovery_code: { challenge, code: codes[0] } }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
  })

  it('are rejected if replaced, foreign or wrong, and return 429 after three attempts', async () => {
    const [{ session, own }, other] = [await aCareful(), await aCareful()]
    const old = must(200, await own.post('/auth/recovery-codes')).codes
    const fresh = must(200, await own.post('/auth/recovery-codes')).codes
    const theirs = must(200, await other.own.post('/auth/recovery-codes')).codes
    const client = new Client(service())
    const { challenge } = await secondStepOf(client, session.user)
    for (const code of [old[0], theirs[0], 'x']) {
      await expectWrong(client.post(SECOND_STEP, { recovery_code: { challenge, code } }))
    }
    const answer = await client.post(SECOND_STEP, { recovery_code: { challenge, code: fresh[0] } })
    expect([answer.status, answer.body.code]).toEqual([429, 'too_many_requests'])
  })
})

async function expectWrong(answer: ReturnType<Client['post']>): Promise<void> {
  const { status, body } = await answer
  expect([status, body.code]).toEqual([401, 'invalid_credentials'])
}

async function expectExpired(answer: ReturnType<Client['post']>): Promise<void> {
  const { status, body } = await answer
  expect([status, body.code]).toEqual([401, 'login_expired'])
}
