import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { totpCode, totpStep } from '../../src/auth/totp.ts'
import { useOwnService } from '../support/app.ts'
import { changesOfUser } from '../support/changes.ts'
import { type Answer, Client, must } from '../support/client.ts'
import { aSchool, PASSWORD, type School } from '../support/factory.ts'
import { aPasskey, aSecondFactor, inSession, secondStepOf } from '../support/passkeys.ts'
import { aLogin, bearer } from '../support/session.ts'
import { AuthenticatorApp, aTotp } from '../support/totp.ts'

const service = useOwnService({
  loginLimits: { perAccountAndAddress: 3, perAccount: 50, perAddress: 100 },
})
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})
afterEach(() => service().setClock(undefined))

const SECOND_STEP = '/auth/login/second-factor'

async function aCareful() {
  const session = await aLogin(service(), school.tenantId)
  return { session, ...(await aTotp(service(), session)) }
}

const codeOf = ({ status, body }: Answer) => [status, body.code]
const faultsOf = ({ status, body }: Answer) => [status, body.errors?.map(({ code }: Fault) => code)]
type Fault = { readonly code: string }

describe('the login of a user with an authenticator app (S113)', () => {
  it('names the ways there are, and succeeds with a code', { tags: ['embedded'] }, async () => {
    const { session, app, own } = await aCareful()
    const login = { email: session.user.email, password: PASSWORD }
    const asked = await new Client(service()).post('/auth/login', login)
    expect([asked.status, asked.body.code, asked.body.params.ways]).toEqual([
      401,
      'second_factor_required',
      ['totp'],
    ])
    expect(asked.headers.getSetCookie()).toEqual([])
    const { challenge } = asked.body.params.options
    const client = new Client(service())
    const code = app.next()
    const totp = { challenge, code: ` ${code.slice(0, 3)} ${code.slice(3)}` }
    const { token } = must(200, await client.post(SECOND_STEP, { totp }))
    expect((await client.get('/auth/me', bearer(token))).body.id).toBe(session.user.id)
    must(204, await own.post('/auth/proof', { password: PASSWORD }))
    await aPasskey(service(), session)
    must(200, await own.post('/auth/recovery-codes'))
    const all = await client.post('/auth/login', login)
    expect(all.body.params.ways).toEqual(['passkey', 'totp', 'recovery_code'])
  })

  it('accepts each code once, also of two that come at once, and no older one', async () => {
    const { session, app } = await aCareful()
    // The code by which it was set up counts as used.
    const { challenge } = await secondStepOf(new Client(service()), session.user)
    const setUpBy = { totp: { challenge, code: app.code() } }
    expect(codeOf(await new Client(service()).post(SECOND_STEP, setUpBy))).toEqual([
      401,
      'invalid_credentials',
    ])
    const code = app.next()
    const steps = [1, 2, 3].map(() => secondStepOf(new Client(service()), session.user))
    const sent = (await Promise.all(steps)).map((step) =>
      new Client(service()).post(SECOND_STEP, { totp: { challenge: step.challenge, code } }),
    )
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 401, 401])
    const older = {
      totp: { ...(await secondStepOf(new Client(service()), session.user)), code: app.code(-1) },
    }
    const { challenge: next } = older.totp
    const again = await new Client(service()).post(SECOND_STEP, {
      totp: { challenge: next, code: app.code(-1) },
    })
    expect(codeOf(again)).toEqual([401, 'invalid_credentials'])
  })

  it('accepts a challenge once, and codes one step early or late', async () => {
    const { session, app } = await aCareful()
    app.next()
    const { challenge } = await secondStepOf(new Client(service()), session.user)
    const early = { totp: { challenge, code: app.code(1) } }
    must(200, await new Client(service()).post(SECOND_STEP, early))
    app.next()
    app.next()
    app.next()
    const used = await new Client(service()).post(SECOND_STEP, { totp: { challenge, code: app.code() } })
    expect(codeOf(used)).toEqual([401, 'login_expired'])
    const next = await secondStepOf(new Client(service()), session.user)
    const late = { totp: { challenge: next.challenge, code: app.code(-1) } }
    must(200, await new Client(service()).post(SECOND_STEP, late))
    for (const steps of [-2, 2]) {
      app.next()
      app.next()
      const { challenge } = await secondStepOf(new Client(service()), session.user)
      const far = await new Client(service()).post(SECOND_STEP, {
        totp: { challenge, code: app.code(steps) },
      })
      expect(codeOf(far)).toEqual([401, 'invalid_credentials'])
    }
  })

  it('rejects a foreign code, and returns 429 after three attempts', async () => {
    const [{ session, app }, other] = [await aCareful(), await aCareful()]
    const client = new Client(service())
    const { challenge } = await secondStepOf(client, session.user)
    const code = other.app.next()
    for (const wrong of [code, 'x', '']) {
      const answer = await client.post(SECOND_STEP, { totp: { challenge, code: wrong } })
      expect(answer.status).toBe(wrong === '' ? 400 : 401)
    }
    expect((await client.post(SECOND_STEP, { totp: { challenge, code } })).status).toBe(401)
    const right = await client.post(SECOND_STEP, { totp: { challenge, code: app.code() } })
    expect(codeOf(right)).toEqual([429, 'too_many_requests'])
  })

  it('finds no code valid under another key of the service', async () => {
    const { session, app } = await aCareful()
    await sql`update totp_secrets set sealed_secret =
      (select sealed_secret from totp_secrets where user_id <> ${session.user.id} limit 1)
      where user_id = ${session.user.id}`.execute(service().db)
    const { challenge } = await secondStepOf(new Client(service()), session.user)
    const answer = await new Client(service()).post(SECOND_STEP, { totp: { challenge, code: app.next() } })
    expect(codeOf(answer)).toEqual([401, 'invalid_credentials'])
  })
})

describe('an authenticator app', () => {
  it('is set up by a proof and a code, and switches the second factor on', async () => {
    const session = await aLogin(service(), school.tenantId)
    const own = inSession(session)
    const offer = must(200, await own.post('/auth/totp/options'))
    expect(offer.uri).toContain(`secret=${offer.secret}&`)
    expect((await own.get('/auth/second-factor')).body).toEqual({
      enabled: false,
      totp_since: null,
      is_required: false,
      recovery_codes_left: 0,
    })
    const { challenge } = offer
    const code = () => totpCode(offer.secret, totpStep(new Date()))
    const wrong = await own.post('/auth/totp', { challenge, code: '0' })
    expect(faultsOf(wrong)).toEqual([400, ['invalid_code']])
    const factor = must(200, await own.post('/auth/totp', { challenge, code: code() }))
    expect(factor).toMatchObject({ enabled: true, totp_since: expect.any(String) })
    const again = await own.post('/auth/totp', { challenge, code: code() })
    expect(faultsOf(again)).toEqual([400, ['invalid_challenge']])
    const log = await changesOfUser(school.client, session.user.id)
    expect(log.at(-1)).toEqual([
      { totp: false, second_factor: false },
      { totp: true, second_factor: true },
    ])
    const read = must(200, await school.client.get(`/users/${session.user.id}`))
    expect(read.second_factors).toEqual(['totp'])
  })

  it('is not stored in plain text, and is in no answer, log or change', async () => {
    const { session, secret } = await aCareful()
    const { rows } = await sql`select encode(sealed_secret, 'escape') as sealed, t::text from totp_secrets t
      where user_id = ${session.user.id}`.execute(service().db)
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(secret)
    const { rows: log } = await sql`select before::text, after::text from changes
      where resource_id = ${session.user.id}`.execute(service().db)
    expect(JSON.stringify([log, service().log()])).not.toContain(secret)
  })

  it('needs a recent proof, and a challenge of the same user and the last 15 minutes', async () => {
    const [mine, theirs] = [
      await aLogin(service(), school.tenantId),
      await aLogin(service(), school.tenantId),
    ]
    const own = inSession(mine)
    const offer = must(200, await inSession(theirs).post('/auth/totp/options'))
    const code = totpCode(offer.secret, totpStep(new Date()))
    const foreign = await own.post('/auth/totp', { challenge: offer.challenge, code })
    expect(faultsOf(foreign)).toEqual([400, ['invalid_challenge']])
    const now = new Date()
    service().setClock(now)
    const { secret, challenge } = must(200, await own.post('/auth/totp/options'))
    const app = new AuthenticatorApp(service(), secret, new Date(now.getTime() + 15 * 60_000 - 30_000))
    const late = await own.post('/auth/totp', { challenge, code: app.next() })
    expect(faultsOf(late)).toEqual([400, ['invalid_challenge']])
    service().setClock(undefined)
    await sql`update token_families set proved_at = now() - interval '6 minutes'
      where user_id = ${mine.user.id}`.execute(service().db)
    for (const path of ['/auth/totp/options', '/auth/totp']) {
      const body = path === '/auth/totp' ? { challenge, code: '123456' } : undefined
      expect(codeOf(await own.post(path, body))).toEqual([403, 'proof_required'])
    }
  })

  it('is replaced by another, whose codes alone are valid then', async () => {
    const { session, app, own } = await aCareful()
    const next = must(200, await own.post('/auth/totp/options'))
    app.next()
    const now = new Date()
    const another = new AuthenticatorApp(service(), next.secret, now)
    must(200, await own.post('/auth/totp', { challenge: next.challenge, code: another.next() }))
    const step = await secondStepOf(new Client(service()), session.user)
    const old = { totp: { challenge: step.challenge, code: app.next() } }
    expect(codeOf(await new Client(service()).post(SECOND_STEP, old))).toEqual([401, 'invalid_credentials'])
    another.next()
    const right = { totp: { challenge: step.challenge, code: another.next() } }
    must(200, await new Client(service()).post(SECOND_STEP, right))
  })

  it('is removed with the password, which ends the second factor', async () => {
    const { session, own } = await aCareful()
    await sql`update token_families set proved_by = 'totp' where user_id = ${session.user.id}`.execute(
      service().db,
    )
    const refused = await own.delete('/auth/totp')
    expect([...codeOf(refused), refused.body.params]).toEqual([403, 'proof_required', { ways: ['password'] }])
    must(204, await own.post('/auth/proof', { password: PASSWORD }))
    must(204, await own.delete('/auth/totp'))
    expect((await own.delete('/auth/totp')).status).toBe(404)
    expect((await own.get('/auth/second-factor')).body).toMatchObject({ enabled: false, totp_since: null })
    const log = await changesOfUser(school.client, session.user.id)
    expect(log.at(-1)).toEqual([
      { totp: true, second_factor: true },
      { totp: false, second_factor: false },
    ])
    const login = { email: session.user.email, password: PASSWORD }
    must(200, await new Client(service()).post('/auth/login', login))
  })

  it('and a passkey each keep the second factor on without the other', async () => {
    const session = await aLogin(service(), school.tenantId)
    const { id } = await aSecondFactor(service(), session)
    const { own } = await aTotp(service(), session)
    const read = () => school.client.get(`/users/${session.user.id}`)
    expect((await read()).body.second_factors).toEqual(['passkey', 'totp'])
    must(204, await own.delete(`/auth/passkeys/${id}`))
    expect((await own.get('/auth/second-factor')).body.enabled).toBe(true)
    await aPasskey(service(), session)
    must(204, await own.delete('/auth/totp'))
    expect((await own.get('/auth/second-factor')).body.enabled).toBe(true)
    expect((await read()).body.second_factors).toEqual(['passkey'])
    must(200, await own.patch('/auth/second-factor', { enabled: false }))
    expect((await read()).body.second_factors).toEqual([])
  })

  it('confirms an identity by an unused code', async () => {
    const { session, app, own } = await aCareful()
    const forget = sql`update token_families set proved_at = null, proved_by = null
      where user_id = ${session.user.id}`
    await forget.execute(service().db)
    const refused = await own.post('/auth/recovery-codes')
    expect(refused.body.params).toEqual({ ways: ['password', 'passkey', 'totp', 'sso'] })
    const code = app.next()
    must(204, await own.post('/auth/proof', { totp: code }))
    must(200, await own.post('/auth/recovery-codes'))
    await forget.execute(service().db)
    expect(codeOf(await own.post('/auth/proof', { totp: code }))).toEqual([401, 'invalid_credentials'])
    const both = await own.post('/auth/proof', { totp: app.next(), password: PASSWORD })
    expect(faultsOf(both)).toEqual([400, ['one_of']])
    expect((await own.post('/auth/recovery-codes')).status).toBe(403)
    const other = await aLogin(service(), school.tenantId)
    const without = await inSession(other).post('/auth/proof', { totp: app.next() })
    expect(codeOf(without)).toEqual([401, 'invalid_credentials'])
  })
})
